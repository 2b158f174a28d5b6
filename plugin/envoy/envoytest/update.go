package envoytest

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/routedelta/routedelta/render/files"
)

// Update brings the files to another rendering as they are brought in production: each new one is renamed into its place, what is named
// before what names it. The bootstrap stays as it is, and so does Envoy; it takes a moment to see them.
func (e *Envoy) Update(t testing.TB, set *files.Set) {
	t.Helper()
	a := &adaptation{root: e.root, echoes: e.echoes, datagrams: e.datagrams, ports: map[uint32]bool{}}
	adapted, err := a.set(set)
	if err != nil {
		t.Fatalf("adapting rendering %q: %v", set.Name, err)
	}
	encoded, err := files.Encode(adapted, files.Options{})
	if err != nil {
		t.Fatalf("encoding rendering %q: %v", set.Name, err)
	}
	config := filepath.Join(e.root, "config")
	for _, file := range slices.Backward(encoded[1:]) {
		if err := replace(config, file); err != nil {
			t.Fatalf("replacing %s: %v", file.Path, err)
		}
	}
	e.Served, e.ports = adapted, a.ports
}

func replace(config string, file files.File) error {
	target := filepath.Join(config, file.Path)
	if have, err := os.ReadFile(target); err == nil && bytes.Equal(have, file.Data) {
		return nil
	}
	staged := file.Path + ".new"
	if err := writeInside(config, staged, file.Data); err != nil {
		return err
	}
	return os.Rename(filepath.Join(config, staged), target)
}
