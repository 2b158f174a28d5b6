package envoy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/routedelta/routedelta/render/files"
)

const (
	// stagingDirectory holds files until their step. It is inside the directory, so that it is on the same file system, and not among
	// the files that Envoy watches.
	stagingDirectory = ".routedelta-next"
	lockFile         = ".routedelta.lock"
)

// ErrBusy is the error for a directory into which another process installs.
var ErrBusy = errors.New("another process installs into the directory")

// live is the directory of a running Envoy. Nothing outside it is touched, whatever links are in it.
type live struct {
	dir  string
	root *os.Root
	lock *os.File
}

// openLive opens the directory, which is made if it is not there, for one process at a time.
func openLive(dir string) (*live, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	file, err := root.OpenFile(lockFile, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	if err := lock(file); err != nil {
		return nil, errors.Join(err, file.Close(), root.Close())
	}
	l := &live{dir: dir, root: root, lock: file}
	if err := l.clearStaging(); err != nil {
		return nil, errors.Join(err, l.close())
	}
	return l, nil
}

// close gives the directory free: the lock ends with its file, also where the process is killed.
func (l *live) close() error {
	return errors.Join(l.clearStaging(), l.lock.Close(), l.root.Close())
}

// clearStaging removes what a run that was killed has left, and what a refused one did not need.
func (l *live) clearStaging() error { return l.root.RemoveAll(stagingDirectory) }

// state is what Envoy files say, and how they are written.
type state struct {
	set *files.Set
	// files are those of the set and its keys.
	files []files.File
}

func newState(rendering *Rendering, format files.Format) (*state, error) {
	encoded, err := files.Encode(rendering.Set, files.Options{Format: format})
	if err != nil {
		return nil, err
	}
	return &state{set: rendering.Set, files: append(encoded, rendering.Keys...)}, nil
}

// read gives the files of the directory and their format. Without a bootstrap there is nothing that an Envoy could run from, and
// the state is nil.
func (l *live) read(ctx context.Context) (*state, files.Format, error) {
	format, err := files.FormatOf(l.root.FS())
	if err != nil {
		return nil, "", err
	}
	if format == "" {
		return nil, "", l.requireOwn()
	}
	rendering, err := readRendering(ctx, l.dir)
	if err != nil {
		return nil, "", err
	}
	have, err := newState(rendering, format)
	if err != nil {
		return nil, "", err
	}
	for _, file := range have.files {
		if _, err := l.root.Stat(filepath.FromSlash(file.Path)); err != nil {
			return nil, "", fmt.Errorf("%w: %s is not where a rendering has it", ErrNotRendering, file.Path)
		}
	}
	return have, format, nil
}

// requireOwn refuses a directory that is somebody else's: one with files that are neither a rendering's nor mounted certificates.
func (l *live) requireOwn() error {
	entries, err := fs.ReadDir(l.root.FS(), ".")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		switch kindOf(entry.Name()) {
		case "", "certs", "secrets", "sds", "eds", "cds", "rds", "lds":
		default:
			return fmt.Errorf("%w: it holds %s, and no bootstrap", ErrNotRendering, entry.Name())
		}
	}
	return nil
}

// holds tells whether a file is there with these bytes, and as private.
func (l *live) holds(file files.File) (exists, equal bool, err error) {
	name := filepath.FromSlash(file.Path)
	info, err := l.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, false, nil
	}
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(file.Data)) || file.Private && info.Mode().Perm() != mode(file) {
		return true, false, err
	}
	have, err := l.root.ReadFile(name)
	return true, err == nil && bytes.Equal(have, file.Data), err
}

func mode(file files.File) os.FileMode {
	if file.Private {
		return 0o600
	}
	return 0o644
}

// staged is where the file of a step waits.
func staged(step int, path string) string {
	return filepath.Join(stagingDirectory, strconv.Itoa(step), filepath.FromSlash(path))
}

// stage writes a file to the disk, where nobody looks for it yet.
func (l *live) stage(step int, file files.File) error {
	name := staged(step, file.Path)
	if err := l.root.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	f, err := l.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode(file))
	if err != nil {
		return err
	}
	_, err = f.Write(file.Data)
	return errors.Join(err, f.Sync(), f.Close())
}

// put renames a staged file into its place, the only way in which Envoy sees a new one.
func (l *live) put(step int, path string) error {
	name := filepath.FromSlash(path)
	if err := l.root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return l.root.Rename(staged(step, path), name)
}

// stale lists the files of a rendering that are not among the wanted ones.
func (l *live) stale(wanted []files.File) ([]string, error) {
	own, err := files.OwnFiles(l.root.FS())
	if err != nil {
		return nil, err
	}
	keep := map[string]bool{}
	for _, file := range wanted {
		keep[file.Path] = true
	}
	var stale []string
	for _, path := range own {
		if !keep[path] && !strings.HasPrefix(path, "bootstrap.") && path != "secrets/.gitignore" {
			stale = append(stale, path)
		}
	}
	return stale, nil
}
