package render_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/manifest"
)

// FuzzRender: whatever the manifests, rendering them does not panic, and what comes out can be written.
func FuzzRender(f *testing.F) {
	paths, err := filepath.Glob("attach/testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(txtar.Parse(data).Files[0].Data, true)
	}
	f.Fuzz(func(t *testing.T, data []byte, assume bool) {
		objects, _ := manifest.Read(context.Background(), []manifest.Source{{Name: "f.yaml", Data: data}}, manifest.Limits{})
		options := render.Options{References: render.Strict}
		if assume {
			options.References = render.Assume
		}
		rendering, err := render.Render(context.Background(), objects, options)
		if err != nil {
			t.Fatal(err)
		}
		for _, gateway := range rendering.Gateways {
			if _, err := files.Encode(gateway.Files, files.Options{}); err != nil && !rendering.Diagnostics.HasErrors() {
				t.Errorf("files of %s: %v", gateway.Model.Name, err)
			}
		}
	})
}
