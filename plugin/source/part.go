package source

import (
	"io/fs"
	"path"
	"slices"
)

// Only is what a tree has of some files, and nothing else: of a work tree, those that a commit of it would have.
func Only(tree fs.FS, files []string) fs.FS {
	names := map[string]bool{".": true}
	for _, name := range files {
		for ; !names[name]; name = path.Dir(name) {
			names[name] = true
		}
	}
	return part{tree, func(name string) bool { return names[name] }}
}

// without is a tree but for what the configuration leaves out: by patterns of path.Match from the root of the tree, each of which takes
// what is below along.
func without(tree fs.FS, patterns []string) fs.FS {
	return part{tree, func(name string) bool {
		for ; name != "." && name != "/"; name = path.Dir(name) {
			if slices.ContainsFunc(patterns, func(pattern string) bool {
				matches, err := path.Match(path.Clean(pattern), name)
				return matches && err == nil // a broken pattern is refused with the configuration
			}) {
				return false
			}
		}
		return true
	}}
}

// part is what a tree has of the names for which has is true.
type part struct {
	tree fs.FS
	has  func(name string) bool
}

func (p part) check(op, name string) error {
	if !p.has(name) {
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return nil
}

// Open opens a file.
func (p part) Open(name string) (fs.File, error) {
	if err := p.check("open", name); err != nil {
		return nil, err
	}
	return p.tree.Open(name)
}

// Lstat describes a file or a link.
func (p part) Lstat(name string) (fs.FileInfo, error) {
	if err := p.check("lstat", name); err != nil {
		return nil, err
	}
	return fs.Lstat(p.tree, name)
}

// ReadLink says where a link leads.
func (p part) ReadLink(name string) (string, error) {
	if err := p.check("readlink", name); err != nil {
		return "", err
	}
	return fs.ReadLink(p.tree, name)
}

// ReadDir lists a directory.
func (p part) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := p.check("readdir", name); err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(p.tree, name)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return !p.has(path.Join(name, e.Name())) }), err
}
