package files

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// install brings a directory from its existing files to the wanted ones.
func install(ctx context.Context, dir string, wanted []File, existing []string) error {
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return installNew(ctx, dir, wanted)
	}
	removeLeftovers(dir)
	i := &installation{dir: dir}
	for _, file := range wanted {
		if !unchanged(i.target(file.Path), file) {
			i.changed = append(i.changed, file)
		}
	}
	for _, have := range existing {
		if !slices.ContainsFunc(wanted, func(f File) bool { return f.Path == have }) {
			i.stale = append(i.stale, have)
		}
	}
	if len(i.changed)+len(i.stale) == 0 {
		return nil
	}
	return i.run(ctx)
}

// installNew writes a directory that was not there: it appears whole.
func installNew(ctx context.Context, dir string, wanted []File) error {
	parent := filepath.Dir(filepath.Clean(dir))
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return err
	}
	staging, err := os.MkdirTemp(parent, stagingPrefix)
	if err != nil {
		return err
	}
	defer os.RemoveAll(staging)
	if err := stage(ctx, staging, wanted); err != nil {
		return err
	}
	if err := os.Chmod(staging, 0o755); err != nil {
		return err
	}
	return os.Rename(staging, dir)
}

// stage writes files below a directory and makes sure that they are on the disk.
func stage(ctx context.Context, dir string, files []File) error {
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		target := filepath.Join(dir, filepath.FromSlash(file.Path))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if err := writeSynced(target, file); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func writeSynced(path string, file File) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, file.mode())
	if err != nil {
		return err
	}
	_, err = f.Write(file.Data)
	return errors.Join(err, f.Sync(), f.Close())
}

func removeLeftovers(dir string) {
	left, err := filepath.Glob(filepath.Join(escapeGlob(dir), stagingPrefix+"*"))
	if err != nil {
		return
	}
	for _, path := range left {
		_ = os.RemoveAll(path)
	}
}

// installation replaces files of a directory, and can take it back.
type installation struct {
	dir     string
	staging string
	changed []File
	stale   []string
	undo    []func() error
}

func (i *installation) target(path string) string {
	return filepath.Join(i.dir, filepath.FromSlash(path))
}

func (i *installation) run(ctx context.Context) (err error) {
	// Inside the directory, so that it is on the same file system even where the directory is a mount.
	if i.staging, err = os.MkdirTemp(i.dir, stagingPrefix); err != nil {
		return err
	}
	defer os.RemoveAll(i.staging)
	if err := stage(ctx, filepath.Join(i.staging, "new"), i.changed); err != nil {
		return err
	}
	if err := i.replace(); err != nil {
		return errors.Join(err, i.rollBack())
	}
	i.removeEmpty()
	return nil
}

// replace does all renames: new files first, so that nothing names a file that is gone.
func (i *installation) replace() error {
	for _, file := range i.changed {
		if err := os.MkdirAll(filepath.Dir(i.target(file.Path)), 0o755); err != nil {
			return err
		}
		if err := i.keep(file.Path); err != nil {
			return err
		}
		staged := filepath.Join(i.staging, "new", filepath.FromSlash(file.Path))
		if err := os.Rename(staged, i.target(file.Path)); err != nil {
			return err
		}
	}
	for _, path := range i.stale {
		if err := i.keep(path); err != nil {
			return err
		}
		if err := os.Remove(i.target(path)); err != nil {
			return err
		}
	}
	return nil
}

// keep makes sure that a file can be brought back: a second link to it, since the file itself stays in place until the new
// one takes its name in one step.
func (i *installation) keep(path string) error {
	target := i.target(path)
	if _, err := os.Lstat(target); errors.Is(err, fs.ErrNotExist) {
		i.undo = append(i.undo, func() error { return os.Remove(target) })
		return nil
	}
	kept := filepath.Join(i.staging, "old", filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(kept), 0o755); err != nil {
		return err
	}
	if err := os.Link(target, kept); err != nil {
		return err
	}
	i.undo = append(i.undo, func() error { return os.Rename(kept, target) })
	return nil
}

func (i *installation) rollBack() error {
	var failed error
	for _, undo := range slices.Backward(i.undo) {
		if err := undo(); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// removeEmpty removes the directories that stale files leave empty; one with anything in it stays.
func (i *installation) removeEmpty() {
	for _, file := range i.stale {
		for dir := path.Dir(file); dir != "." && !strings.HasPrefix(dir, ".."); dir = path.Dir(dir) {
			if os.Remove(i.target(dir)) != nil {
				break
			}
		}
	}
}
