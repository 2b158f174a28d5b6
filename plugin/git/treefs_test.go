package git

import (
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func openTree(t *testing.T, f *fixture) *Tree {
	t.Helper()
	r := f.open()
	tree, err := r.Tree(t.Context(), f.resolve(r, "HEAD"), Limits{})
	must(t, err)
	t.Cleanup(func() { must(t, tree.Close()) })
	return tree
}

// TestTree holds the tree of a commit to what the standard library wants of a file system.
func TestTree(t *testing.T) {
	f := newFixture(t)
	f.commit(map[string]string{"apps/shop/a.yaml": "A", "apps/b.yaml": "B", "link.yaml": "-> apps/b.yaml", "folder": "-> apps/shop", "dir/one": "1", ".hidden": "H"})
	f.write(map[string]string{"apps/b.yaml": "changed in the work tree"})
	tree := openTree(t, f)
	must(t, fstest.TestFS(tree, "apps/shop/a.yaml", "apps/b.yaml", "link.yaml", "folder", "dir/one"))
	for name, want := range map[string]string{"apps/b.yaml": "B", "link.yaml": "B", "folder/a.yaml": "A", ".hidden": "H"} {
		if got, err := fs.ReadFile(tree, name); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// TestTreeStaysInside: no name and no link opens anything that is not in the commit.
func TestTreeStaysInside(t *testing.T) {
	f := newFixture(t)
	f.commit(map[string]string{
		"a/out": "-> ../../x", "a/absolute": "-> /etc/passwd", "a/loop": "-> loop", "a/nothing": "-> b", "a/up": "-> ..", "a/f": "F",
	})
	f.write(map[string]string{"untracked": "U"})
	tree := openTree(t, f)
	for name, want := range map[string]error{
		"a/out": ErrOutside, "a/absolute": ErrOutside, "a/loop": fs.ErrNotExist, "a/nothing": fs.ErrNotExist, "untracked": fs.ErrNotExist,
		"../x": fs.ErrInvalid, "/etc/passwd": fs.ErrInvalid, "a/f/g": fs.ErrNotExist, ".git/config": fs.ErrNotExist,
	} {
		if _, err := tree.Open(name); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	if got, err := fs.ReadFile(tree, "a/up/a/up/a/f"); err != nil || string(got) != "F" {
		t.Error(got, err)
	}
	if target, err := fs.ReadLink(tree, "a/absolute"); err != nil || target != "/etc/passwd" {
		t.Error(target, err)
	}
}

// TestTreeOfNothing: a commit of no files is a directory of none.
func TestTreeOfNothing(t *testing.T) {
	f := newFixture(t)
	f.git("commit", "-q", "--allow-empty", "-m", "nothing")
	entries, err := fs.ReadDir(openTree(t, f), ".")
	if diff := cmp.Diff(0, len(entries)); diff != "" || err != nil {
		t.Error(diff, err)
	}
}
