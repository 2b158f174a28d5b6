package envoy

import (
	"crypto/tls"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/routedelta/routedelta/render/files"
)

// checkMounted wants the certificates and keys that a rendering only names, which somebody else puts into the directory: a listener
// whose certificate cannot be read closes every connection. Absolute paths are those of Envoy's machine, which need not be ours.
func checkMounted(dir string, wanted *state) error {
	for _, secret := range wanted.set.Secrets {
		certificate := secret.GetTlsCertificate()
		chain, key := certificate.GetCertificateChain().GetFilename(), certificate.GetPrivateKey().GetFilename()
		if chain == "" || key == "" || path.IsAbs(chain) || path.IsAbs(key) || chain == files.SourcePath(files.KeyPath(secret.Name)) {
			continue
		}
		if err := checkPair(filepath.Join(dir, chain), filepath.Join(dir, key)); err != nil {
			return fmt.Errorf("certificate and key of secret %q: %w", secret.Name, err)
		}
	}
	return nil
}

func checkPair(chain, key string) error {
	certificates, err := readFile(chain)
	if err != nil {
		return err
	}
	private, err := readFile(key)
	if err != nil {
		return err
	}
	_, err = tls.X509KeyPair(certificates, private)
	return err
}

func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readBounded(f, maxKey)
}
