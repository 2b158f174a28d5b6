package git

import (
	"errors"
	"fmt"
	"strings"
)

// Every error type of this package that a person can do something about has a method Hint() string.

// What can be wrong with one file of a tree. The other files are read all the same.
var (
	// ErrOutside is a symbolic link that leads out of the repository.
	ErrOutside = errors.New("a symbolic link that leads out of the repository")
	// ErrDangling is a symbolic link to nothing, or to itself.
	ErrDangling = errors.New("a symbolic link to a file that is not in the commit")
	// ErrTooLarge is a file over the limit; it was not read.
	ErrTooLarge = errors.New("a file over the size limit")
)

// ProgramError says that git could not be run at all.
type ProgramError struct{ Err error }

func (e *ProgramError) Error() string { return fmt.Sprintf("running git: %v", e.Err) }
func (e *ProgramError) Unwrap() error { return e.Err }

// Hint says what to do.
func (e *ProgramError) Hint() string {
	return "revisions are read by the git program: install git, or compare two directories"
}

// CommandError is a git command that failed for a reason that this package does not know better.
type CommandError struct {
	Command   string // the subcommand
	Code      int
	Complaint string // what it wrote to standard error
}

func (e *CommandError) Error() string {
	complaint := strings.TrimPrefix(strings.TrimPrefix(firstLine(e.Complaint), "fatal: "), "error: ")
	if complaint == "" {
		complaint = fmt.Sprintf("exit code %d", e.Code)
	}
	return fmt.Sprintf("git %s: %s", e.Command, complaint)
}

// RepositoryError says that a directory is in no repository that can be read.
type RepositoryError struct {
	Dir    string
	Reason string
	hint   string
}

func (e *RepositoryError) Error() string { return fmt.Sprintf("%s: %s", e.Dir, e.Reason) }

// Hint says what to do.
func (e *RepositoryError) Hint() string { return e.hint }

// RevisionError is a name that is no commit of the repository.
type RevisionError struct {
	Revision string
	// Shallow: the clone's history is cut, so the commit may exist elsewhere.
	Shallow bool
	reason  string
}

func (e *RevisionError) Error() string { return fmt.Sprintf("revision %q: %s", e.Revision, e.reason) }

// Hint says what to do.
func (e *RevisionError) Hint() string {
	if e.Shallow {
		return "this clone is shallow: fetch more history with `git fetch --deepen=50`, all of it with `git fetch --unshallow`; " +
			"with actions/checkout set `fetch-depth: 2` (or 0 for all)"
	}
	return "`git fetch` brings commits of the remote; `git branch -a` and `git tag` list the names that exist"
}

// MissingError is an object that the clone does not hold: a partial clone, or a damaged one.
type MissingError struct{ Object string }

func (e *MissingError) Error() string { return fmt.Sprintf("object %s is not in this clone", e.Object) }

// Hint says what to do.
func (e *MissingError) Hint() string {
	return "routedelta never fetches: in a partial clone `git fetch --refetch --no-filter` brings the missing objects, " +
		"and `git fsck` tells whether the clone is damaged"
}

// PathError is a path that is not in the commit.
type PathError struct {
	Path   string
	Commit Commit
}

func (e *PathError) Error() string {
	return fmt.Sprintf("path %q is not in commit %s", e.Path, e.Commit.Short)
}

// Hint says what to do.
func (e *PathError) Hint() string {
	return "paths are relative to the root of the repository: `git ls-tree --name-only " + e.Commit.Short + "` lists it"
}

// LimitError is a tree that is larger than the caller allows.
type LimitError struct {
	What  string
	Limit int64
}

func (e *LimitError) Error() string { return fmt.Sprintf("more than %d %s", e.Limit, e.What) }

// Hint says what to do.
func (e *LimitError) Hint() string { return "name the directory that holds the routes" }

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
