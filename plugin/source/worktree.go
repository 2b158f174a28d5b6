package source

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/render/manifest"
)

// WorkTree is a directory of this machine as the tree of the files in it: what is git's own (.git, that of a submodule too) is not there,
// whatever leads to it. A checkout may leave a token in there, and a link, a kustomization or a Flux object could bring it into an answer.
func WorkTree(directory fs.FS) fs.FS { return workTree{directory} }

type workTree struct{ directory fs.FS }

// isGits tells whether a name is of what is git's own. A disk that does not mind capitals knows it by others, too.
func isGits(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(step string) bool { return strings.EqualFold(step, ".git") })
}

// real follows the links of a name.
func (t workTree) real(op, name string) (string, error) {
	if !fs.ValidPath(name) {
		return "", &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	real, err := manifest.Real(t, name)
	if err != nil {
		return "", &fs.PathError{Op: op, Path: name, Err: err}
	}
	return real, nil
}

// Open opens a file or directory.
func (t workTree) Open(name string) (fs.File, error) {
	real, err := t.real("open", name)
	if err != nil {
		return nil, err
	}
	file, err := t.directory.Open(real)
	if directory, is := file.(fs.ReadDirFile); is {
		return openDirectory{directory}, err
	}
	return file, err
}

// Stat describes what a name leads to.
func (t workTree) Stat(name string) (fs.FileInfo, error) {
	real, err := t.real("stat", name)
	if err != nil {
		return nil, err
	}
	return fs.Stat(t.directory, real)
}

// ReadDir lists a directory.
func (t workTree) ReadDir(name string) ([]fs.DirEntry, error) {
	real, err := t.real("readdir", name)
	if err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(t.directory, real)
	return slices.DeleteFunc(entries, func(entry fs.DirEntry) bool { return isGits(entry.Name()) }), err
}

// Lstat describes a name; a link is a link.
func (t workTree) Lstat(name string) (fs.FileInfo, error) {
	if isGits(name) {
		return nil, &fs.PathError{Op: "lstat", Path: name, Err: fs.ErrNotExist}
	}
	return fs.Lstat(t.directory, name)
}

// ReadLink says where a link leads.
func (t workTree) ReadLink(name string) (string, error) {
	if isGits(name) {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrNotExist}
	}
	return fs.ReadLink(t.directory, name)
}

// openDirectory lists a directory that is open.
type openDirectory struct{ fs.ReadDirFile }

// ReadDir lists the next n entries, or all that are left.
func (d openDirectory) ReadDir(n int) ([]fs.DirEntry, error) {
	for {
		entries, err := d.ReadDirFile.ReadDir(n)
		entries = slices.DeleteFunc(entries, func(entry fs.DirEntry) bool { return isGits(entry.Name()) })
		if len(entries) > 0 || err != nil || n <= 0 {
			return entries, err
		}
	}
}
