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
	"path"
	"path/filepath"
	"strings"
	"time"

	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	tlsv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/transport_sockets/tls/v3"
	"google.golang.org/protobuf/proto"
)

// writeCertificates puts a key and a certificate where each secret names its files. The common name is the secret's
// name, so that a client can tell which secret it was shown. A secret that is called as a host is has a certificate for it.
func writeCertificates(config string, secrets []*tlsv3.Secret) error {
	for _, secret := range secrets {
		pair := secret.GetTlsCertificate()
		if pair == nil {
			continue
		}
		certificate, key, err := SelfSigned(secret.GetName())
		if err != nil {
			return fmt.Errorf("making a certificate for secret %q: %w", secret.GetName(), err)
		}
		if pair.GetPrivateKey().GetFilename() == pair.GetCertificateChain().GetFilename() { // one file for both
			key = append(certificate, key...)
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

// writeAuthorities puts the CA of the echoes where a cluster names a file of the rendering for CA certificates.
func writeAuthorities(config string, clusters []*clusterv3.Cluster) error {
	for _, cluster := range clusters {
		if err := writeTrusted(config, cluster.GetTransportSocket(), &tlsv3.UpstreamTlsContext{}, backendAuthority); err != nil {
			return fmt.Errorf("CA certificates of cluster %q: %w", cluster.GetName(), err)
		}
	}
	return nil
}

// writeClientAuthorities puts the CA of the trusted client where a filter chain names a file of the rendering for CA certificates.
func writeClientAuthorities(config string, listeners []*listenerv3.Listener) error {
	for _, listener := range listeners {
		for _, chain := range listener.GetFilterChains() {
			if err := writeTrusted(config, chain.GetTransportSocket(), &tlsv3.DownstreamTlsContext{}, clientCertificate); err != nil {
				return fmt.Errorf("CA certificates of filter chain %q: %w", chain.GetName(), err)
			}
		}
	}
	return nil
}

// tlsContext is the TLS configuration of one side of a connection.
type tlsContext interface {
	proto.Message
	GetCommonTlsContext() *tlsv3.CommonTlsContext
}

// writeTrusted writes CA certificates where a socket with TLS of that side names a file of the rendering for them.
func writeTrusted(config string, socket *corev3.TransportSocket, context tlsContext, authorities []byte) error {
	if !socket.GetTypedConfig().MessageIs(context) {
		return nil
	}
	if err := socket.GetTypedConfig().UnmarshalTo(context); err != nil {
		return err
	}
	file := context.GetCommonTlsContext().GetValidationContext().GetTrustedCa().GetFilename()
	if file == "" || filepath.IsAbs(file) {
		return nil
	}
	return writeInside(config, file, authorities)
}

// SelfSigned makes a certificate of one day and its key, as PEM.
func SelfSigned(name string) (certificate, key []byte, err error) {
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
	if host := path.Base(name); strings.Contains(host, ".") {
		template.DNSNames = []string{host}
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
