package git

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// maxLinks bounds the links on the way to one file, as Linux does (path_resolution(7)).
const maxLinks = 40

// links resolves symbolic links inside a tree, as a work tree of the commit would, without there being one.
type links struct {
	// entries is the whole tree by name; dirs are the directories in it.
	entries map[string]entry
	dirs    map[string]bool
	sorted  []entry
	// target reads where a link leads.
	target func(blob string) (string, error)
}

func newLinks(tree []entry, target func(blob string) (string, error)) *links {
	l := &links{entries: make(map[string]entry, len(tree)), dirs: map[string]bool{"": true}, sorted: tree, target: target}
	for _, e := range tree {
		l.entries[e.name] = e
		for dir := path.Dir(e.name); dir != "." && !l.dirs[dir]; dir = path.Dir(dir) {
			l.dirs[dir] = true
		}
	}
	return l
}

// resolve follows every link in a name and returns the name of the file or directory that it stands for.
func (l *links) resolve(name string) (string, error) {
	var real string
	rest := strings.Split(name, "/")
	for followed := 0; len(rest) > 0; {
		part := rest[0]
		rest = rest[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			if real == "" {
				return "", ErrOutside
			}
			real = parent(real)
			continue
		}
		next := path.Join(real, part)
		e, isEntry := l.entries[next]
		switch {
		case isEntry && e.link:
			if followed++; followed > maxLinks {
				return "", fmt.Errorf("%w: too many links", ErrDangling)
			}
			target, err := l.target(e.blob)
			if err != nil {
				return "", err
			}
			if strings.HasPrefix(target, "/") {
				return "", ErrOutside
			}
			rest = append(strings.Split(target, "/"), rest...)
		case isEntry && len(rest) == 0, l.dirs[next]:
			real = next
		default:
			return "", ErrDangling
		}
	}
	return real, nil
}

// below are the entries in a directory and its directories.
func (l *links) below(dir string) []entry {
	if dir == "" {
		return l.sorted
	}
	var found []entry
	prefix := dir + "/"
	start, _ := slices.BinarySearchFunc(l.sorted, prefix, func(e entry, prefix string) int { return strings.Compare(e.name, prefix) })
	for _, e := range l.sorted[start:] {
		if !strings.HasPrefix(e.name, prefix) {
			break
		}
		found = append(found, e)
	}
	return found
}

func parent(name string) string {
	if dir := path.Dir(name); dir != "." {
		return dir
	}
	return ""
}
