package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/routedelta/routedelta/render/manifest"
)

// Bounds of an export. A repository of manifests is far below them; one that is not is better pointed at with a path.
const (
	maxExportFiles = 200_000
	maxExportBytes = 1 << 30
)

// ErrExport is the cause when a tree is too large to be written down.
var ErrExport = errors.New("the tree is too large to be written down")

// export writes a tree into an empty directory: files and the links between them, and nothing that a checkout would add. git's
// attributes and filters have no say, no hook runs, and there is no .git, so that a program that runs there sees the commit alone.
func export(ctx context.Context, tree fs.FS, directory string) error {
	root, err := os.OpenRoot(directory) // no name of the tree can lead out of it, whatever links there are
	if err != nil {
		return err
	}
	defer root.Close()
	e := &exporter{ctx: ctx, tree: tree, root: root}
	if err := fs.WalkDir(tree, ".", e.visit); err != nil {
		return fmt.Errorf("writing the tree down: %w", err)
	}
	// Last, so that no file is written through one.
	for _, name := range e.links {
		if err := e.link(name); err != nil {
			return fmt.Errorf("writing the tree down: %w", err)
		}
	}
	return nil
}

type exporter struct {
	ctx   context.Context
	tree  fs.FS
	root  *os.Root
	links []string
	files int
	bytes int64
}

func (e *exporter) visit(name string, entry fs.DirEntry, err error) error {
	if err != nil {
		return err
	}
	if err := e.ctx.Err(); err != nil {
		return context.Cause(e.ctx)
	}
	switch {
	case name == ".":
		return nil
	case entry.Name() == ".git" && entry.IsDir():
		return fs.SkipDir
	case entry.Name() == ".git":
		return nil
	case entry.IsDir():
		return e.root.Mkdir(filepath.FromSlash(name), 0o755)
	case entry.Type()&fs.ModeSymlink != 0:
		e.links = append(e.links, name)
		return nil
	case !entry.Type().IsRegular():
		return nil // pipes and sockets hold no manifests
	}
	if e.files++; e.files > maxExportFiles {
		return fmt.Errorf("%w: more than %d files", ErrExport, maxExportFiles)
	}
	return e.file(name)
}

func (e *exporter) file(name string) error {
	from, err := e.tree.Open(name)
	if err != nil {
		return err
	}
	defer from.Close()
	mode := fs.FileMode(0o644)
	if info, err := from.Stat(); err == nil && info.Mode()&0o100 != 0 {
		mode = 0o755
	}
	to, err := e.root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	n, err := io.Copy(to, io.LimitReader(from, maxExportBytes-e.bytes+1))
	if e.bytes += n; e.bytes > maxExportBytes {
		err = fmt.Errorf("%w: more than %d bytes", ErrExport, maxExportBytes)
	}
	return errors.Join(err, to.Close())
}

// link makes a link that leads to something inside of the tree. Others are left out: what they lead to is not the commit's.
func (e *exporter) link(name string) error {
	if _, err := manifest.Real(e.tree, name); err != nil {
		return nil
	}
	target, err := fs.ReadLink(e.tree, name)
	if err != nil {
		return err
	}
	if !filepath.IsLocal(filepath.FromSlash(path.Join(path.Dir(name), target))) {
		return nil
	}
	return e.root.Symlink(filepath.FromSlash(target), filepath.FromSlash(name))
}
