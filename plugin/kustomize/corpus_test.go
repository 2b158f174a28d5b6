//go:build corpus

package kustomize_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"testing"

	"github.com/routedelta/routedelta/plugin/kustomize"
)

// TestCorpus builds every kustomization of other people's repositories, as far as the corpus has them, and holds it against the real
// kustomize. Most name files that are not in the corpus: what is left of them is to be built all the same.
func TestCorpus(t *testing.T) {
	corpus := os.Getenv("ROUTEDELTA_CORPUS")
	trees, err := filepath.Glob(filepath.Join(corpus, "manifests", "gitops", "*"))
	if err != nil || len(trees) == 0 {
		t.Fatalf("no trees in %s: %v", corpus, err)
	}
	pairs, err := filepath.Glob(filepath.Join(corpus, "pairs", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	whole, parts := 0, 0
	for _, directory := range append(trees, pairs...) {
		root, err := os.OpenRoot(directory)
		if err != nil {
			continue // a file of the corpus itself
		}
		err = fs.WalkDir(root.FS(), ".", func(name string, _ fs.DirEntry, err error) error {
			if err != nil || !kustomize.IsFile(name) {
				return err
			}
			built, err := kustomize.Build(t.Context(), root.FS(), path.Dir(name), kustomize.Options{})
			switch {
			case err != nil:
				t.Errorf("%s/%s: %v", filepath.Base(directory), name, err)
			case len(built.LeftOut) > 0:
				parts++
			default:
				whole++
				same(t, directory, root.FS(), path.Dir(name))
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		_ = root.Close()
	}
	t.Logf("%d are as kustomize builds them, %d lack something that kustomize wants", whole, parts)
	if whole == 0 {
		t.Error("none could be compared")
	}
}
