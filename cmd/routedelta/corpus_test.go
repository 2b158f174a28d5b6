//go:build corpus

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routedelta/routedelta/diff/report"
)

// corpusGoldens hold what we judge right of the corpus. They hold no manifests, and nothing but what the command prints.
const corpusGoldens = "../../testdata/corpus"

// corpus is a folder of the corpus that ROUTEDELTA_CORPUS names.
func corpus(t *testing.T, folder string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(os.Getenv("ROUTEDELTA_CORPUS"), folder, "*", ""))
	if err != nil || os.Getenv("ROUTEDELTA_CORPUS") == "" {
		t.Fatal("want the directory of the corpus in ROUTEDELTA_CORPUS")
	}
	found = slices.DeleteFunc(found, func(name string) bool { info, err := os.Stat(name); return err != nil || !info.IsDir() })
	if len(found) < 15 {
		t.Fatalf("%d directories in %s of the corpus", len(found), folder)
	}
	return found
}

// committed is a repository of a commit for each tree; "" is an empty one.
func committed(t *testing.T, trees ...string) string {
	t.Helper()
	dir := t.TempDir()
	git := func(arguments ...string) {
		t.Helper()
		command := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, arguments...)...)
		command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull)
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", arguments, err, out)
		}
	}
	git("init", "-q", "-b", "main")
	for _, tree := range trees {
		git("rm", "-rqf", "--ignore-unmatch", ".")
		if tree != "" {
			if err := os.CopyFS(dir, os.DirFS(tree)); err != nil {
				t.Fatal(err)
			}
		}
		git("add", "-A")
		git("commit", "-q", "--allow-empty", "-m", "state")
	}
	return dir
}

// said is what the command prints in a directory, with its exit code.
func said(t *testing.T, directory string, arguments ...string) (out, complaint string, code int) {
	t.Helper()
	t.Chdir(directory)
	var stdout, stderr bytes.Buffer
	code = run(t.Context(), arguments, streams{in: strings.NewReader(""), out: &stdout, err: &stderr, env: func(string) string { return "" }})
	return stdout.String(), stderr.String(), code
}

var (
	commitName = regexp.MustCompile(`(HEAD\^|main)@[0-9a-f]{7}`)
	command    = regexp.MustCompile(`(?m)^ +curl .*\n`)
)

// stable leaves out what differs from run to run, and commands, which are proved elsewhere.
func stable(text string) string {
	return command.ReplaceAllString(commitName.ReplaceAllString(text, "$1"), "")
}

// TestCorpusPairs compares two states of real repositories, from commits, and holds the answers against what a careful reader of the
// two says. The golden of a pair begins with that judgement, as lines with "#".
func TestCorpusPairs(t *testing.T) {
	for _, pair := range corpus(t, "pairs") {
		t.Run(filepath.Base(pair), func(t *testing.T) {
			repository := committed(t, filepath.Join(pair, "before"), filepath.Join(pair, "after"))
			golden := absolute(t, filepath.Join(corpusGoldens, "pairs", filepath.Base(pair)+".txt"))
			out, complaint, code := said(t, repository, "diff", "--base", "HEAD^")
			if code == codeInput {
				out = errorsIn(complaint)
			}
			hold(t, golden, stable(out)+fmt.Sprintf("exit code %d\n", code))
		})
	}
}

// errorsIn are the errors of what is said beside the answer.
func errorsIn(complaint string) string {
	var kept strings.Builder
	for line := range strings.Lines(complaint) {
		if strings.HasPrefix(line, "routedelta: error: ") {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// hold compares with a golden, behind its judgement.
func hold(t *testing.T, golden, got string) {
	t.Helper()
	text, err := os.ReadFile(golden)
	if err != nil && !*update {
		t.Fatal(err)
	}
	judgement, want := judged(string(text))
	if judgement == "" {
		t.Errorf("%s begins with no judgement: a line with # for what a careful reader says", golden)
	}
	if *update {
		if err := os.WriteFile(golden, []byte(judgement+got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if difference := cmp.Diff(want, got); difference != "" {
		t.Errorf("%s (-want +got):\n%s", golden, difference)
	}
}

// judged splits a golden into the lines with # that it begins with, and the rest.
func judged(golden string) (judgement, want string) {
	for line := range strings.Lines(golden) {
		if !strings.HasPrefix(line, "#") {
			break
		}
		judgement += line
	}
	return judgement, strings.TrimPrefix(golden, judgement)
}

func absolute(t *testing.T, name string) string {
	t.Helper()
	found, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestCorpusRepositories finds the clusters of real repositories, renders them, and keeps what was read of each and what was not, and why.
// Nothing may crash, and an error has to name its reason.
func TestCorpusRepositories(t *testing.T) {
	golden := absolute(t, filepath.Join(corpusGoldens, "repositories.txt"))
	var table strings.Builder
	for _, tree := range corpus(t, filepath.Join("manifests", "gitops")) {
		name := filepath.Base(tree)
		t.Run(name, func(t *testing.T) {
			repository := committed(t, "", tree)
			if _, complaint, code := said(t, repository, "init"); code != codeNothing {
				t.Fatalf("init: exit code %d: %s", code, complaint)
			}
			out, complaint, code := said(t, repository, "diff", "--base", "HEAD^", "--output", "json")
			if code != codeNothing && code != codeUndecided {
				t.Fatalf("diff: exit code %d: %s", code, complaint)
			}
			found, err := report.Decode(strings.NewReader(out))
			if err != nil {
				t.Fatal(err)
			}
			describe(&table, name, found)
			if out, _, _ := said(t, repository, "diff", "git:HEAD", "git:HEAD", "--config", ".routedelta.yaml"); !strings.Contains(out, "no request changes") {
				t.Errorf("compared with itself:\n%s", out)
			}
		})
	}
	hold(t, golden, table.String())
}

// describe writes what was read of a repository, and what was not.
func describe(b *strings.Builder, name string, r *report.Report) {
	fmt.Fprintf(b, "%s\n", name)
	for _, target := range r.Targets {
		fmt.Fprintf(b, "  target %s (%s): %s\n", target.Name, target.Path, target.State)
	}
	for _, g := range r.Gateways {
		fmt.Fprintf(b, "  gateway %s: %d rules, %d hosts\n", strings.TrimPrefix(g.Target+" "+g.Name, " "), g.Rules, g.Hosts)
	}
	forms := map[string]int{}
	for _, source := range r.Sources {
		if source.Unread == "" {
			forms[source.Form]++
		}
	}
	fmt.Fprintf(b, "  read: %v\n", forms)
	for _, source := range r.Sources {
		if source.Unread != "" {
			fmt.Fprintf(b, "  not read: %s (%s): %s\n", source.Path, source.Form, source.Unread)
		}
	}
	for _, u := range r.Uncompared {
		fmt.Fprintf(b, "  not compared: %s: %s\n", u.Object, u.Reason)
	}
	for _, u := range r.Undecided {
		fmt.Fprintf(b, "  not decided: %v: %s\n", u.Targets, u.Reason)
	}
}
