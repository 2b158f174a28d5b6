package files

import (
	"crypto/sha256"
	"hash"
	"io/fs"
)

// Note is told of each file that is read, with the digest of the bytes that were read of it.
type Note func(name string, digest [sha256.Size]byte)

// noting is a tree that tells of what is read. Without a Note it is the tree itself.
func noting(tree fs.FS, note Note) fs.FS {
	if note == nil {
		return tree
	}
	return notedTree{tree, note}
}

type notedTree struct {
	tree fs.FS
	note Note
}

func (t notedTree) Open(name string) (fs.File, error) {
	file, err := t.tree.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return file, nil // a directory is listed, not read
	}
	return &notedFile{File: file, name: name, note: t.note, digest: sha256.New()}, nil
}

type notedFile struct {
	fs.File
	name   string
	note   Note
	digest hash.Hash
	read   bool
}

func (f *notedFile) Read(to []byte) (int, error) {
	n, err := f.File.Read(to)
	f.read = true
	f.digest.Write(to[:n])
	return n, err
}

func (f *notedFile) Close() error {
	if f.read {
		f.note(f.name, [sha256.Size]byte(f.digest.Sum(nil)))
	}
	return f.File.Close()
}
