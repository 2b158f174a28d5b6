package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/render/manifest/manifesttest"
)

// caller is a program of the Makefile that calls the function: from the variable of its name, or from where make puts it.
func caller(t *testing.T, name string) string {
	t.Helper()
	program := os.Getenv(strings.ToUpper(name))
	if program == "" {
		program = filepath.Join("..", "..", ".local", "bin", name)
	}
	program, err := filepath.Abs(program)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(program); err != nil {
		t.Fatalf("%v: make %s", err, name)
	}
	return program
}

// call runs a program in a folder and gives its output. routedelta is in its PATH.
func call(t *testing.T, dir, program string, arguments ...string) []byte {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, arguments...)
	command.Dir = dir
	var complaint bytes.Buffer
	command.Stderr = &complaint
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", command, err, complaint.Bytes()[max(0, complaint.Len()-2000):])
	}
	return out
}

// largePackage writes 500 objects of 1.5 MB with comments, in files of ten: a fleet of routes on two Gateways, and large ConfigMaps that
// have nothing to do with them.
func largePackage(t *testing.T, dir string) map[string]string {
	t.Helper()
	const objects = 500
	fleet := strings.Split(strings.TrimPrefix(string(manifesttest.Fleet(60)), "---\n"), "---\n")
	files := map[string]string{}
	for i := range objects {
		name := fmt.Sprintf("objects-%02d.yaml", i/10)
		document := fmt.Sprintf("apiVersion: v1\nkind: ConfigMap # large\nmetadata: {name: c%d, namespace: infra}\ndata:\n  text: |\n%s", i,
			strings.Repeat("    a line of the text\n", 300))
		if i < len(fleet) {
			document = "# of the fleet\n" + strings.Replace(fleet[i], "spec:\n", "spec: # of it\n", 1)
		}
		if i%10 > 0 {
			document = "---\n" + document
		}
		files[name] += document
	}
	size := 0
	for name, text := range files {
		size += len(text)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if size < 1_500_000 {
		t.Fatalf("the package has %d bytes only", size)
	}
	return files
}

// TestLargeUnderKustomize: of a build of 1.5 MB the function changes nothing, but adds its ConfigMaps.
func TestLargeUnderKustomize(t *testing.T) {
	kustomize, dir := caller(t, "kustomize"), t.TempDir()
	list := "resources:\n"
	for name := range largePackage(t, dir) {
		list += "- " + name + "\n"
	}
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, "kustomization.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(list)
	want := documents(call(t, dir, kustomize, "build", "."))
	write(list + "transformers:\n- |-\n" + indented(functionOf("exec:\n  path: routedelta\n")))
	have := documents(call(t, dir, kustomize, "build", "--enable-alpha-plugins", "--enable-exec", "."))
	for document := range want {
		if have[document] == 0 {
			t.Fatalf("kustomize gives another document without the function:\n%s", document[:min(len(document), 500)])
		}
		delete(have, document)
	}
	for document := range have {
		if !strings.Contains(document, "routedelta.dev/rendered: \"true\"") {
			t.Errorf("the function adds\n%s", document[:min(len(document), 500)])
		}
	}
	if len(have) != 2 {
		t.Errorf("%d ConfigMaps are added, want one for each Gateway", len(have))
	}
}

// documents counts the documents of a stream.
func documents(stream []byte) map[string]int {
	count := map[string]int{}
	for document := range strings.SplitSeq(string(stream), "---\n") {
		count[document]++
	}
	return count
}

// functionOf is the configuration of the function as kustomize calls it.
func functionOf(how string) string {
	return "apiVersion: routedelta.dev/v1alpha1\nkind: RouteDelta\nmetadata:\n  name: envoy\n  annotations:\n    config.kubernetes.io/function: |\n" +
		indented(indented(indented(how)))
}

func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("  " + line)
	}
	return b.String()
}

// TestLargeUnderKpt: of a package of 1.5 MB no file changes, and the ConfigMaps get files of their own; a second run changes nothing.
func TestLargeUnderKpt(t *testing.T) {
	kpt, dir := caller(t, "kpt"), t.TempDir()
	files := largePackage(t, dir)
	for range 2 {
		call(t, dir, kpt, "fn", "eval", ".", "--exec", "routedelta")
		for name, want := range files {
			have, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil || string(have) != want {
				t.Fatalf("%s is another one: %v", name, err)
			}
		}
		added, err := filepath.Glob(filepath.Join(dir, "*", "configmap_*-envoy*.yaml"))
		if err != nil || len(added) != 2 {
			t.Fatalf("%d files are added, want one for each Gateway: %v", len(added), err)
		}
		for _, name := range added {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files[strings.TrimPrefix(name, dir+"/")] = string(text)
		}
	}
}
