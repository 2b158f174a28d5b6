package envoytest

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/routedelta/routedelta/render/files"
)

// Validate has Envoy check a rendering in its static form, without serving it. This finds what no counter of a running
// Envoy tells: a route to a cluster that does not exist, an unknown field, a mirror to nowhere (envoy-files, section 3).
func Validate(t testing.TB, set *files.Set) error {
	t.Helper()
	config := filepath.Join(newRoot(t), "config")
	bootstrap, err := writeSet(config, set, files.Options{Form: files.Static})
	if err != nil {
		return fmt.Errorf("writing rendering %q: %w", set.Name, err)
	}
	command := exec.Command(Binary(t), "--mode", "validate", "-c", bootstrap, "--log-level", "error")
	command.Dir = config
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("Envoy does not take the static form of rendering %q: %w\n%s", set.Name, err, output)
	}
	return nil
}
