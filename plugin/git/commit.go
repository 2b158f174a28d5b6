package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// Commit is a commit by its hash, so that a branch that moves meanwhile does no harm.
type Commit struct {
	Hash string
	// Short is the first seven digits, the same in every clone (git's own abbreviation grows with the clone).
	Short string
	// Time is the committer's.
	Time time.Time
	// Label is what people call it: "main@41c0a9e", or the short hash where it was named by hash.
	Label string
}

// Resolve finds the commit that a revision names: a branch, a tag, a hash, HEAD^1, main@{yesterday}. Whatever the name holds,
// it is never taken for an option.
func (r *Repository) Resolve(ctx context.Context, revision string) (Commit, error) {
	switch {
	case revision == "":
		return Commit{}, &RevisionError{Revision: revision, reason: "no name"}
	case strings.HasPrefix(revision, "-"):
		return Commit{}, &RevisionError{Revision: revision, reason: "a revision does not start with a dash"}
	case strings.ContainsAny(revision, "\x00\n"):
		return Commit{}, &RevisionError{Revision: revision, reason: "no revision holds such a character"}
	}
	hash, err := r.git.output(ctx, "rev-parse", "--quiet", "--verify", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return Commit{}, r.notResolved(revision, err)
	}
	if strings.HasPrefix(hash, "^") { // ^main, "all but main"
		return Commit{}, &RevisionError{Revision: revision, reason: "not one commit"}
	}
	commit := Commit{Hash: hash, Short: short(hash)}
	if commit.Time, err = r.commitTime(ctx, hash); err != nil {
		return Commit{}, err
	}
	commit.Label = r.label(ctx, revision, commit)
	return commit, nil
}

func (r *Repository) notResolved(revision string, err error) error {
	var failure *CommandError
	if !errors.As(err, &failure) {
		return err
	}
	return &RevisionError{Revision: revision, Shallow: r.Shallow, reason: "no such commit in this clone"}
}

// commitTime reads the committer's time.
func (r *Repository) commitTime(ctx context.Context, hash string) (time.Time, error) {
	header, err := r.commitHeader(ctx, hash)
	if err != nil {
		return time.Time{}, err
	}
	for line := range strings.Lines(header) {
		if rest, ok := strings.CutPrefix(line, "committer "); ok {
			fields := strings.Fields(rest[strings.LastIndexByte(rest, '>')+1:])
			if len(fields) > 0 {
				return unixTime(fields[0])
			}
		}
	}
	return time.Time{}, fmt.Errorf("commit %s: no committer", hash)
}

// commitHeader is the header of the commit object itself, which no configuration and no shallow clone changes.
func (r *Repository) commitHeader(ctx context.Context, hash string) (string, error) {
	var text []byte
	err := r.git.stream(ctx, func(out io.Reader) (err error) {
		// A message may be of any length; the header, which comes first, is not.
		if text, err = io.ReadAll(io.LimitReader(out, maxAnswer)); err == nil && len(text) == maxAnswer {
			err = errEnough
		}
		return err
	}, "cat-file", "commit", hash)
	if err != nil {
		return "", fmt.Errorf("commit %s: %w", hash, err)
	}
	header, _, _ := strings.Cut(string(text), "\n\n")
	return header, nil
}

func unixTime(seconds string) (time.Time, error) {
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("commit time: %w", err)
	}
	return time.Unix(n, 0).UTC(), nil
}

// label is name@hash. HEAD is called by the branch that it is on; a hash needs no name.
func (r *Repository) label(ctx context.Context, revision string, commit Commit) string {
	if strings.HasPrefix(commit.Hash, strings.ToLower(revision)) {
		return commit.Short
	}
	if revision == "HEAD" {
		if branch, err := r.git.output(ctx, "symbolic-ref", "--quiet", "--short", "HEAD"); err == nil {
			revision = branch
		}
	}
	return revision + "@" + commit.Short
}

// FirstParent is the commit's first parent: for a merge, the branch as it was before.
func (r *Repository) FirstParent(ctx context.Context, commit Commit) (Commit, error) {
	parent, err := r.Resolve(ctx, commit.Hash+"^1")
	if err != nil {
		return Commit{}, err
	}
	parent.Label = parent.Short
	return parent, nil
}

// MergeBase is the commit at which the history of two commits parted.
func (r *Repository) MergeBase(ctx context.Context, a, b Commit) (Commit, error) {
	hash, err := r.git.output(ctx, "merge-base", a.Hash, b.Hash)
	var failure *CommandError
	if errors.As(err, &failure) && failure.Code == 1 {
		return Commit{}, &RevisionError{Revision: a.Short + "..." + b.Short, Shallow: r.Shallow,
			reason: "the two commits have no common ancestor in this clone"}
	} else if err != nil {
		return Commit{}, err
	}
	return r.Resolve(ctx, hash)
}

func short(hash string) string { return hash[:min(7, len(hash))] }
