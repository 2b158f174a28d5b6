package manifest

import (
	"errors"
	"io/fs"
	"path"
	"strings"
)

// What can be wrong with a symbolic link.
var (
	// ErrOutside: it leads out of the tree. An absolute one does, wherever it leads.
	ErrOutside = errors.New("a symbolic link that leads out of the tree")
	// ErrDangling: it leads to nothing, or to itself.
	ErrDangling = errors.New("a symbolic link to a file that is not there")
)

// maxLinks bounds the links on the way to one file, as Linux does (path_resolution(7)).
const maxLinks = 40

// Real is the path in a tree that a name leads to when every symbolic link in it is followed. It is done here, step by step, for
// every kind of tree alike, so that nothing outside is ever asked for.
func Real(tree fs.FS, name string) (string, error) {
	real := "."
	rest := strings.Split(name, "/")
	for followed := 0; len(rest) > 0; {
		step := rest[0]
		rest = rest[1:]
		switch {
		case step == "" || step == ".":
			continue
		case step == ".." && real == ".":
			return "", ErrOutside
		case step == "..":
			real = path.Dir(real)
			continue
		}
		next := path.Join(real, step)
		info, err := fs.Lstat(tree, next)
		switch {
		case err != nil && followed > 0 && errors.Is(err, fs.ErrNotExist):
			return "", ErrDangling
		case err != nil:
			return "", err
		case info.Mode()&fs.ModeSymlink == 0:
			real = next
			continue
		}
		if followed++; followed > maxLinks {
			return "", ErrDangling
		}
		target, err := fs.ReadLink(tree, next)
		if err != nil {
			return "", err
		}
		if strings.HasPrefix(target, "/") {
			return "", ErrOutside
		}
		rest = append(strings.Split(target, "/"), rest...)
	}
	return real, nil
}
