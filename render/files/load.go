package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// IsRendering tells whether a path is Envoy configuration: a directory that holds a bootstrap, or nothing but directories that
// do, or nothing but files that Parse reads; or one such file.
func IsRendering(name string) bool {
	if info, err := os.Stat(name); err == nil && !info.IsDir() {
		// A pipe can be read once only, and is left to who asks.
		if !info.Mode().IsRegular() {
			return false
		}
		data, err := readDiskFile(name)
		return err == nil && Recognise(name, data)
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		return false
	}
	defer root.Close()
	return IsRenderingFS(root.FS())
}

// IsRenderingFS is IsRendering for a tree that is no directory (a git revision).
func IsRenderingFS(tree fs.FS) bool {
	if gateways, err := findGateways(tree); err != nil || len(gateways) > 0 {
		return err == nil
	}
	listing, err := findListing(tree)
	return err == nil && listing != nil
}

// Load reads a rendering, or any bootstrap with the files that it names, or what other tools print of an Envoy (see Parse).
// Paths are followed inside the directory only; a relative one starts at the bootstrap's, as Envoy is started there. What Envoy
// would refuse as a whole is an error (a *DecodeError, or a missing file); what it takes is loaded, right or wrong.
func Load(ctx context.Context, name string) ([]*Set, error) { return LoadNoting(ctx, name, nil) }

// LoadNoting is Load, and tells note what it reads.
func LoadNoting(ctx context.Context, name string, note Note) ([]*Set, error) {
	if info, err := os.Stat(name); err == nil && !info.IsDir() {
		return loadFile(ctx, name, note)
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, fmt.Errorf("reading Envoy files: %w", err)
	}
	defer root.Close()
	absolute, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	return loadTree(ctx, noting(root.FS(), note), absolute)
}

// LoadFS is Load for a tree that is no directory (a git revision). Only relative paths can be followed.
func LoadFS(ctx context.Context, tree fs.FS) ([]*Set, error) { return loadTree(ctx, tree, "") }

// LoadFSNoting is LoadFS, and tells note what it reads.
func LoadFSNoting(ctx context.Context, tree fs.FS, note Note) ([]*Set, error) {
	return loadTree(ctx, noting(tree, note), "")
}

func loadTree(ctx context.Context, tree fs.FS, root string) ([]*Set, error) {
	loaded, err := loadAll(ctx, tree, root)
	if !errors.Is(err, ErrNoBootstrap) {
		return setsOf(loaded, err)
	}
	listing, listingErr := findListing(tree)
	if listingErr != nil {
		return nil, fmt.Errorf("reading Envoy files: %w", listingErr)
	}
	if listing == nil {
		return nil, err
	}
	return listing.load(ctx, tree)
}

func setsOf(loaded []*loader, err error) ([]*Set, error) {
	if err != nil {
		return nil, err
	}
	var sets []*Set
	for _, l := range loaded {
		if err := l.firstProblem(); err != nil {
			return nil, fmt.Errorf("reading Envoy files: %w", err)
		}
		sets = append(sets, l.set)
	}
	return sets, nil
}

// ErrNoBootstrap is the error for a tree without Envoy files.
var ErrNoBootstrap = errors.New("there is no bootstrap (bootstrap.json, .yaml, .pb or .pb_text, or envoy.yaml) in the directory or in those below it")

// loadAll reads each Gateway's files. root is where the tree is, for absolute paths that lead into it.
func loadAll(ctx context.Context, tree fs.FS, root string) ([]*loader, error) {
	gateways, err := findGateways(tree)
	if err != nil {
		return nil, fmt.Errorf("looking for Envoy files: %w", err)
	}
	if len(gateways) == 0 {
		return nil, ErrNoBootstrap
	}
	var all []*loader
	for _, bootstrap := range gateways {
		l := newLoader(tree, root, bootstrap)
		l.set.Name = path.Dir(bootstrap)
		if l.set.Name == "." {
			l.set.Name = filepath.Base(root)
		}
		if err := l.load(ctx); err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, nil
}

// findGateways lists the bootstraps of a tree: its own, or one of each directory in it. A tree with anything else beside
// those directories is none of ours.
func findGateways(tree fs.FS) ([]string, error) {
	if own, err := findBootstrap(tree, "."); err != nil || own != "" {
		return compact(own), err
	}
	entries, err := fs.ReadDir(tree, ".")
	if err != nil {
		return nil, err
	}
	var found []string
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		if !entry.IsDir() {
			return nil, nil
		}
		bootstrap, err := findBootstrap(tree, entry.Name())
		if err != nil {
			return nil, err
		}
		if bootstrap == "" {
			return nil, nil
		}
		found = append(found, bootstrap)
	}
	return found, nil
}

func compact(path string) []string {
	if path == "" {
		return nil
	}
	return []string{path}
}

// findBootstrap is the path of the bootstrap in a directory, or "".
func findBootstrap(tree fs.FS, dir string) (string, error) {
	for _, stem := range []string{"bootstrap", "envoy"} {
		for _, extension := range extensions {
			candidate := path.Join(dir, stem+extension)
			info, err := fs.Stat(tree, candidate)
			if err != nil || !info.Mode().IsRegular() {
				continue
			}
			if ok, err := looksLikeBootstrap(tree, candidate); err != nil || ok {
				return candidate, err
			}
		}
	}
	return "", nil
}

// looksLikeBootstrap tells a bootstrap from a manifest of that name (a HelmRelease called envoy.yaml).
func looksLikeBootstrap(tree fs.FS, file string) (bool, error) {
	f, err := tree.Open(file)
	if err != nil {
		return false, err
	}
	defer f.Close()
	head := make([]byte, 1<<16)
	n, err := readFull(f, head)
	if err != nil {
		return false, err
	}
	if path.Ext(file) == ".pb" {
		return true, nil
	}
	text := string(head[:n])
	foreign := strings.Contains(text, "apiVersion:") || strings.Contains(text, `"apiVersion"`)
	dump := strings.Contains(text, "envoy.admin.v3.")
	return !foreign && !dump, nil
}
