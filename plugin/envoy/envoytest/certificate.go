package envoytest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"time"

	tlsv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/transport_sockets/tls/v3"
)

// writeCertificates puts a key and a certificate where each secret names its files. The common name is the secret's
// name, so that a client can tell which secret it was shown.
func writeCertificates(config string, secrets []*tlsv3.Secret) error {
	for _, secret := range secrets {
		pair := secret.GetTlsCertificate()
		if pair == nil {
			continue
		}
		certificate, key, err := selfSigned(secret.GetName())
		if err != nil {
			return fmt.Errorf("making a certificate for secret %q: %w", secret.GetName(), err)
		}
		if err := writeInside(config, pair.GetCertificateChain().GetFilename(), certificate); err != nil {
			return fmt.Errorf("certificate of secret %q: %w", secret.GetName(), err)
		}
		if err := writeInside(config, pair.GetPrivateKey().GetFilename(), key); err != nil {
			return fmt.Errorf("key of secret %q: %w", secret.GetName(), err)
		}
	}
	return nil
}

// selfSigned makes a certificate of one day and its key, as PEM.
func selfSigned(name string) (certificate, key []byte, err error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: name},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(24 * time.Hour),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		return nil, nil, err
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded}), nil
}

// writeInside writes a file below a folder and refuses a path that leads out of it.
func writeInside(dir, path string, data []byte) error {
	if !filepath.IsLocal(path) {
		return fmt.Errorf("%q is not a path inside the rendering", path)
	}
	path = filepath.Join(dir, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}
