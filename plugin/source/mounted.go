package source

import (
	"io/fs"
	"strings"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// mounted is a tree in which other trees stand too, below names that no listing shows.
type mounted struct {
	fs.FS
	places map[string]mount
}

// mount is a tree that was fetched.
type mount struct {
	tree fs.FS
	// at is the line of the tree itself for which it was.
	at diagnostic.Position
}

// mount adds a tree below a name, for the first who asks: a line of the tree itself, or of a tree that was fetched for one.
func (m mounted) mount(name string, tree fs.FS, at diagnostic.Position) {
	if _, known := m.places[name]; known {
		return
	}
	if place, below := m.placeOf(at.File); below {
		at = place.at
	}
	m.places[name] = mount{tree, at}
}

// placeOf is the mount that has a name.
func (m mounted) placeOf(name string) (mount, bool) {
	for place, mount := range m.places {
		if name == place || isBelow(name, place) {
			return mount, true
		}
	}
	return mount{}, false
}

// of is the tree that has a name, and the name in it.
func (m mounted) of(name string) (fs.FS, string) {
	for place, mount := range m.places {
		if name == place {
			return mount.tree, "."
		}
		if inside, below := strings.CutPrefix(name, place+"/"); below {
			return mount.tree, inside
		}
	}
	return m.FS, name
}

// isAbove tells whether a name is a directory only because something is mounted below it.
func (m mounted) isAbove(name string) bool {
	for place := range m.places {
		if strings.HasPrefix(place, name+"/") {
			return true
		}
	}
	return false
}

// Open opens a file or directory.
func (m mounted) Open(name string) (fs.File, error) {
	tree, inside := m.of(name)
	return tree.Open(inside)
}

// Stat describes what a name leads to.
func (m mounted) Stat(name string) (fs.FileInfo, error) {
	tree, inside := m.of(name)
	return fs.Stat(tree, inside)
}

// ReadDir lists a directory.
func (m mounted) ReadDir(name string) ([]fs.DirEntry, error) {
	tree, inside := m.of(name)
	return fs.ReadDir(tree, inside)
}

// Lstat describes a name; a link is a link.
func (m mounted) Lstat(name string) (fs.FileInfo, error) {
	if m.isAbove(name) {
		return fs.Stat(m.FS, ".")
	}
	tree, inside := m.of(name)
	return fs.Lstat(tree, inside)
}

// ReadLink says where a link leads.
func (m mounted) ReadLink(name string) (string, error) {
	tree, inside := m.of(name)
	return fs.ReadLink(tree, inside)
}
