package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ErrNotRendering is the error of Write for a directory that holds anything but renderings.
var ErrNotRendering = errors.New("the directory holds other files than a rendering")

// stagingPrefix begins the names of directories that hold files until all of them are written. One that is left over (a kill,
// a power cut) is removed by the next Write.
const stagingPrefix = ".routedelta-"

// Write makes a directory hold the sets, each in a directory of its own. Files of Gateways that are gone are removed; what a
// Gateway's directory holds beside our files (certs/) stays. A directory that is neither empty nor a rendering is refused.
//
// Until every byte is on the disk nothing is changed, so an error, a full disk or a cancelled context leave what was there.
// Then each file is renamed into its place, which is also what a running Envoy demands of a new file, and in the order in
// which it loses the fewest requests; a failure on the way brings the old files back. Files that stay equal are not touched.
func Write(ctx context.Context, dir string, sets []*Set, options Options) error {
	return WriteWithKeys(ctx, dir, sets, nil, options)
}

// WriteWithKeys is Write with the files of certificates and keys that the sets name (KeyPath), which are there with the rest or
// not at all. Their paths begin with the name of a set. Keys of an earlier rendering that are not among them are removed.
func WriteWithKeys(ctx context.Context, dir string, sets []*Set, keys []File, options Options) error {
	encoded, err := encodeAll(ctx, sets, options)
	if err != nil {
		return err
	}
	wanted := append(slices.Clone(keys), encoded...)
	existing, err := existingFiles(dir)
	if err != nil {
		return fmt.Errorf("writing %s: %w", dir, err)
	}
	if err := install(ctx, dir, wanted, existing); err != nil {
		return fmt.Errorf("writing %s: %w", dir, err)
	}
	return nil
}

// encodeAll is every file by its path in the whole rendering, in the order in which they are to be installed.
func encodeAll(ctx context.Context, sets []*Set, options Options) ([]File, error) {
	var all []File
	names := map[string]bool{}
	for _, set := range sets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if set.Name != filepath.Base(set.Name) || strings.HasPrefix(set.Name, ".") {
			return nil, fmt.Errorf("a set cannot be written into a directory called %q", set.Name)
		}
		if names[set.Name] {
			return nil, fmt.Errorf("two sets are called %q", set.Name)
		}
		names[set.Name] = true
		encoded, err := Encode(set, options)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", set.Name, err)
		}
		for _, file := range encoded {
			all = append(all, File{Path: set.Name + "/" + file.Path, Data: file.Data})
		}
	}
	slices.SortStableFunc(all, func(a, b File) int { return installRank(a.Path) - installRank(b.Path) })
	return all, nil
}

// installRank puts what is named before what names it: secrets, endpoints, clusters, routes, listeners, bootstrap.
func installRank(path string) int {
	order := []string{"/sds/", "/eds/", "/cds.", "/rds/", "/lds.", "/bootstrap."}
	return slices.IndexFunc(order, func(part string) bool { return strings.Contains(path, part) })
}

// existingFiles lists our files in a directory by their paths in it. A directory that is not there has none.
func existingFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var ours []string
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		found, err := gatewayFiles(dir, entry)
		if err != nil {
			return nil, err
		}
		ours = append(ours, found...)
	}
	return ours, nil
}

// gatewayFiles lists our files of one Gateway's directory, from the rendering's directory on.
func gatewayFiles(dir string, entry os.DirEntry) ([]string, error) {
	if !entry.IsDir() {
		return nil, fmt.Errorf("%w: %s", ErrNotRendering, entry.Name())
	}
	own, err := OwnFiles(os.DirFS(filepath.Join(dir, entry.Name())))
	if err != nil {
		return nil, err
	}
	var ours []string
	for _, file := range own {
		ours = append(ours, entry.Name()+"/"+file)
	}
	if _, err := os.Stat(filepath.Join(dir, entry.Name(), "certs")); len(ours) == 0 && err != nil {
		return nil, fmt.Errorf("%w: %s has no bootstrap", ErrNotRendering, entry.Name())
	}
	return ours, nil
}

var globCharacters = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`)

func escapeGlob(path string) string { return globCharacters.Replace(path) }

// unchanged tells whether a file on the disk holds the bytes of another, and keeps them as private.
func unchanged(path string, file File) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(file.Data)) || file.Private && info.Mode().Perm() != file.mode() {
		return false
	}
	have, err := os.ReadFile(path)
	return err == nil && bytes.Equal(have, file.Data)
}

// mode is that of a new file.
func (f File) mode() os.FileMode {
	if f.Private {
		return 0o600
	}
	return 0o644
}
