package envoy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/files"
)

// Rendering is what one Envoy is to serve: its files, and the keys that are written with them.
type Rendering struct {
	Set  *files.Set
	Keys []files.File
}

// ErrNotRendering is the error for a directory without the files of exactly one Gateway.
var ErrNotRendering = errors.New("it is no rendering of one Gateway")

// ReadRendering reads the files of one Gateway: the directory of a Gateway, or one that holds no other. No link is followed out of it.
// A rendering with diagnostics of severity Error is not to be installed.
func ReadRendering(ctx context.Context, dir string) (*Rendering, diagnostic.List, error) {
	rendering, err := readRendering(ctx, dir)
	if err == nil {
		err = rendering.checkKeys()
	}
	if err != nil {
		return nil, nil, fmt.Errorf("reading %s: %w", dir, err)
	}
	return rendering, files.Check(rendering.Set), nil
}

func readRendering(ctx context.Context, dir string) (*Rendering, error) {
	sets, err := files.Load(ctx, dir)
	switch {
	case errors.Is(err, files.ErrNoBootstrap):
		return nil, fmt.Errorf("%w: %w", ErrNotRendering, err)
	case err != nil:
		return nil, err
	case len(sets) != 1:
		return nil, fmt.Errorf("%w: it has %s; name the directory of one", ErrNotRendering, namesOf(sets))
	}
	root, err := openGateway(dir, sets[0].Name)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	keys, err := readKeys(root, sets[0])
	return &Rendering{Set: sets[0], Keys: keys}, err
}

func namesOf(sets []*files.Set) string {
	var names []string
	for _, set := range sets {
		names = append(names, set.Name)
	}
	return strings.Join(names, ", ")
}

// openGateway opens the directory with the bootstrap: the one that is named, or the only one in it.
func openGateway(dir, name string) (*os.Root, error) {
	for _, candidate := range []string{dir, filepath.Join(dir, name)} {
		root, err := os.OpenRoot(candidate)
		if err != nil {
			return nil, err
		}
		if format, err := files.FormatOf(root.FS()); err == nil && format != "" {
			return root, nil
		}
		root.Close()
	}
	return nil, fmt.Errorf("%w: there is no bootstrap.json, .yaml or .pb", ErrNotRendering)
}

// maxKey bounds the file of a certificate with its chain and key.
const maxKey = 1 << 20

// readKeys reads the files below secrets/ that the secrets name, as far as they are there.
func readKeys(root *os.Root, set *files.Set) ([]files.File, error) {
	var keys []files.File
	for _, secret := range set.Secrets {
		path := files.KeyPath(secret.Name)
		if secret.GetTlsCertificate().GetCertificateChain().GetFilename() != files.SourcePath(path) {
			continue
		}
		pem, err := readKey(root, path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		keys = append(keys, files.File{Path: path, Data: pem, Private: true, Resource: secret.Name})
	}
	return keys, nil
}

func readKey(root *os.Root, path string) ([]byte, error) {
	f, err := root.Open(filepath.FromSlash(path))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readBounded(f, maxKey)
}

// checkKeys wants every key, and that it fits its certificate: with another Envoy would go on with the old pair, and a new listener
// would close every connection.
func (r *Rendering) checkKeys() error {
	have := map[string][]byte{}
	for _, key := range r.Keys {
		have[files.SourcePath(key.Path)] = key.Data
	}
	for _, secret := range r.Set.Secrets {
		name := secret.GetTlsCertificate().GetCertificateChain().GetFilename()
		if name != files.SourcePath(files.KeyPath(secret.Name)) {
			continue
		}
		if _, ok := have[name]; !ok {
			return fmt.Errorf("%s, which secret %q names, is not there", name, secret.Name)
		}
		if _, err := leafOf(have[name]); err != nil {
			return fmt.Errorf("certificate and key in %s: %w", name, err)
		}
	}
	return nil
}

func readBounded(f *os.File, most int64) ([]byte, error) {
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(fmt.Errorf("%s is no regular file", f.Name()), err)
	}
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%s has more than %d bytes", f.Name(), most)
	}
	return data, err
}
