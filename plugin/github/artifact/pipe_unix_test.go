//go:build unix

package artifact

import (
	"path/filepath"
	"syscall"
	"testing"
)

// TestPipe: whoever opened one would wait for ever.
func TestPipe(t *testing.T) {
	dir := makeFolder(t, good()[1:])
	if err := syscall.Mkfifo(filepath.Join(dir, ReportName), 0o644); err != nil {
		t.Fatal(err)
	}
	requireRefused(t, dir, "no plain file")
}
