package review

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/plugin/git"
	"github.com/routedelta/routedelta/plugin/source"
	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/manifest"
)

// readDirectory reads a directory or a file of this machine. What it refers to may stand beside it: in the work tree that it is in, or, outside of
// git, nowhere but below it, or below the root that the caller names.
func (in *input) readDirectory(ctx context.Context, name, root string, sources config.Sources) error {
	root, inside, err := rootOf(name, root)
	if err != nil {
		return fmt.Errorf("reading %s: %w", in.source, err)
	}
	tree, err := os.OpenRoot(root)
	if err != nil {
		return fmt.Errorf("reading %s: %w", in.source, err)
	}
	defer tree.Close()
	remotes := func() []string {
		repository, err := git.Open(ctx, root)
		if err != nil {
			return nil // a directory outside of git has none
		}
		return remotesOf(ctx, repository)
	}
	in.opened = noteOpened(tree.FS())
	files := source.WorkTree(in.opened)
	if len(sources.RenderCommand) > 0 {
		if files, err = asCommitted(ctx, files, root); err != nil {
			return err
		}
	}
	if err := in.collect(ctx, files, source.Options{Path: inside, Sources: sources, Remotes: remotes}); err != nil {
		return fmt.Errorf("reading %s: %w", in.source, err)
	}
	in.rename(inside, filepath.ToSlash(in.source.Path))
	return nil
}

// asCommitted is what a commit of a work tree would have, so that a program sees the same on both sides. Outside of git it is everything.
func asCommitted(ctx context.Context, tree fs.FS, root string) (fs.FS, error) {
	repository, err := git.Open(ctx, root)
	var outside *git.RepositoryError
	if errors.As(err, &outside) {
		return tree, nil
	}
	if err != nil {
		return nil, err
	}
	names, err := repository.Present(ctx, git.Limits{})
	if err != nil {
		return nil, err
	}
	return source.Only(tree, names), nil
}

// rootOf finds the root of the work tree that a directory or file is in, and its path in it. Outside of git that is the root that the
// caller names, if it is below that, or else the directory itself, or that of the file.
func rootOf(name, named string) (root, inside string, err error) {
	if name, err = realPath(name); err != nil {
		return "", "", err
	}
	directory := name
	if info, err := os.Stat(name); err == nil && !info.IsDir() {
		directory = filepath.Dir(name)
	}
	switch root = workTree(directory); {
	case root != "":
	case named == "":
		root = directory
	default:
		if root, err = realPath(named); err != nil {
			return "", "", err
		}
	}
	if inside, err = filepath.Rel(root, name); err == nil && !filepath.IsLocal(inside) {
		err = fmt.Errorf("%s is not below %s", name, root)
	}
	return root, filepath.ToSlash(inside), err
}

// workTree is the root of the work tree that a directory is in, "" if it is in none.
func workTree(directory string) string {
	for root := directory; ; root = filepath.Dir(root) {
		// In a linked work tree and in a submodule it is a file.
		if _, err := os.Lstat(filepath.Join(root, ".git")); err == nil {
			return root
		}
		if root == filepath.Dir(root) {
			return ""
		}
	}
}

func realPath(name string) (string, error) {
	absolute, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(absolute)
}

// readCommit reads a path of a commit, under the rules that a directory is read by.
func (in *input) readCommit(ctx context.Context, inside string, sources config.Sources) error {
	tree, err := in.repository.Tree(ctx, in.commit, git.Limits{})
	if err != nil {
		return fmt.Errorf("reading %s: %w", in.source, err)
	}
	defer tree.Close()
	inside = path.Clean("./" + inside)
	real, err := manifest.Real(tree, inside)
	switch {
	case errors.Is(err, fs.ErrNotExist) && in.source.Relative:
		in.absent = true
		return nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, manifest.ErrDangling):
		return fmt.Errorf("reading %s: %w", in.source, &git.PathError{Path: inside, Commit: in.commit})
	case err != nil:
		return fmt.Errorf("reading %s: %w", in.source, err)
	}
	if info, err := tree.Stat(real); err == nil && info.IsDir() {
		rendering, err := fs.Sub(tree, real)
		if err != nil {
			return err
		}
		if files.IsRenderingFS(rendering) {
			in.sets, err = files.LoadFSNoting(ctx, rendering, in.bytes.note)
			return err
		}
	}
	remotes := func() []string { return remotesOf(ctx, in.repository) }
	if err := in.collect(ctx, tree, source.Options{Path: inside, Sources: sources, Remotes: remotes}); err != nil {
		return fmt.Errorf("reading %s: %w", in.source, err)
	}
	return nil
}

// remotesOf are the addresses of a repository.
func remotesOf(ctx context.Context, repository *git.Repository) []string {
	address, err := repository.RemoteURL(ctx, "origin")
	if err != nil || address == "" {
		return nil
	}
	return []string{address}
}

// collect reads what a tree holds at a path.
func (in *input) collect(ctx context.Context, tree fs.FS, options source.Options) error {
	options.Network = in.network
	collected, err := source.Collect(ctx, tree, options)
	if err != nil {
		return err
	}
	in.texts, in.diagnostics = collected.Texts, collected.Diagnostics
	in.parts, in.unread, in.rendered = collected.Parts, collected.Unread, collected.Rendered
	in.unreadBeyond = collected.UnreadBeyond
	in.pointers, in.missing, in.kustomizations = collected.Pointers, collected.Missing, collected.Kustomizations
	return nil
}

// rename takes names from one directory to another: those from the root of a tree become those that the caller would type, and back.
func (in *input) rename(from, to string) {
	if path.Clean(from) == path.Clean(to) {
		return
	}
	for i := range in.texts {
		in.texts[i].Rename(func(name string) string { return renamed(name, from, to) })
	}
	for i := range in.diagnostics {
		in.diagnostics[i].Position.File = renamed(in.diagnostics[i].Position.File, from, to)
	}
	for i := range in.parts {
		in.parts[i].Path = renamed(in.parts[i].Path, from, to)
	}
	for i := range in.pointers {
		at := &in.pointers[i].Position
		at.File = renamed(at.File, from, to)
	}
	known := map[string]bool{}
	for name := range in.kustomizations {
		known[renamed(name, from, to)] = true
	}
	in.kustomizations = known
	for i := range in.missing {
		at := &in.missing[i].Position
		at.File = renamed(at.File, from, to)
	}
	for i := range in.unread {
		u := &in.unread[i]
		u.Path, u.Position.File = renamed(u.Path, from, to), renamed(u.Position.File, from, to)
	}
}

// renamed is the name of a file as it is seen from another directory.
func renamed(name, from, to string) string {
	relative, err := filepath.Rel(filepath.FromSlash(from), filepath.FromSlash(name))
	if name == "" || name[0] == '<' || err != nil {
		return name // what stands in angle brackets is no file
	}
	return path.Join(to, filepath.ToSlash(relative))
}
