package programs

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestFindLooksInAbsolutePlacesOnly(t *testing.T) {
	good := t.TempDir()
	t.Chdir(t.TempDir())
	for _, name := range []string{filepath.Join(good, "tool"), "tool", "here"} {
		if err := os.WriteFile(name, []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(good, "text"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", strings.Join([]string{".", "", "bin", good}, string(os.PathListSeparator)))
	if found, err := Find("tool"); err != nil || found != filepath.Join(good, "tool") {
		t.Errorf("Find = %q, %v", found, err)
	}
	for _, name := range []string{"here", "text", "nowhere"} {
		if found, err := Find(name); !errors.Is(err, exec.ErrNotFound) {
			t.Errorf("Find(%q) = %q, %v", name, found, err)
		}
	}
	if Path() != good {
		t.Errorf("Path = %q", Path())
	}
}
