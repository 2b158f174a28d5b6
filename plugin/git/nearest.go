package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strconv"
)

// Nearest leads lines of two commits to lines that the later one has: a remark is shown beside the file as it is now.
type Nearest struct {
	repository    *Repository
	before, after Commit
	files         map[string]*changedFile
}

// Nearest is for a pair of commits.
func (r *Repository) Nearest(before, after Commit) *Nearest {
	return &Nearest{repository: r, before: before, after: after, files: map[string]*changedFile{}}
}

// changedFile is what became of a file.
type changedFile struct {
	// lines of the later commit; 0 where the file is empty or not there.
	lines int
	// hunks in order; they are asked for only when a line of the earlier commit is.
	hunks []hunk
	known bool
}

// hunk replaces count lines from old on by added lines from now on. Without lines, old and now are those before the place (diff -U0).
type hunk struct{ old, count, now, added int }

// Line is a line of the later commit: the one that is asked for, where it is there; false where the file has none.
func (n *Nearest) Line(ctx context.Context, file string, line int) (int, bool, error) {
	found, err := n.file(ctx, file)
	if err != nil || found.lines == 0 || line < 1 {
		return 0, false, err
	}
	return min(line, found.lines), line <= found.lines, nil
}

// LineBefore is the line of the later commit that is nearest to one of the earlier commit: the same, where it stayed; else what stands in its
// place, or next to it. It is false where the file is gone.
func (n *Nearest) LineBefore(ctx context.Context, file string, line int) (int, bool, error) {
	found, err := n.file(ctx, file)
	if err != nil || found.lines == 0 || line < 1 {
		return 0, false, err
	}
	if !found.known {
		if found.hunks, err = n.repository.hunks(ctx, n.before, n.after, file); err != nil {
			return 0, false, err
		}
		found.known = true
	}
	return min(max(moved(found.hunks, line), 1), found.lines), true, nil
}

// moved is where a line of the earlier file is in the later one.
func moved(hunks []hunk, line int) int {
	shift := 0
	for _, h := range hunks {
		first := h.old
		if h.count == 0 {
			first++
		}
		switch {
		case line < first:
			return line + shift
		case line < h.old+h.count:
			return h.now + min(line-h.old, max(h.added-1, 0))
		}
		shift += h.added - h.count
	}
	return line + shift
}

func (n *Nearest) file(ctx context.Context, name string) (*changedFile, error) {
	if found := n.files[name]; found != nil {
		return found, nil
	}
	lines, err := n.repository.lines(ctx, n.after, name)
	if err != nil {
		return nil, err
	}
	n.files[name] = &changedFile{lines: lines}
	return n.files[name], nil
}

// lines counts those of a file of a commit; 0 where there is no such file.
func (r *Repository) lines(ctx context.Context, commit Commit, file string) (int, error) {
	if !fs.ValidPath(file) {
		return 0, nil
	}
	named := func(name string) bool { return name == file }
	found, err := r.Files(ctx, commit, file, named, Limits{})
	var missing *PathError
	switch {
	case errors.As(err, &missing), err == nil && len(found) == 0:
		return 0, nil
	case err != nil:
		return 0, err
	case found[0].Err != nil:
		return 0, nil
	}
	data := found[0].Data
	count := bytes.Count(data, []byte("\n"))
	if len(data) > 0 && data[len(data)-1] != '\n' {
		count++
	}
	return count, nil
}

// hunkHeader is "@@ -1,2 +3,4 @@"; a count of 1 is left out.
var hunkHeader = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// hunks compares a file of two commits.
func (r *Repository) hunks(ctx context.Context, before, after Commit, file string) ([]hunk, error) {
	var found []hunk
	err := r.git.stream(ctx, func(out io.Reader) error {
		reader := bufio.NewReader(out)
		for {
			// A line may be as long as its file: only its beginning is looked at.
			start, long, err := reader.ReadLine()
			for skipped := long; err == nil && skipped; {
				_, skipped, err = reader.ReadLine()
			}
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			if parts := hunkHeader.FindSubmatch(start); parts != nil {
				found = append(found, hunk{number(parts[1], 0), number(parts[2], 1), number(parts[3], 0), number(parts[4], 1)})
			}
		}
	}, "diff", "--unified=0", "--text", "--no-color", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-indent-heuristic", "--diff-algorithm=myers",
		before.Hash, after.Hash, "--", file)
	if err != nil {
		return nil, fmt.Errorf("comparing %s of two commits: %w", file, err)
	}
	return found, nil
}

// number of a header; what is left out is otherwise.
func number(digits []byte, otherwise int) int {
	n, err := strconv.Atoi(string(digits))
	if err != nil {
		return otherwise
	}
	return n
}
