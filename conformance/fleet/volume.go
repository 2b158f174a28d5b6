package fleet

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	tlsv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/transport_sockets/tls/v3"

	"github.com/routedelta/routedelta/render/files"
)

type secretReader func(ctx context.Context, name string) (map[string][]byte, error)

// mount puts the Secrets whose files a rendering names where it names them, as a kubelet mounts a Secret: the files are links
// into ..data, and ..data is a link that moves to the new files in one step.
func (e *envoy) mount(ctx context.Context, set *files.Set, read secretReader) error {
	for _, secret := range set.Secrets {
		directory := mountPoint(secret)
		if directory == "" {
			continue
		}
		data, err := read(ctx, secret.Name)
		if err != nil {
			return err
		}
		if err := mountSecret(filepath.Join(e.renderings(), set.Name, filepath.FromSlash(directory)), data); err != nil {
			return err
		}
	}
	return nil
}

// mountPoint is the folder of the files of a secret, or "" for one that names no file.
func mountPoint(secret *tlsv3.Secret) string {
	file := secret.GetTlsCertificate().GetCertificateChain().GetFilename()
	if file == "" {
		return ""
	}
	return path.Dir(path.Clean(file))
}

func mountSecret(directory string, data map[string][]byte) error {
	if mounted(directory, data) {
		return nil
	}
	if err := os.MkdirAll(directory, 0o755); err != nil {
		return err
	}
	version, err := nextVersion(directory)
	if err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(directory, version), 0o755); err != nil {
		return err
	}
	for name, value := range data {
		if err := os.WriteFile(filepath.Join(directory, version, name), value, 0o600); err != nil {
			return err
		}
	}
	next := filepath.Join(directory, "..data_tmp")
	if err := os.Symlink(version, next); err != nil {
		return err
	}
	if err := os.Rename(next, filepath.Join(directory, "..data")); err != nil {
		return err
	}
	for name := range data {
		err := os.Symlink(filepath.Join("..data", name), filepath.Join(directory, name))
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// mounted tells whether a folder shows these files already.
func mounted(directory string, data map[string][]byte) bool {
	for name, value := range data {
		have, err := os.ReadFile(filepath.Join(directory, name))
		if err != nil || !bytes.Equal(have, value) {
			return false
		}
	}
	return true
}

// nextVersion names the folder of the next version of a mount.
func nextVersion(directory string) (string, error) {
	entries, err := os.ReadDir(directory)
	if err != nil {
		return "", err
	}
	versions := 0
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), "..version_") {
			versions++
		}
	}
	return "..version_" + strconv.Itoa(versions), nil
}
