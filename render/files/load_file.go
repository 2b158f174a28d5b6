package files

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// loadFile reads one file. A bootstrap names other files, which are read from its directory; every other form is whole.
func loadFile(ctx context.Context, name string, note Note) ([]*Set, error) {
	data, err := readTreeFile(noting(os.DirFS(filepath.Dir(name)), note), filepath.Base(name))
	if err != nil {
		return nil, fmt.Errorf("reading Envoy files: %w", err)
	}
	documents, err := findDocuments(name, data)
	if err == nil && len(documents) == 1 && documents[0].kind == bootstrapKind {
		return loadBootstrap(ctx, name, note)
	}
	return Parse(ctx, name, data)
}

func loadBootstrap(ctx context.Context, name string, note Note) ([]*Set, error) {
	absolute, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(filepath.Dir(absolute))
	if err != nil {
		return nil, fmt.Errorf("reading Envoy files: %w", err)
	}
	defer root.Close()
	l := newLoader(noting(root.FS(), note), filepath.Dir(absolute), filepath.Base(absolute))
	if err := l.load(ctx); err != nil {
		return nil, err
	}
	if l.set.Name = nodeName(l.set.Bootstrap); l.set.Name == "" {
		l.set.Name = stem(name)
	}
	return setsOf([]*loader{l}, nil)
}

// readDiskFile reads a file of this machine, of bounded size.
func readDiskFile(name string) ([]byte, error) {
	return readTreeFile(os.DirFS(filepath.Dir(name)), filepath.Base(name))
}
