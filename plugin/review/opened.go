package review

import (
	"io/fs"
	"strings"
	"sync"
)

// opened is a directory that notes which of its files are opened, so that whoever says what was read knows it: a kustomization of a work
// tree reads bases and patches that stand beside it, and no part of the report is theirs.
type opened struct {
	fs.FS
	mutex sync.Mutex
	names map[string]bool
}

func noteOpened(directory fs.FS) *opened { return &opened{FS: directory, names: map[string]bool{}} }

// Open opens a file or directory; a file is noted.
func (o *opened) Open(name string) (fs.File, error) {
	file, err := o.FS.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err == nil && !info.IsDir() {
		o.mutex.Lock()
		o.names[name] = true
		o.mutex.Unlock()
	}
	return file, nil
}

// Stat describes what a name leads to.
func (o *opened) Stat(name string) (fs.FileInfo, error) { return fs.Stat(o.FS, name) }

// ReadDir lists a directory.
func (o *opened) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(o.FS, name) }

// Lstat describes a name; a link is a link.
func (o *opened) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(o.FS, name) }

// ReadLink says where a link leads.
func (o *opened) ReadLink(name string) (string, error) { return fs.ReadLink(o.FS, name) }

// beside tells whether something outside of a path was opened.
func (o *opened) beside(inside string) bool {
	if o == nil || inside == "" {
		return false
	}
	for name := range o.names {
		if name != inside && !strings.HasPrefix(name, inside+"/") {
			return true
		}
	}
	return false
}

// other tells whether a file was opened that is none of some.
func (o *opened) other(names []string) bool {
	known := make(map[string]bool, len(names))
	for _, name := range names {
		known[name] = true
	}
	for name := range o.names {
		if !known[name] {
			return true
		}
	}
	return false
}
