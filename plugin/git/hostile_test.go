package git

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// past is a modification time that no commit has given a file.
var past = time.Unix(1_600_000_000, 0)

func everything(string) bool { return true }

// snapshot lists every file below a directory with its contents and mode.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	var lines []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		lines = append(lines, fmt.Sprintf("%s %s %x", path, d.Type(), sha256.Sum256(data)))
		return err
	})
	must(t, err)
	return strings.Join(lines, "\n")
}

func diffLines(before, after string) string {
	var changed []string
	for line := range strings.SplitSeq(after, "\n") {
		if !strings.Contains(before, line) {
			changed = append(changed, line)
		}
	}
	return strings.Join(changed, "\n")
}

// TestConfigurationRunsNothing: a repository whose own configuration names a program in every place that reading could meet.
func TestConfigurationRunsNothing(t *testing.T) {
	f := newFixture(t)
	f.commit(map[string]string{"apps/a.yaml": "a", ".gitattributes": "* filter=evil diff=evil\n"})
	f.commit(map[string]string{"apps/b.yaml": "b"})
	witness := filepath.Join(filepath.Dir(f.dir), "witness")
	program := filepath.Join(filepath.Dir(f.dir), "program")
	must(t, os.WriteFile(program, []byte("#!/bin/sh\necho \"$0 $*\" >> '"+witness+"'\ncat\n"), 0o755))
	must(t, os.MkdirAll(filepath.Join(filepath.Dir(f.dir), "hooks"), 0o755))
	must(t, os.Symlink(program, filepath.Join(filepath.Dir(f.dir), "hooks", "post-index-change")))
	for _, pair := range [][2]string{
		{"core.fsmonitor", program}, {"core.hooksPath", filepath.Join(filepath.Dir(f.dir), "hooks")},
		{"filter.evil.clean", program}, {"filter.evil.smudge", program}, {"filter.evil.required", "true"},
		{"filter.a=b.process", program}, {"diff.evil.textconv", program}, {"diff.evil.command", program}, {"diff.external", program},
		{"log.showSignature", "true"}, {"gpg.program", program}, {"core.pager", program}, {"pager.log", program},
		{"core.sshCommand", program}, {"core.alternateRefsCommand", program}, {"core.editor", program},
		{"protocol.ext.allow", "always"}, {"remote.origin.url", "ext::" + program}, {"remote.origin.promisor", "true"},
		{"remote.origin.partialclonefilter", "blob:none"}, {"credential.helper", program},
		{"log.follow", "true"}, {"log.showRoot", "false"}, {"color.ui", "always"}, {"core.quotePath", "true"},
	} {
		f.git("config", pair[0], pair[1])
	}
	must(t, os.Chtimes(filepath.Join(f.dir, "apps/a.yaml"), past, past))

	everyCall(t, f.open())
	if text, err := os.ReadFile(witness); err == nil {
		t.Fatalf("a program of the configuration ran:\n%s", text)
	}
	t.Run("a missing object is not fetched", func(t *testing.T) {
		r := f.open()
		blob := f.git("rev-parse", "HEAD:apps/a.yaml")
		must(t, os.Remove(filepath.Join(f.dir, ".git/objects", blob[:2], blob[2:])))
		if _, err := r.Files(t.Context(), f.resolve(r, "HEAD"), "", everything, Limits{}); err == nil {
			t.Error("Files read an object that is not there")
		}
		if text, err := os.ReadFile(witness); err == nil {
			t.Fatalf("a program of the configuration ran:\n%s", text)
		}
	})
	t.Run("plain git runs it", func(t *testing.T) {
		cmd := exec.Command("git", "status")
		cmd.Dir = f.dir
		_ = cmd.Run()
		if _, err := os.Stat(witness); err != nil {
			t.Error("plain git runs nothing either: this test shows nothing")
		}
	})
}

func TestEmbeddedRepositoryIsNotUsed(t *testing.T) {
	f := newFixture(t)
	f.commit(map[string]string{"a.yaml": "a"})
	// A tree may hold what looks like a bare repository, with a configuration of its own.
	embedded := filepath.Join(f.dir, "vendor", "x")
	must(t, os.MkdirAll(filepath.Join(f.dir, "vendor"), 0o755))
	f.git("init", "--quiet", "--bare", embedded)
	if r, err := Open(t.Context(), embedded); err == nil {
		t.Fatalf("Open of an embedded bare repository = %+v", r)
	}
}

func TestEnvironment(t *testing.T) {
	got := environment([]string{"PATH=.:/bin:", "GIT_DIR=/elsewhere", "GIT_EXTERNAL_DIFF=evil", "LC_ALL=de_DE", "LANGUAGE=de", "HOME=/home/x"})
	text := strings.Join(got, "\n") + "\n"
	for _, want := range []string{"PATH=/bin\n", "HOME=/home/x\n", "LC_ALL=C\n", "GIT_TERMINAL_PROMPT=0\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("environment lacks %q", want)
		}
	}
	for _, bad := range []string{"GIT_DIR", "GIT_EXTERNAL_DIFF", "de_DE", "LANGUAGE"} {
		if strings.Contains(text, bad) {
			t.Errorf("environment keeps %s", bad)
		}
	}
}

func TestEnvironmentOfAHookIsIgnored(t *testing.T) {
	f := newFixture(t)
	want := f.commit(map[string]string{"a.yaml": "a"})
	t.Setenv("GIT_DIR", filepath.Join(t.TempDir(), "elsewhere"))
	r, err := Open(t.Context(), f.dir)
	must(t, err)
	if got := f.resolve(r, "HEAD").Hash; got != want {
		t.Errorf("HEAD = %s, want %s", got, want)
	}
}
