package fleet

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/routedelta/routedelta/render/files"
)

// validator has Envoy check the merged form of each rendering beside the run: a running Envoy tells nothing of a route to a cluster
// that does not exist, or of a mirror to nowhere; `envoy --mode validate` does.
type validator struct {
	envoy, directory string
	queue            chan check
	done             sync.WaitGroup
	// seen are the digests of renderings that are, or will be, checked.
	seen  map[string]bool
	mutex sync.Mutex
	err   error
}

type check struct {
	set *files.Set
	// directory is where the rendering's relative paths begin.
	directory string
}

func newValidator(envoy, directory string) *validator {
	v := &validator{envoy: envoy, directory: directory, queue: make(chan check, 10000), seen: map[string]bool{}}
	v.done.Go(func() {
		for next := range v.queue {
			if err := v.check(next); err != nil {
				v.mutex.Lock()
				v.err = errors.Join(v.err, err)
				v.mutex.Unlock()
			}
		}
	})
	return v
}

// add has a rendering checked, unless an equal one was.
func (v *validator) add(set *files.Set, directory string) {
	digest := files.Digest(set)
	if v.seen[digest] {
		return
	}
	v.seen[digest] = true
	v.queue <- check{set, directory}
}

func (v *validator) check(c check) error {
	encoded, err := files.Encode(c.set, files.Options{Form: files.Static})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(v.directory, 0o755); err != nil {
		return err
	}
	merged := filepath.Join(v.directory, strconv.Itoa(len(v.queue))+".json")
	if err := os.WriteFile(merged, encoded[0].Data, 0o644); err != nil {
		return err
	}
	command := exec.Command(v.envoy, "--mode", "validate", "-c", merged, "--log-level", "error")
	command.Dir = c.directory
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("Envoy does not take the merged form of rendering %s: %w\n%s", c.set.Name, err, output)
	}
	return nil
}

func (v *validator) count() int { return len(v.seen) }

// close waits for all checks.
func (v *validator) close() error {
	close(v.queue)
	v.done.Wait()
	return v.err
}
