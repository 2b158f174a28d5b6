package manifest

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Verdict is what a certificate and its key are worth.
type Verdict string

const (
	// PairUnknown: the data is not here to see, encrypted (SOPS) or a variable.
	PairUnknown Verdict = ""
	// PairValid: the key is that of the certificate.
	PairValid Verdict = "valid"
	// PairMissing: the Secret has no certificate or no key.
	PairMissing Verdict = "missing"
	// PairMalformed: certificate or key is not PEM or cannot be read.
	PairMalformed Verdict = "malformed"
	// PairMismatched: the key is that of another certificate.
	PairMismatched Verdict = "mismatched"
)

// Pair is the verdict on a certificate and its key, with what is public.
type Pair struct {
	Verdict Verdict
	// Problem says in one clause why the pair cannot be used: "" where it can, or where it is not known.
	Problem string
	// DNSNames and NotAfter are those of the first certificate, where it can be read.
	DNSNames []string
	NotAfter time.Time
}

// Bounds of what is parsed: a chain of certificates, and a key, whose check takes time with the third power of its length.
// An RSA key of 8192 bits, the largest that TLS libraries take, has 6.5 KB.
const (
	longestChain = 256 << 10
	longestKey   = 8 << 10
)

// judgePair judges a certificate and its key.
func judgePair(chain []byte, chainState entryState, key []byte, keyState entryState) Pair {
	pair := Pair{}
	if chainState == entryRead {
		leaf, err := parseChain(chain)
		if err != nil {
			return Pair{Verdict: PairMalformed, Problem: fmt.Sprintf("%s %s", chainKey, err)}
		}
		pair.DNSNames, pair.NotAfter = leaf.DNSNames, leaf.NotAfter
	}
	for _, entry := range []struct {
		name  string
		state entryState
	}{{chainKey, chainState}, {privateKeyKey, keyState}} {
		switch entry.state {
		case entryMissing:
			pair.Verdict, pair.Problem = PairMissing, "it has no "+entry.name
			return pair
		case entryMalformed:
			pair.Verdict, pair.Problem = PairMalformed, entry.name+" is no base64"
			return pair
		}
	}
	if chainState == entryUnknown || keyState == entryUnknown {
		return pair
	}
	pair.Verdict, pair.Problem = judgeKey(chain, key)
	return pair
}

// parseChain reads a chain of certificates and gives the first.
func parseChain(text []byte) (*x509.Certificate, error) {
	if len(text) > longestChain {
		return nil, fmt.Errorf("has more than %d bytes", longestChain)
	}
	var first *x509.Certificate
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != "CERTIFICATE" {
			continue
		}
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, errors.New("holds a certificate that cannot be read")
		}
		if first == nil {
			first = certificate
		}
	}
	if first == nil {
		return nil, errors.New("holds no certificate in PEM")
	}
	return first, nil
}

// judgeKey judges the key of a chain that can be read. No word of what it holds gets into the problem.
func judgeKey(chain, key []byte) (Verdict, string) {
	if len(key) > longestKey {
		return PairMalformed, fmt.Sprintf("%s has more than %d bytes", privateKeyKey, longestKey)
	}
	_, err := tls.X509KeyPair(chain, key)
	switch {
	case err == nil:
		return PairValid, ""
	case strings.Contains(err.Error(), "does not match"):
		return PairMismatched, fmt.Sprintf("%s is not the key of %s", privateKeyKey, chainKey)
	}
	return PairMalformed, privateKeyKey + " is no private key in PEM that can be read"
}
