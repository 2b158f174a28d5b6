package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routedelta/routedelta/render/schema/internal/bundle"
)

// TestFresh: what is embedded is made of the module of the Gateway API that this module requires.
func TestFresh(t *testing.T) {
	module, err := findModule()
	if err != nil {
		t.Fatal(err)
	}
	want, err := build(filepath.Join(module, "config", "crd"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("../../crds.zip")
	if err != nil {
		t.Fatal(err)
	}
	archive, err := bundle.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), archive.Names()); diff != "" {
		t.Fatalf("run go generate ./render/schema: %s", diff)
	}
	for name, content := range want {
		if got, err := archive.Read(name); err != nil || !bytes.Equal(got, content) {
			t.Errorf("%s is stale (%v): run go generate ./render/schema", name, err)
		}
	}
}
