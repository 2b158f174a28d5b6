package kustomize

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"

	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/routedelta/routedelta/render/manifest"
)

// fileSystem is a tree as kustomize wants one: its root is "/", links are followed inside, and nothing can be written. Whatever
// kustomize reads is read here, so here it is counted, and here a kustomization is vetted before any reference in it is followed.
type fileSystem struct {
	ctx     context.Context
	tree    fs.FS
	options Options
	spent   budget

	read    []*File
	known   map[string]*File
	leftOut []LeftOut
	// refused is the first reason not to go on.
	refused error
}

func newFileSystem(ctx context.Context, tree fs.FS, options Options) *fileSystem {
	return &fileSystem{
		ctx: ctx, tree: tree, options: options, known: map[string]*File{},
		spent: budget{limits: options.Limits.withDefaults(), layers: map[string]int{}},
	}
}

// inside is the name in the tree of a path that kustomize asks for.
func inside(name string) string {
	clean := path.Clean("/" + filepath.ToSlash(name))[1:]
	if clean == "" {
		return "."
	}
	return clean
}

// real follows the links of a name.
func (s *fileSystem) real(name string) (string, error) {
	if err := s.stopped(); err != nil {
		return "", err
	}
	name = inside(name)
	if _, replaced := s.options.Replaced[name]; replaced {
		return name, nil
	}
	real, err := manifest.Real(s.tree, name)
	if errors.Is(err, manifest.ErrOutside) {
		return "", s.refuse(&fs.PathError{Op: "open", Path: name, Err: err})
	}
	return real, err
}

// stopped tells whether there is a reason not to go on.
func (s *fileSystem) stopped() error {
	if s.refused != nil {
		return s.refused
	}
	return s.ctx.Err()
}

func (s *fileSystem) refuse(err error) error {
	if s.refused == nil {
		s.refused = err
	}
	return err
}

// CleanedAbs gives the directory of a name, links resolved, and the file in it, if it is one.
func (s *fileSystem) CleanedAbs(name string) (filesys.ConfirmedDir, string, error) {
	real, err := s.real(name)
	if err != nil {
		return "", "", err
	}
	if _, replaced := s.options.Replaced[real]; !replaced {
		info, err := fs.Stat(s.tree, real)
		if err != nil {
			return "", "", err
		}
		if info.IsDir() {
			return filesys.ConfirmedDir(path.Join("/", real)), "", nil
		}
	}
	return filesys.ConfirmedDir(path.Join("/", path.Dir(real))), path.Base(real), nil
}

// Exists tells whether there is something.
func (s *fileSystem) Exists(name string) bool {
	_, _, err := s.CleanedAbs(name)
	return err == nil
}

// IsDir tells whether there is a directory.
func (s *fileSystem) IsDir(name string) bool {
	_, file, err := s.CleanedAbs(name)
	return err == nil && file == ""
}

// ReadDir lists a directory.
func (s *fileSystem) ReadDir(name string) ([]string, error) {
	real, err := s.real(name)
	if err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(s.tree, real)
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = entry.Name()
	}
	return names, err
}

// ReadFile reads a file, and has a kustomization say nothing that may not be followed.
func (s *fileSystem) ReadFile(name string) ([]byte, error) {
	real, err := s.real(name)
	if err != nil {
		return nil, err
	}
	file, err := s.file(real)
	if err != nil {
		return nil, err
	}
	if err := s.spent.spend(file); err != nil {
		return nil, s.refuse(err)
	}
	if IsFile(name) {
		return s.vet(file)
	}
	return file.Data, nil
}

// file reads a file of the tree, once.
func (s *fileSystem) file(real string) (*File, error) {
	if file := s.known[real]; file != nil {
		return file, nil
	}
	file := &File{Name: real}
	data, replaced := s.options.Replaced[real]
	if !replaced {
		info, err := fs.Stat(s.tree, real)
		switch {
		case err != nil:
			return nil, err
		case info.IsDir():
			return nil, &fs.PathError{Op: "read", Path: real, Err: errors.New("is a directory")}
		case !info.Mode().IsRegular():
			return nil, s.refuse(&fs.PathError{Op: "read", Path: real, Err: errors.New("not a regular file")})
		case info.Size() > s.spent.limits.Manifests.FileBytes:
			return nil, s.refuse(&fs.PathError{Op: "read", Path: real, Err: manifest.ErrTooLarge})
		}
		if data, err = fs.ReadFile(s.tree, real); err != nil {
			return nil, err
		}
	}
	file.Data = data
	if err := file.parse(s.spent.limits.Manifests); err != nil {
		return nil, s.refuse(err)
	}
	s.known[real] = file
	s.read = append(s.read, file)
	return file, nil
}

var errReadOnly = errors.New("the tree is read only, file by file")

// Glob is refused: kustomize asks for it when it edits only.
func (s *fileSystem) Glob(string) ([]string, error) { return nil, errReadOnly }

// Open is refused: files are read whole.
func (s *fileSystem) Open(string) (filesys.File, error) { return nil, errReadOnly }

// Walk is refused.
func (s *fileSystem) Walk(string, filepath.WalkFunc) error { return errReadOnly }

// Create is refused.
func (s *fileSystem) Create(string) (filesys.File, error) { return nil, errReadOnly }

// Mkdir is refused.
func (s *fileSystem) Mkdir(string) error { return errReadOnly }

// MkdirAll is refused.
func (s *fileSystem) MkdirAll(string) error { return errReadOnly }

// RemoveAll is refused.
func (s *fileSystem) RemoveAll(string) error { return errReadOnly }

// WriteFile is refused.
func (s *fileSystem) WriteFile(string, []byte) error { return errReadOnly }
