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
	return only{tree, names}
}

type only struct {
	tree  fs.FS
	names map[string]bool
}

func (o only) check(op, name string) error {
	if !o.names[name] {
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return nil
}

// Open opens a file.
func (o only) Open(name string) (fs.File, error) {
	if err := o.check("open", name); err != nil {
		return nil, err
	}
	return o.tree.Open(name)
}

// Lstat describes a file or a link.
func (o only) Lstat(name string) (fs.FileInfo, error) {
	if err := o.check("lstat", name); err != nil {
		return nil, err
	}
	return fs.Lstat(o.tree, name)
}

// ReadLink says where a link leads.
func (o only) ReadLink(name string) (string, error) {
	if err := o.check("readlink", name); err != nil {
		return "", err
	}
	return fs.ReadLink(o.tree, name)
}

// ReadDir lists a directory.
func (o only) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := o.check("readdir", name); err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(o.tree, name)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return !o.names[path.Join(name, e.Name())] }), err
}
