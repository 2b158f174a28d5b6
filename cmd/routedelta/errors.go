package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/routedelta/routedelta/plugin/git"
	"github.com/routedelta/routedelta/plugin/github"
	"github.com/routedelta/routedelta/plugin/github/artifact"
	"github.com/routedelta/routedelta/plugin/review"
	"github.com/routedelta/routedelta/plugin/source"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// outside gives an error its exit code and its hint. A revision or a path that is not there is a mistake of the caller's; git and
// GitHub failing otherwise is not.
func outside(err error) error {
	var hinted interface {
		error
		Hint() string
	}
	if !errors.As(err, &hinted) {
		return err
	}
	code := codeOutside
	switch hinted.(type) {
	case *git.RevisionError, *git.PathError, *git.RepositoryError, *git.LimitError, *github.EventError, *review.TargetError, *review.CommandRefusedError, *review.NotThereError, *source.CommandError, *github.OriginError, *artifact.Error:
		code = codeInput
	}
	return fail(code, err, cmp.Or(beforeTheFirst(err), hinted.Hint()))
}

// beforeTheFirst is the hint for a commit before the first one of a history that is there whole: nothing can be fetched for it.
func beforeTheFirst(err error) string {
	var missing *git.RevisionError
	if errors.As(err, &missing) && !missing.Shallow && strings.ContainsAny(missing.Revision, "^~") {
		return "`git log --oneline` lists the commits that are there: the first one has none before it to be compared with"
	}
	return ""
}

// inputErrors counts what stops a run.
func inputErrors(list diagnostic.List) string {
	count := 0
	for _, d := range list {
		if d.Severity == diagnostic.Error {
			count++
		}
	}
	if count == 1 {
		return "1 error in the input"
	}
	return fmt.Sprintf("%d errors in the input", count)
}
