//go:build corpus

package envoy_test

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"testing"

	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/manifest/manifesttest"
)

// TestCorpusRenderingsLoad lets Envoy validate the merged static form of what other people's manifests are rendered to, as they are
// reviewed: what is not in an input is assumed.
func TestCorpusRenderingsLoad(t *testing.T) {
	inputs, err := manifesttest.Corpus(filepath.Join(os.Getenv("ROUTEDELTA_CORPUS"), "manifests"))
	if err != nil || len(inputs) == 0 {
		t.Fatalf("ROUTEDELTA_CORPUS names the corpus: %d inputs, %v", len(inputs), err)
	}
	seen := map[[sha256.Size]byte]bool{}
	for _, input := range inputs {
		for _, gateway := range renderInput(t, input) {
			if digest := digestOf(t, gateway.Files); !seen[digest] {
				seen[digest] = true
				t.Run(input.Name+"/"+gateway.Files.Name, func(t *testing.T) {
					t.Parallel()
					if err := envoytest.Validate(t, gateway.Files); err != nil {
						t.Error(err)
					}
				})
			}
		}
	}
	t.Logf("%d renderings that differ", len(seen))
}

func renderInput(t *testing.T, input manifesttest.Input) []render.Gateway {
	t.Helper()
	var sources []manifest.Source
	for _, file := range input.Files {
		sources = append(sources, manifest.Source{Name: file.Name, Data: file.Data})
	}
	objects, _ := manifest.Read(t.Context(), sources, manifest.Limits{})
	rendering, err := render.Render(t.Context(), objects, render.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return rendering.Gateways
}

// digestOf is equal for renderings that say the same.
func digestOf(t *testing.T, set *files.Set) [sha256.Size]byte {
	t.Helper()
	encoded, err := files.Encode(set, files.Options{Form: files.Static})
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for _, file := range encoded {
		all = append(all, file.Data...)
	}
	return sha256.Sum256(all)
}
