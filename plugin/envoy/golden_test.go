package envoy_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/files"
)

// goldenDifferences compares the files of a rendering with those in <case>.want, or rewrites these with -update.
func (c testCase) goldenDifferences(t *testing.T, rendering *render.Rendering) []string {
	t.Helper()
	got := map[string]string{}
	for _, gateway := range rendering.Gateways {
		encoded, err := files.Encode(gateway.Files, files.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range encoded {
			got[gateway.Files.Name+"/"+file.Path] = string(file.Data)
		}
	}
	dir := c.path + ".want"
	if *update {
		writeGolden(t, dir, got)
	}
	if difference := cmp.Diff(readGolden(t, dir), got); difference != "" {
		return []string{fmt.Sprintf("the rendering is not that of %s (-want +got; `make golden` rewrites it):\n%s", dir, difference)}
	}
	return nil
}

func readGolden(t *testing.T, dir string) map[string]string {
	t.Helper()
	want := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		want[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return want
}

func writeGolden(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
