package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Repository is a clone on this machine.
type Repository struct {
	git program
	// Root is the absolute directory of the work tree, links resolved.
	Root string
	// Shallow: the history is cut.
	Shallow bool
}

// Open finds the repository that dir is in. dir may also be a file.
func Open(ctx context.Context, dir string) (*Repository, error) {
	dir, err := directory(dir)
	if err != nil {
		return nil, err
	}
	git, err := findProgram(dir)
	if err != nil {
		return nil, err
	}
	out, err := git.output(ctx, "rev-parse", "--is-shallow-repository", "--show-toplevel")
	if err != nil {
		return nil, notOpened(dir, err)
	}
	// The root comes last, because its name may hold a newline.
	shallow, root, _ := strings.Cut(out, "\n")
	git.dir = root
	return &Repository{git: git, Root: filepath.FromSlash(root), Shallow: shallow == "true"}, nil
}

// directory is the absolute directory of a path, links resolved, as git sees it.
func directory(path string) (string, error) {
	real, err := resolved(path)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(real); err != nil {
		return "", err
	} else if !info.IsDir() {
		return filepath.Dir(real), nil
	}
	return real, nil
}

// resolved is the absolute path, links resolved.
func resolved(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(absolute)
}

// notOpened turns git's words about a directory into ours.
func notOpened(dir string, err error) error {
	var failure *CommandError
	if !errors.As(err, &failure) {
		return err
	}
	switch complaint := failure.Complaint; {
	case strings.Contains(complaint, "not a git repository"):
		return &RepositoryError{Dir: dir, Reason: "not in a git repository",
			hint: "run it inside a clone, or compare two directories"}
	case strings.Contains(complaint, "dubious ownership"):
		return &RepositoryError{Dir: dir, Reason: "the repository belongs to another user, and git does not trust it",
			hint: "if you do: `git config --global --add safe.directory " + strconv.Quote(dir) + "`"}
	case strings.Contains(complaint, "safe.bareRepository"), strings.Contains(complaint, "work tree"):
		return &RepositoryError{Dir: dir, Reason: "a repository without a work tree",
			hint: "make a work tree of it: `git worktree add DIR`, and run it there"}
	}
	return fmt.Errorf("opening the repository of %s: %w", dir, err)
}

// Inside is the path inside the repository, with slashes, of a path of this machine; "" is the root. A link in the path is
// followed, so that the name is the one under which commits know it.
func (r *Repository) Inside(path string) (string, error) {
	real, err := resolved(path)
	if err != nil {
		return "", err
	}
	relative, err := filepath.Rel(r.Root, real)
	if err != nil || !filepath.IsLocal(relative) {
		return "", &RepositoryError{Dir: path, Reason: "not inside the work tree " + r.Root,
			hint: "name a path below it"}
	}
	if relative == "." {
		return "", nil
	}
	return filepath.ToSlash(relative), nil
}

// Dirty tells whether the work tree differs from HEAD below a path: changed, staged, or not yet added and not ignored.
func (r *Repository) Dirty(ctx context.Context, path string) (bool, error) {
	filtered, err := r.withoutFilters(ctx)
	if err != nil {
		return false, err
	}
	args := []string{"status", "--porcelain", "-z", "--untracked-files=normal", "--ignore-submodules=all", "--no-renames", "--"}
	if path == "" {
		path = "."
	}
	out, err := filtered.output(ctx, append(args, path)...)
	return out != "", err
}

// withoutFilters empties every content filter that the configuration names. git status would run them to compare a file whose
// time has changed; an empty command is no filter (convert.c, apply_filter).
func (r *Repository) withoutFilters(ctx context.Context) (program, error) {
	out, err := r.git.output(ctx, "config", "--name-only", "-z", "--get-regexp", `^filter\.`)
	var failure *CommandError
	if errors.As(err, &failure) && failure.Code == 1 { // no such key
		return r.git, nil
	} else if err != nil {
		return program{}, err
	}
	var settings [][2]string
	seen := map[string]bool{}
	for key := range strings.SplitSeq(strings.TrimRight(out, "\x00"), "\x00") {
		driver := key[:max(strings.LastIndexByte(key, '.'), 0)]
		if seen[driver] {
			continue
		}
		seen[driver] = true
		settings = append(settings, [2]string{driver + ".clean"}, [2]string{driver + ".smudge"}, [2]string{driver + ".process"},
			[2]string{driver + ".required", "false"})
	}
	git := r.git
	git.overrides = configured(settings)
	return git, nil
}
