package git

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// File is a file of a commit.
type File struct {
	// Name from the root of the repository, with slashes. A file that is reached by a link has the name of the link.
	Name string
	// Blob identifies the contents: equal blobs are equal bytes, in every commit.
	Blob string
	Data []byte
	// Err says why there is no Data: ErrOutside, ErrDangling, ErrTooLarge.
	Err error
}

// Limits of a reading. A zero field has the default that it states.
type Limits struct {
	Entries    int   // files in the whole tree: 2,000,000
	Files      int   // files that match: 200,000
	FileBytes  int64 // one file: 32 MiB; a larger one is reported, not read
	TotalBytes int64 // all files: 256 MiB
}

func (l Limits) withDefaults() Limits {
	return Limits{
		Entries:    cmp.Or(l.Entries, 2_000_000),
		Files:      cmp.Or(l.Files, 200_000),
		FileBytes:  cmp.Or(l.FileBytes, 32<<20),
		TotalBytes: cmp.Or(l.TotalBytes, 256<<20),
	}
}

// Files reads the files below a path ("" is the whole tree; a file is itself) whose names match, sorted by name. Submodules are
// left out. Symbolic links are followed inside the tree; a file that is reached by more than one name is read once, under its
// own name where that is below the path. A link that leads out of the tree is a File with ErrOutside whether its name matches
// or not, because it might be a directory; the caller decides what that means.
func (r *Repository) Files(ctx context.Context, commit Commit, name string, match func(name string) bool, limits Limits) ([]File, error) {
	limits = limits.withDefaults()
	name, err := cleanPath(name)
	if err != nil {
		return nil, err
	}
	entries, err := r.list(ctx, commit, name, limits.Entries)
	if err != nil {
		return nil, err
	}
	selection := &selection{match: match, read: map[string]bool{}, budget: limits.Entries}
	for _, e := range entries {
		if !e.link {
			selection.add(e.name, e)
		}
	}
	if linked := name != "" && len(entries) == 0; linked || slices.ContainsFunc(entries, func(e entry) bool { return e.link }) {
		if err := r.followLinks(ctx, commit, name, limits, selection); err != nil {
			return nil, err
		}
	}
	if len(selection.files) > limits.Files {
		return nil, &LimitError{What: "files below " + name, Limit: int64(limits.Files)}
	}
	slices.SortFunc(selection.files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return selection.files, r.load(ctx, selection.files, limits)
}

// cleanPath brings a path into the form of a tree's names, "" for the root.
func cleanPath(name string) (string, error) {
	clean := path.Clean("/" + name)[1:]
	if clean != "" && (!fs.ValidPath(clean) || clean != strings.Trim(path.Clean(name), "/")) {
		return "", fmt.Errorf("path %q: not a path inside a repository", name)
	}
	return clean, nil
}

// selection collects the files to read.
type selection struct {
	match func(string) bool
	files []File
	// read holds the own names of what is collected, and of the directories that were entered by a link.
	read map[string]bool
	// budget is how many entries may still be looked at: links to directories above each other make many of few.
	budget int
}

// add takes the file e under a name, once.
func (s *selection) add(name string, e entry) {
	if s.match(name) && !s.read[e.name] {
		s.read[e.name] = true
		s.files = append(s.files, File{Name: name, Blob: e.blob})
	}
}

// followLinks adds what the links below a path, or in the path itself, lead to. It needs the whole tree, which is why trees
// without links are spared it.
func (r *Repository) followLinks(ctx context.Context, commit Commit, name string, limits Limits, s *selection) error {
	tree, err := r.list(ctx, commit, "", limits.Entries)
	if err != nil {
		return err
	}
	targets, err := r.openObjects(ctx, true)
	if err != nil {
		return err
	}
	defer targets.close()
	links := newLinks(tree, func(blob string) (string, error) {
		if err := targets.ask(blob); err != nil {
			return "", err
		}
		_, data, err := targets.answer(4096) // PATH_MAX of Linux
		if errors.Is(err, ErrTooLarge) {
			err = ErrDangling
		}
		return string(data), err
	})
	real, err := links.resolve(name)
	if errors.Is(err, ErrDangling) {
		return &PathError{Path: name, Commit: commit}
	} else if err != nil {
		return fmt.Errorf("path %q: %w", name, err)
	}
	return s.enter(links, name, real)
}

// enter adds the directory or file real under a name, and what its links lead to.
func (s *selection) enter(l *links, name, real string) error {
	if e, isFile := l.entries[real]; isFile {
		s.add(name, e)
		return nil
	}
	if s.read[real+"/"] { // a directory that links to one above it
		return nil
	}
	s.read[real+"/"] = true
	entries := l.below(real)
	if s.budget -= len(entries); s.budget < 0 {
		return &LimitError{What: "files behind symbolic links to directories", Limit: int64(len(l.sorted))}
	}
	below := func(e entry) string {
		return path.Join(name, strings.TrimPrefix(strings.TrimPrefix(e.name, real), "/"))
	}
	for _, e := range entries { // before the links, which may lead back here by a longer name
		if !e.link {
			s.add(below(e), e)
		}
	}
	for _, e := range entries {
		if e.link {
			if err := s.follow(l, below(e), e); err != nil {
				return err
			}
		}
	}
	return nil
}

// follow adds what one link leads to.
func (s *selection) follow(l *links, name string, link entry) error {
	target, err := l.resolve(link.name)
	switch {
	case err == nil:
		return s.enter(l, name, target)
	case errors.Is(err, ErrOutside), errors.Is(err, ErrDangling) && s.match(name):
		s.files = append(s.files, File{Name: name, Blob: link.blob, Err: err})
		return nil
	case errors.Is(err, ErrDangling):
		return nil
	}
	return err
}

// load fills in the contents: first the sizes of all, so that nothing large is read, then what is within the limits.
func (r *Repository) load(ctx context.Context, files []File, limits Limits) error {
	var hashes []string
	at := map[string]int{}
	for _, f := range files {
		if _, ok := at[f.Blob]; !ok && f.Err == nil {
			at[f.Blob] = len(hashes)
			hashes = append(hashes, f.Blob)
		}
	}
	sizes := make([]int64, len(hashes))
	if err := r.each(ctx, hashes, false, func(i int, size int64, _ []byte) { sizes[i] = size }); err != nil {
		return err
	}
	var wanted []string
	total := int64(0)
	for i, hash := range hashes {
		if sizes[i] > limits.FileBytes {
			continue
		}
		if total += sizes[i]; total > limits.TotalBytes {
			return &LimitError{What: "bytes in the files of the commit", Limit: limits.TotalBytes}
		}
		wanted = append(wanted, hash)
	}
	contents := make(map[string][]byte, len(wanted))
	if err := r.each(ctx, wanted, true, func(i int, _ int64, data []byte) { contents[wanted[i]] = data }); err != nil {
		return err
	}
	for i := range files {
		if f := &files[i]; f.Err == nil {
			data, read := contents[f.Blob]
			if f.Data = data; !read {
				f.Err = ErrTooLarge
			}
		}
	}
	return nil
}
