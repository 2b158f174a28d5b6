package envoytest

import (
	"crypto/tls"
	_ "embed"
	"fmt"
)

// clientCertificate is that of the trusted client. The key is good for nothing else.
//
//go:embed client/tls.crt
var clientCertificate []byte

//go:embed client/tls.key
var clientKey []byte

// certificates are what the client shows.
func (c Client) certificates() ([]tls.Certificate, error) {
	certificate, key := clientCertificate, clientKey
	switch c {
	case Nobody:
		return nil, nil
	case Stranger:
		var err error
		if certificate, key, err = SelfSigned(string(c)); err != nil {
			return nil, fmt.Errorf("making the certificate of a stranger: %w", err)
		}
	case Trusted:
	default:
		return nil, fmt.Errorf("nobody is called %q", c)
	}
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return nil, fmt.Errorf("reading the certificate of client %q: %w", c, err)
	}
	return []tls.Certificate{pair}, nil
}
