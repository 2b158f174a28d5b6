package source

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
)

func TestWorkTreeHasNoGit(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		".git/config": "token", "sub/.git": "gitdir: x", "sub/a.yaml": "a", "b.yaml": "b", ".gitattributes": "c",
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755), os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{"link.yaml": ".git/config", "objects": ".git", "sub/up": "../.git", "sub/b.yaml": "../b.yaml"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	tree := WorkTree(root.FS())
	for _, name := range []string{".git", ".git/config", ".GIT/config", "sub/.git", "link.yaml", "objects", "objects/config", "sub/up/config", "sub/../.git/config"} {
		if text, err := fs.ReadFile(tree, name); err == nil {
			t.Errorf("%s is %q", name, text)
		}
		if _, err := fs.Stat(tree, name); err == nil {
			t.Errorf("%s is there", name)
		}
		if entries, err := fs.ReadDir(tree, name); err == nil {
			t.Errorf("%s has %v", name, entries)
		}
	}
	if text, err := fs.ReadFile(tree, "sub/b.yaml"); err != nil || string(text) != "b" {
		t.Errorf("a link inside: %q, %v", text, err)
	}
	for _, link := range []string{"link.yaml", "objects", "sub/up", "sub/b.yaml"} {
		if err := root.Remove(link); err != nil {
			t.Fatal(err)
		}
	}
	if err := fstest.TestFS(tree, "b.yaml", "sub/a.yaml", ".gitattributes"); err != nil {
		t.Error(err)
	}
}
