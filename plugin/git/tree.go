package git

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// Modes of tree entries (git-fast-import(1), "filemodify"). Directories do not show up in a recursive listing, and submodules
// (160000) are somebody else's commits.
const (
	modeFile       = "100644"
	modeExecutable = "100755"
	modeLink       = "120000"
)

// entry is a file or a symbolic link of a tree.
type entry struct {
	name string // from the root of the repository, with slashes
	blob string
	link bool
}

// maxName bounds a path in a tree.
const maxName = 64 << 10

// list lists what is below a path ("" is everything) in the order of the tree: by name, bytewise.
func (r *Repository) list(ctx context.Context, commit Commit, path string, max int) ([]entry, error) {
	var entries []entry
	args := []string{"ls-tree", "-r", "-z", "--full-tree", commit.Hash, "--"}
	if path != "" {
		args = append(args, path)
	}
	err := r.git.stream(ctx, func(out io.Reader) error {
		records := bufio.NewScanner(out)
		records.Buffer(nil, maxName)
		records.Split(splitNUL)
		for records.Scan() {
			found, ok, err := parseEntry(records.Text())
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			if len(entries) == max {
				return &LimitError{What: "files in the tree of the commit", Limit: int64(max)}
			}
			entries = append(entries, found)
		}
		return records.Err()
	}, args...)
	if err != nil {
		return nil, fmt.Errorf("listing commit %s: %w", commit.Short, err)
	}
	return entries, nil
}

// parseEntry reads "<mode> <type> <hash>\t<name>". ok is false for what is no file and no link.
func parseEntry(record string) (e entry, ok bool, err error) {
	head, name, found := strings.Cut(record, "\t")
	fields := strings.Fields(head)
	if !found || len(fields) != 3 {
		return entry{}, false, fmt.Errorf("git ls-tree: record %q", record)
	}
	if name == "." || !fs.ValidPath(name) {
		// git itself never writes such a name; a tree made by hand may hold one.
		return entry{}, false, fmt.Errorf("the tree holds the name %q: the repository is damaged or hostile", name)
	}
	switch fields[0] {
	case modeFile, modeExecutable, modeLink:
		return entry{name: name, blob: fields[2], link: fields[0] == modeLink}, true, nil
	case "100664": // written by git of 2005, still found in old repositories
		return entry{name: name, blob: fields[2]}, true, nil
	}
	return entry{}, false, nil
}

// splitNUL is a bufio.SplitFunc for records that end in NUL.
func splitNUL(data []byte, atEOF bool) (advance int, token []byte, err error) {
	for i, b := range data {
		if b == 0 {
			return i + 1, data[:i], nil
		}
	}
	if atEOF && len(data) > 0 {
		return 0, nil, io.ErrUnexpectedEOF
	}
	return 0, nil, nil
}
