package git

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path"
	"time"
)

// treeEntry is a file, a link or a directory of a Tree.
type treeEntry struct {
	tree *Tree
	entry
	dir bool
}

// Name is the last step of the path.
func (e treeEntry) Name() string { return path.Base("./" + e.name) }

// IsDir tells whether it is a directory.
func (e treeEntry) IsDir() bool { return e.dir }

// Type is what it is.
func (e treeEntry) Type() fs.FileMode {
	switch {
	case e.dir:
		return fs.ModeDir
	case e.link:
		return fs.ModeSymlink
	}
	return 0
}

// Info asks git for the size.
func (e treeEntry) Info() (fs.FileInfo, error) {
	if e.dir {
		return treeInfo{treeEntry: e}, nil
	}
	e.tree.asking.Lock()
	defer e.tree.asking.Unlock()
	size, _, err := e.tree.answer(e.tree.sizes, e.blob)
	return treeInfo{treeEntry: e, size: size}, err
}

// treeInfo is an entry with its size.
type treeInfo struct {
	treeEntry
	size int64
}

// Size of the contents.
func (i treeInfo) Size() int64 { return i.size }

// Mode lets everybody read: a commit knows no more.
func (i treeInfo) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir | 0o555
	}
	return i.Type() | 0o444
}

// ModTime is unknown: files of a commit have none.
func (i treeInfo) ModTime() time.Time { return time.Time{} }

// Sys is nil.
func (i treeInfo) Sys() any { return nil }

// openFile reads its contents at the first Read.
type openFile struct {
	info  fs.FileInfo
	entry treeEntry
	rest  *bytes.Reader
}

// Stat describes the file.
func (f *openFile) Stat() (fs.FileInfo, error) { return f.info, nil }

// Close does nothing.
func (f *openFile) Close() error { return nil }

// Read reads the contents.
func (f *openFile) Read(p []byte) (int, error) {
	if f.rest == nil {
		if f.info.Size() > maxBlob {
			return 0, &fs.PathError{Op: "read", Path: f.entry.name, Err: ErrTooLarge}
		}
		t := f.entry.tree
		t.asking.Lock()
		defer t.asking.Unlock()
		_, data, err := t.answer(t.contents, f.entry.blob)
		if err != nil {
			return 0, &fs.PathError{Op: "read", Path: f.entry.name, Err: err}
		}
		f.rest = bytes.NewReader(data)
	}
	return f.rest.Read(p)
}

// openDirectory is a directory that is being listed.
type openDirectory struct {
	treeEntry
	rest []fs.DirEntry
}

// Stat describes the directory.
func (d *openDirectory) Stat() (fs.FileInfo, error) { return d.Info() }

// Close does nothing.
func (d *openDirectory) Close() error { return nil }

// Read is refused.
func (d *openDirectory) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.name, Err: errors.New("is a directory")}
}

// ReadDir lists the next n entries, or all that are left.
func (d *openDirectory) ReadDir(n int) ([]fs.DirEntry, error) {
	if n > 0 && len(d.rest) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(d.rest) {
		n = len(d.rest)
	}
	listed := d.rest[:n]
	d.rest = d.rest[n:]
	return listed, nil
}
