package envoy

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"time"
)

// leaf identifies a certificate as Envoy's admin interface lists it.
type leaf struct {
	serial  string
	expires int64
}

// leafOf is the first certificate of a PEM file with certificate and key.
func leafOf(pem []byte) (leaf, error) {
	pair, err := tls.X509KeyPair(pem, pem)
	if err != nil {
		return leaf{}, err
	}
	parsed, err := x509.ParseCertificate(pair.Certificate[0])
	if err != nil {
		return leaf{}, err
	}
	return leaf{serial: parsed.SerialNumber.Text(16), expires: parsed.NotAfter.Unix()}, nil
}

// certificates are those that Envoy's listeners and clusters use at the moment. No counter tells of a key file that was read
// anew: its secret is the same, so that no subscription is updated.
func (a *Admin) certificates(ctx context.Context) (map[leaf]bool, error) {
	var answer struct {
		Certificates []struct {
			Chain []struct {
				Serial  string    `json:"serial_number"`
				Expires time.Time `json:"expiration_time"`
			} `json:"cert_chain"`
		} `json:"certificates"`
	}
	if err := a.askJSON(ctx, "/certs", &answer); err != nil {
		return nil, err
	}
	used := map[leaf]bool{}
	for _, certificate := range answer.Certificates {
		for _, c := range certificate.Chain {
			if serial, ok := new(big.Int).SetString(c.Serial, 16); ok {
				used[leaf{serial: serial.Text(16), expires: c.Expires.Unix()}] = true
			}
		}
	}
	return used, nil
}
