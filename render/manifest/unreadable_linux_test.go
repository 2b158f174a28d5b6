package manifest

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWalkUnreadable: a file or folder without permission is an error, and the rest is read.
func TestWalkUnreadable(t *testing.T) {
	root := tree(t, map[string]string{"a.yaml": "", "b.yaml": "", "sub/c.yaml": ""})
	for name, mode := range map[string]os.FileMode{"..": 0o755, "a.yaml": 0, "sub": 0} {
		if err := os.Chmod(filepath.Join(root, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	var names, findings []string
	unprivileged(t, func() { names, findings = walk(t, root, Limits{}) })
	want := []string{"a.yaml: RD1007 cannot be read: permission denied", "sub: RD1007 cannot be read: permission denied"}
	if !cmp.Equal(names, []string{"b.yaml"}) || !cmp.Equal(findings, want) {
		t.Error(names, findings)
	}
}

// unprivileged runs a function so that permissions bind it: the superuser (in a container, tests are often run by them)
// acts on files as nobody meanwhile, on this thread alone.
func unprivileged(t *testing.T, run func()) {
	t.Helper()
	if os.Getuid() != 0 {
		run()
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := syscall.Setfsuid(65534); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := syscall.Setfsuid(0); err != nil {
			t.Error(err)
		}
	}()
	run()
}
