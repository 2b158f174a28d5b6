package source_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/plugin/source"
)

func rendered(ctx context.Context, tree fs.FS, path string, command ...string) (string, error) {
	collected, err := source.Collect(ctx, tree, source.Options{Path: path, Sources: config.Sources{RenderCommand: command}})
	if err != nil {
		return "", err
	}
	return string(collected.Texts[0].Data), nil
}

// TestCommandSeesTheTreeAlone: files with their modes and the links that stay inside, nothing else, in the directory that was named.
func TestCommandSeesTheTreeAlone(t *testing.T) {
	tree := fstest.MapFS{
		"apps/web/a.yaml":  {Data: []byte("a")},
		"apps/web/run.sh":  {Data: []byte("#!/bin/sh\necho ran\n"), Mode: 0o755},
		"base/b.yaml":      {Data: []byte("b")},
		"apps/web/base":    {Data: []byte("../../base"), Mode: fs.ModeSymlink},
		"apps/web/out":     {Data: []byte("../../../etc/passwd"), Mode: fs.ModeSymlink},
		"apps/web/abs":     {Data: []byte("/etc/passwd"), Mode: fs.ModeSymlink},
		"apps/web/nowhere": {Data: []byte("gone"), Mode: fs.ModeSymlink},
		".git/config":      {Data: []byte("[core]")},
		"apps/.git":        {Data: []byte("gitdir: /elsewhere")},
	}
	got, err := rendered(t.Context(), tree, "apps/web", "sh", "-c", "find ../.. | sort; cat base/b.yaml; ./run.sh")
	want := "../..\n../../apps\n../../apps/web\n../../apps/web/a.yaml\n../../apps/web/base\n../../apps/web/run.sh\n../../base\n../../base/b.yaml\nbran\n"
	if err != nil || got != want {
		t.Errorf("got\n%s%v\nwant\n%s", got, err, want)
	}
}

// TestCommandHasAnEmptyEnvironment: no token reaches it, and no place of PATH that depends on where one stands.
func TestCommandHasAnEmptyEnvironment(t *testing.T) {
	t.Setenv("GITHUB_TOKEN", "secret")
	t.Setenv("PATH", "."+string(filepath.ListSeparator)+os.Getenv("PATH"))
	got, err := rendered(t.Context(), fstest.MapFS{"a": {Data: []byte("a")}}, "", "env")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(got) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		names = append(names, name)
		if strings.Contains(value, "secret") || name == "PATH" && strings.HasPrefix(value, ".") || name == "HOME" && value == os.Getenv("HOME") {
			t.Errorf("it is given %s", line)
		}
	}
	slices.Sort(names)
	if want := []string{"HOME", "LC_ALL", "PATH", "TMPDIR", "TZ"}; !slices.Equal(names, want) {
		t.Errorf("it is given %q, want %q", names, want)
	}
}

// TestCommandLeavesNothing: neither files nor programs.
func TestCommandLeavesNothing(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	mark := filepath.Join(t.TempDir(), "late")
	if _, err := rendered(t.Context(), fstest.MapFS{"a": {Data: []byte("a")}}, "", "sh", "-c", "(sleep 1; touch "+mark+") >/dev/null 2>&1 & echo x"); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
	time.Sleep(1500 * time.Millisecond)
	if _, err := os.Stat(mark); err == nil {
		t.Error("a program that it started ran on")
	}
}

// TestCommandFailures: what is wrong is said in one line, and nothing is taken for an empty tree.
func TestCommandFailures(t *testing.T) {
	tree := fstest.MapFS{"a": {Data: []byte("a")}, "render": {Data: []byte("#!/bin/sh\n"), Mode: 0o755}}
	for name, test := range map[string]struct {
		command []string
		want    string
	}{
		"it fails":          {[]string{"sh", "-c", "printf 'one\\ntwo\\n\\033[31mred\\n' >&2; exit 3"}, `sh: exit status 3: one; two; \x1b[31mred`},
		"its own directory": {[]string{"sh", "-c", "echo $PWD/a >&2; exit 1"}, "sh: exit status 1: tree/a"},
		"of the tree":       {[]string{"./render"}, "./render: a program of the tree itself is not run"},
		"not there":         {[]string{"no-such-program"}, "no-such-program: it is not in PATH"},
		"endless":           {[]string{"sh", "-c", "cat /dev/zero"}, "sh: it printed more than 67108864 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := rendered(t.Context(), tree, "", test.command...)
			var failed *source.CommandError
			if !errors.As(err, &failed) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %v\nwant %s", err, test.want)
			}
		})
	}
	ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	if _, err := rendered(ctx, tree, "", "sleep", "60"); !strings.Contains(err.Error(), context.DeadlineExceeded.Error()) {
		t.Errorf("error is %v", err)
	}
	if _, err := rendered(t.Context(), tree, "nowhere", "true"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error of a path that is not there: %v", err)
	}
}
