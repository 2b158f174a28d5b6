package review

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/routedelta/routedelta/plugin/git"
)

// NotThereError is a path that is not there.
type NotThereError struct {
	Source Source
	Err    error
	// revision: git knows a commit by this name.
	revision bool
}

func (e *NotThereError) Error() string { return fmt.Sprintf("reading %s: %v", e.Source, e.Err) }
func (e *NotThereError) Unwrap() error { return e.Err }

// Hint says what to do, "" if that is plain.
func (e *NotThereError) Hint() string {
	if !e.revision {
		return ""
	}
	return fmt.Sprintf("%[1]s is a revision: write git:%[1]s for all of it, or compare the work tree with it: diff --base %[1]s", e.Source.Path)
}

// notRead says of an error that a path cannot be read, and of one that is not there whether a commit has its name.
func (e Environment) notRead(ctx context.Context, source Source, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("reading %s: %w", source, err)
	}
	missing := &NotThereError{Source: source, Err: err}
	if repository, err := git.Open(ctx, e.Dir); err == nil {
		_, err = repository.Resolve(ctx, source.Path)
		missing.revision = err == nil
	}
	return missing
}
