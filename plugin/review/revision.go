package review

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/routedelta/routedelta/plugin/git"
)

// inWorkTree gives a directory of a work tree the words of its repository: file names from the root, as commits know them, so
// that both sides speak of the same files, and a label. A directory outside of a repository stays as it is.
func (e Environment) inWorkTree(ctx context.Context, in *input) error {
	directory := e.place(in.source)
	repository, err := git.Open(ctx, directory)
	var outside *git.RepositoryError
	if errors.As(err, &outside) {
		return nil
	}
	if err != nil {
		return err
	}
	inside, err := repository.Inside(directory)
	if err != nil {
		return err
	}
	in.repository = repository
	in.rename(filepath.ToSlash(in.source.Path), inside)
	return e.labelWorkTree(ctx, in, inside)
}

// labelWorkTree names the commit that is checked out, or says that the files differ from it, those beside the path among them, if any was read.
func (e Environment) labelWorkTree(ctx context.Context, in *input, inside string) error {
	head, err := in.repository.Resolve(ctx, "HEAD")
	if err != nil {
		in.side.Label = "work tree"
		return nil // a repository without a commit is nothing to fail for
	}
	if in.readsBeside(inside) || in.opened.beside(inside) {
		inside = ""
	}
	dirty, err := in.repository.Dirty(ctx, inside)
	if err == nil && !dirty {
		dirty, err = in.readsUnknown(ctx)
	}
	if err != nil {
		return err
	}
	in.side.Label = head.Label
	if dirty {
		in.side.Label = "work tree"
		return nil
	}
	in.commit = head
	in.side.Revision = head.Hash
	return nil
}

// readsUnknown tells whether a file was read that no commit has: one that git ignores, or one of a repository inside of the work tree.
func (in *input) readsUnknown(ctx context.Context) (bool, error) {
	if in.opened == nil {
		return false, nil
	}
	names, err := in.repository.Present(ctx, git.Limits{})
	return in.opened.other(names), err
}
