package review

import (
	"context"
	"errors"
	"fmt"

	"github.com/routedelta/routedelta/plugin/git"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/manifest"
)

// readTree reads the manifests of the commit below a path, under the rules that a directory is read by.
func (in *input) readTree(ctx context.Context, below string) error {
	found, err := in.repository.Files(ctx, in.commit, below, mayBeRead, git.Limits{})
	var missing *git.PathError
	if errors.As(err, &missing) && in.source.Relative {
		in.absent = true
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading %s: %w", in.source, err)
	}
	if tree, err := envoyFiles(found, below); err != nil || tree != nil {
		if err == nil {
			for _, file := range found {
				in.bytes.add(file.Data)
			}
			in.sets, err = files.LoadFS(ctx, tree)
		}
		return err
	}
	names := make([]string, len(found))
	byName := make(map[string]git.File, len(found))
	for i, file := range found {
		names[i], byName[file.Name] = file.Name, file
	}
	chosen, charts := manifest.Select(names)
	for _, chart := range charts {
		in.diagnostics = append(in.diagnostics, manifest.TemplatesSkipped(chart))
	}
	for _, name := range chosen {
		file := byName[name]
		if file.Err != nil {
			in.diagnostics = append(in.diagnostics, unread(file))
			continue
		}
		in.texts = append(in.texts, manifest.Source{Name: file.Name, Data: file.Data, Named: file.Name == below})
	}
	return nil
}

// unread says why a file of a commit has no text. What leads nowhere inside the commit holds no route that anybody could apply.
func unread(file git.File) diagnostic.Diagnostic {
	d := diagnostic.Diagnostic{
		Code:     diagnostic.Unreadable,
		Severity: diagnostic.Error,
		Position: diagnostic.Position{File: file.Name},
		Message:  file.Err.Error(),
	}
	switch {
	case errors.Is(file.Err, git.ErrOutside):
		d.Code = diagnostic.OutsideTree
		d.Hint = "replace the link by the file it leads to"
	case errors.Is(file.Err, git.ErrTooLarge):
		d.Code = diagnostic.TooLarge
		d.Hint = "split the file, or name the directory that holds the routes"
	case errors.Is(file.Err, git.ErrDangling):
		d.Severity = diagnostic.Warning
	}
	return d
}

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
	in.rename(in.source.Path, inside)
	return e.labelWorkTree(ctx, in, inside)
}

// labelWorkTree names the commit that is checked out, or says that the files differ from it.
func (e Environment) labelWorkTree(ctx context.Context, in *input, inside string) error {
	head, err := in.repository.Resolve(ctx, "HEAD")
	if err != nil {
		in.side.Label = "work tree"
		return nil // a repository without a commit is nothing to fail for
	}
	dirty, err := in.repository.Dirty(ctx, inside)
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
