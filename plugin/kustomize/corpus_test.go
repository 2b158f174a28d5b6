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
// kustomize. Most name files that are not in the corpus: they are built without these, as kustomize builds them where an empty file
// stands for each.
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
	compared, parts := 0, 0
	for _, directory := range append(trees, pairs...) {
		copied := t.TempDir()
		if err := os.CopyFS(copied, os.DirFS(directory)); err != nil {
			continue // a file of the corpus itself
		}
		for _, name := range kustomizationsIn(t, copied) {
			if comparable := completed(t, copied, name); !comparable {
				parts++
				continue
			}
			compared++
			root, err := os.OpenRoot(copied)
			if err != nil {
				t.Fatal(err)
			}
			same(t, copied, root.FS(), name)
			_ = root.Close()
		}
	}
	t.Logf("%d are as kustomize builds them, %d lack more than files of resources", compared, parts)
	if compared < 50 {
		t.Errorf("only %d could be compared", compared)
	}
}

// kustomizationsIn are the directories of a tree that are kustomizations.
func kustomizationsIn(t *testing.T, directory string) []string {
	t.Helper()
	var found []string
	err := fs.WalkDir(os.DirFS(directory), ".", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && kustomize.IsFile(name) {
			found = append(found, path.Dir(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// completed builds a kustomization, puts an empty file where one is missing, and tells whether nothing else is.
func completed(t *testing.T, directory, name string) bool {
	t.Helper()
	built, err := kustomize.Build(t.Context(), os.DirFS(directory), name, kustomize.Options{})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return false
	}
	for _, left := range built.LeftOut {
		if left.Why != kustomize.NotInTree || path.Ext(left.What) == "" {
			return false
		}
		missing := filepath.Join(directory, filepath.FromSlash(path.Join(path.Dir(left.Position.File), left.What)))
		if err := os.MkdirAll(filepath.Dir(missing), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(missing, []byte("# not in the corpus\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// A generator is left out for its first file that is missing.
	return len(built.LeftOut) == 0 || completed(t, directory, name)
}
