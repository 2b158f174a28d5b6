package git

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"
)

// Tree is a commit as a file system, of which only what is opened is read. Names are from the root of the repository. Symbolic links
// are followed inside of the commit, as a work tree of it would, and ReadLink says where they lead; submodules are not there.
//
// It is an fs.FS, with fs.ReadDirFS, fs.StatFS and fs.ReadLinkFS. Close it.
type Tree struct {
	ctx    context.Context
	links  *links
	listed map[string][]fs.DirEntry
	// asking: the conversations with git are one question, one answer.
	asking          sync.Mutex
	repository      *Repository
	sizes, contents *objects
}

// Tree opens a commit. Its answers end with ctx.
func (r *Repository) Tree(ctx context.Context, commit Commit, limits Limits) (*Tree, error) {
	entries, err := r.list(ctx, commit, "", limits.withDefaults().Entries)
	if err != nil {
		return nil, err
	}
	t := &Tree{ctx: ctx, repository: r, listed: map[string][]fs.DirEntry{}}
	t.links = newLinks(entries, t.target)
	if t.sizes, err = r.openObjects(ctx, false); err != nil {
		return nil, err
	}
	if t.contents, err = r.openObjects(ctx, true); err != nil {
		t.sizes.close()
		return nil, err
	}
	t.index(entries)
	return t, nil
}

// Close ends the conversations with git.
func (t *Tree) Close() error {
	t.sizes.close()
	t.contents.close()
	return nil
}

// index lists every directory, sorted by name.
func (t *Tree) index(entries []entry) {
	seen := map[string]bool{"": true}
	for _, e := range entries {
		t.addTo(parent(e.name), treeEntry{t, e, false})
		for dir := parent(e.name); !seen[dir]; dir = parent(dir) {
			seen[dir] = true
			t.addTo(parent(dir), treeEntry{t, entry{name: dir}, true})
		}
	}
	for _, children := range t.listed {
		slices.SortFunc(children, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	}
}

func (t *Tree) addTo(dir string, e treeEntry) { t.listed[dir] = append(t.listed[dir], e) }

// maxTarget is how long the target of a link may be: PATH_MAX of Linux.
const maxTarget = 4096

// target reads where a link leads.
func (t *Tree) target(blob string) (string, error) {
	t.asking.Lock()
	defer t.asking.Unlock()
	size, _, err := t.answer(t.sizes, blob)
	if err == nil && size > maxTarget {
		err = ErrDangling
	}
	if err != nil {
		return "", err
	}
	_, data, err := t.answer(t.contents, blob)
	return string(data), err
}

// answer asks git about a blob. Whoever calls holds the lock, and has asked for the size before the contents.
func (t *Tree) answer(conversation *objects, blob string) (int64, []byte, error) {
	err := conversation.ask(blob)
	if err == nil {
		var size int64
		var data []byte
		if size, data, err = conversation.answer(maxBlob); err == nil {
			return size, data, nil
		}
	}
	if t.ctx.Err() != nil {
		err = context.Cause(t.ctx)
	}
	return 0, nil, err
}

// maxBlob bounds a blob that is read whole. Whoever opens a file of a Tree asks its size first.
const maxBlob = 256 << 20

// find follows the links in a name.
func (t *Tree) find(op, name string, follow bool) (treeEntry, error) {
	failed := func(err error) (treeEntry, error) { return treeEntry{}, &fs.PathError{Op: op, Path: name, Err: err} }
	if !fs.ValidPath(name) {
		return failed(fs.ErrInvalid)
	}
	real := name
	if name == "." {
		real = ""
	}
	if !follow {
		if e, ok := t.links.entries[real]; ok {
			return treeEntry{t, e, false}, nil
		}
	}
	real, err := t.links.resolve(real)
	switch {
	case errors.Is(err, ErrDangling):
		return failed(fs.ErrNotExist)
	case err != nil:
		return failed(err)
	}
	if e, ok := t.links.entries[real]; ok {
		return treeEntry{t, e, false}, nil
	}
	return treeEntry{t, entry{name: real}, true}, nil
}

// Open opens a file or directory.
func (t *Tree) Open(name string) (fs.File, error) {
	e, err := t.find("open", name, true)
	if err != nil {
		return nil, err
	}
	if e.dir {
		return &openDirectory{treeEntry: e, rest: t.listed[e.name]}, nil
	}
	info, err := e.Info()
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &openFile{info: info, entry: e}, nil
}

// ReadDir lists a directory, sorted by name.
func (t *Tree) ReadDir(name string) ([]fs.DirEntry, error) {
	e, err := t.find("readdir", name, true)
	if err != nil {
		return nil, err
	}
	if !e.dir {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errors.New("not a directory")}
	}
	return slices.Clone(t.listed[e.name]), nil
}

// Stat describes what a name leads to.
func (t *Tree) Stat(name string) (fs.FileInfo, error) { return t.stat("stat", name, true) }

// Lstat describes a name; a link is a link.
func (t *Tree) Lstat(name string) (fs.FileInfo, error) { return t.stat("lstat", name, false) }

func (t *Tree) stat(op, name string, follow bool) (fs.FileInfo, error) {
	e, err := t.find(op, name, follow)
	if err != nil {
		return nil, err
	}
	return e.Info()
}

// ReadLink says where a link leads.
func (t *Tree) ReadLink(name string) (string, error) {
	e, err := t.find("readlink", name, false)
	if err == nil && !e.link {
		err = &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
	}
	if err != nil {
		return "", err
	}
	return t.target(e.blob)
}
