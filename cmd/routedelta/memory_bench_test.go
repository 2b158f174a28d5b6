package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/routedelta/routedelta/render/manifest/manifesttest"
)

// BenchmarkPeakMemory runs the command line in a process of its own on 1,000 routes, and prints its peak of resident memory, that
// of a process that does nothing (the program itself, with the types of all of Envoy's extensions), and what lies between the
// two as a multiple of the manifests that it reads.
func BenchmarkPeakMemory(b *testing.B) {
	before := manifests(1000)
	after := bytes.Replace(before, []byte("/v2/api"), []byte("/v3/api"), 1)
	dir := b.TempDir()
	for name, text := range map[string][]byte{"before.yaml": before, "after.yaml": after} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	list := resourceList(before)
	for _, c := range []struct {
		name      string
		input     int
		stdin     []byte
		arguments []string
	}{
		{"diff", len(before) + len(after), nil, []string{"diff", "before.yaml", "after.yaml"}},
		{"render", len(before), nil, []string{"render", "before.yaml", "-o", "rendered"}},
		{"fn", len(list), list, []string{"fn"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			idle := peak(b, dir, nil, "version")
			most := 0
			for b.Loop() {
				most = max(most, peak(b, dir, c.stdin, c.arguments...))
			}
			b.ReportMetric(float64(most)/(1<<20), "peak-MB")
			b.ReportMetric(float64(idle)/(1<<20), "idle-MB")
			b.ReportMetric(float64(most-idle)/float64(c.input), "x-input")
		})
	}
}

// manifests are routes of four rules with their Gateway.
func manifests(routes int) []byte {
	return append([]byte(manifesttest.Infrastructure), manifesttest.Routes(routes)...)
}

// resourceList is a YAML stream as kustomize hands it to a function. What a ConfigMap takes is the routes of one Gateway in five.
func resourceList(stream []byte) []byte {
	list := bytes.NewBufferString("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n")
	for i, document := range strings.Split(strings.TrimPrefix(string(stream), "---\n"), "---\n") {
		if strings.Contains(document, "kind: Gateway\n") {
			for gateway := range 5 {
				appendItem(list, strings.Replace(document, "public", fmt.Sprint("public", gateway), 1))
			}
			continue
		}
		appendItem(list, strings.Replace(document, "name: public\n", fmt.Sprintf("name: public%d\n", i%5), 1))
	}
	return list.Bytes()
}

// peak runs the command line in another process and gives its peak of resident memory in bytes.
func peak(b *testing.B, dir string, stdin []byte, arguments ...string) int {
	b.Helper()
	bytes, _ := measure(b, dir, stdin, arguments...)
	return bytes
}

// measure is peak with the processor time that the process takes.
func measure(b *testing.B, dir string, stdin []byte, arguments ...string) (int, time.Duration) {
	b.Helper()
	program, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	var complaint bytes.Buffer
	command := exec.CommandContext(b.Context(), program)
	command.Args = append([]string{measured}, arguments...)
	command.Dir, command.Stdin, command.Stderr = dir, bytes.NewReader(stdin), &complaint
	out, err := command.Output()
	bytes, convertErr := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil || convertErr != nil || bytes == 0 {
		b.Fatalf("routedelta %v: %v, %v\n%s", arguments, err, convertErr, complaint.Bytes()[max(0, complaint.Len()-1000):])
	}
	return bytes, command.ProcessState.UserTime()
}

// measured is the name under which this test binary is the command line, and prints its peak of memory in place of the output.
const measured = "routedelta-measured"

// runMeasured reads the peak from /proc: what wait4 tells of a child begins with the memory of its parent. Garbage is collected as
// in the command.
func runMeasured() {
	collectLate()
	code := run(context.Background(), os.Args[1:], streams{in: os.Stdin, out: io.Discard, err: os.Stderr, env: os.Getenv})
	if code != 0 {
		os.Exit(code)
	}
	status, err := os.Open("/proc/self/status")
	if err != nil {
		fmt.Fprintln(os.Stderr, "the peak of memory is known on Linux only:", err)
		os.Exit(1)
	}
	for lines := bufio.NewScanner(status); lines.Scan(); {
		if kilobytes, found := strings.CutPrefix(lines.Text(), "VmHWM:"); found {
			n, err := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(kilobytes, "kB")))
			if err == nil {
				fmt.Println(n * 1024)
			}
		}
	}
}
