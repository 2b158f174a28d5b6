package echo

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
)

// serverTLS shows the certificate that is mounted, and takes client certificates of the authorities that are. It is nil where
// the environment names no certificate. keyVariable names the key: the servers of the image disagree about its spelling.
func (p Pod) serverTLS(keyVariable string) *tls.Config {
	if p.Environment["TLS_SERVER_CERT"] == "" || p.Environment[keyVariable] == "" {
		return nil
	}
	return &tls.Config{
		MinVersion: tls.VersionTLS12,
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
			return p.mountedTLS(p.Environment["TLS_SERVER_CERT"], p.Environment[keyVariable], p.Environment["TLS_CLIENT_CACERTS"])
		},
	}
}

func (p Pod) mountedTLS(certificateFile, keyFile, authoritiesFile string) (*tls.Config, error) {
	certificate, err := p.ReadFile(certificateFile)
	if err != nil {
		return nil, err
	}
	key, err := p.ReadFile(keyFile)
	if err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return nil, err
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair}, NextProtos: []string{"h2", "http/1.1"}}
	if authoritiesFile == "" {
		return config, nil
	}
	authorities, err := p.ReadFile(authoritiesFile)
	if err != nil {
		return nil, err
	}
	config.ClientCAs = x509.NewCertPool()
	if !config.ClientCAs.AppendCertsFromPEM(authorities) {
		return nil, fmt.Errorf("%s holds no certificate", authoritiesFile)
	}
	config.ClientAuth = tls.VerifyClientCertIfGiven
	return config, nil
}

// encodeCertificates writes certificates as PEM.
func encodeCertificates(certificates []*x509.Certificate) []string {
	var encoded []string
	for _, certificate := range certificates {
		encoded = append(encoded, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Raw})))
	}
	return encoded
}

// versionName is the version of TLS as the image's HTTP and gRPC servers write it.
func versionName(version uint16) string {
	return map[uint16]string{
		tls.VersionTLS10: "TLSv1.0", tls.VersionTLS11: "TLSv1.1", tls.VersionTLS12: "TLSv1.2", tls.VersionTLS13: "TLSv1.3",
	}[version]
}
