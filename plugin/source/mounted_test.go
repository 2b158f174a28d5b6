package source

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

// TestMounted: what was fetched is found below its name and in no listing, a link in it leads nowhere that a link of the tree does not, and
// the line for which it was fetched is one that people have.
func TestMounted(t *testing.T) {
	tree := mounted{WorkTree(fstest.MapFS{
		"kustomization.yaml": {Data: []byte("own")},
		".git/config":        {Data: []byte("token")},
	}), map[string]mount{}}
	line := diagnostic.Position{File: "kustomization.yaml", Line: 3}
	tree.mount("<git.example/base@v1>", fstest.MapFS{
		"deploy/a.yaml": {Data: []byte("fetched")},
		"deploy/here":   {Data: []byte("a.yaml"), Mode: fs.ModeSymlink},
		"deploy/own":    {Data: []byte("../../../kustomization.yaml"), Mode: fs.ModeSymlink},
		"deploy/token":  {Data: []byte("../../../.git/config"), Mode: fs.ModeSymlink},
		"deploy/out":    {Data: []byte("../../../../etc/passwd"), Mode: fs.ModeSymlink},
	}, line)
	tree.mount("<git.example/more>", fstest.MapFS{"b.yaml": {Data: []byte("more")}}, diagnostic.Position{File: "<git.example/base@v1>/deploy/kustomization.yaml", Line: 9})
	for name, want := range map[string]string{
		"<git.example/base@v1>/deploy/a.yaml": "fetched",
		"<git.example/base@v1>/deploy/here":   "fetched",
		"<git.example/base@v1>/deploy/own":    "own",
		"<git.example/more>/b.yaml":           "more",
		"kustomization.yaml":                  "own",
	} {
		real, err := manifest.Real(tree, name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if text, err := fs.ReadFile(tree, real); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	for _, name := range []string{"<git.example/base@v1>/deploy/token", "<git.example/base@v1>/deploy/out", "<git.example/base@v2>/deploy/a.yaml", ".git/config"} {
		real, err := manifest.Real(tree, name)
		if err == nil {
			_, err = fs.ReadFile(tree, real)
		}
		if err == nil {
			t.Errorf("%s can be read", name)
		}
	}
	if entries, err := fs.ReadDir(tree, "."); err != nil || len(entries) != 1 {
		t.Error(entries, err)
	}
	for _, name := range []string{"<git.example/base@v1>/deploy/a.yaml", "<git.example/more>/b.yaml"} {
		if place, is := tree.placeOf(name); !is || place.at != line {
			t.Errorf("%s is led to %v", name, place.at)
		}
	}
}
