package attach

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"

	"github.com/routedelta/routedelta/render/model"
)

// authorityKey is the entry of a ConfigMap that holds CA certificates (BackendTLSPolicyValidation.caCertificateRefs).
const authorityKey = "ca.crt"

// authorities are the CA certificates of a ConfigMap as PEM text, with nothing else that stood around them; an error says what
// is wrong with them. known is false where the input has no such ConfigMap.
func (r *resolver) authorities(name model.Name) (certificates string, known bool, err error) {
	object, known := r.index.configMaps[name]
	if !known {
		return "", false, nil
	}
	text, has := object.Data[authorityKey]
	if !has {
		return "", true, fmt.Errorf("ConfigMap %s has no entry %s", name, authorityKey)
	}
	certificates, err = onlyCertificates(text)
	if err != nil {
		return "", true, fmt.Errorf("entry %s of ConfigMap %s: %w", authorityKey, name, err)
	}
	return certificates, true, nil
}

// onlyCertificates keeps the certificates of a PEM text. Envoy refuses the whole resource for one that does not parse.
func onlyCertificates(text string) (string, error) {
	var kept strings.Builder
	for rest := []byte(text); ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		if block.Type != "CERTIFICATE" {
			continue
		}
		if _, err := x509.ParseCertificate(block.Bytes); err != nil {
			return "", fmt.Errorf("a certificate does not parse: %w", err)
		}
		kept.Write(pem.EncodeToMemory(&pem.Block{Type: block.Type, Bytes: block.Bytes}))
	}
	if kept.Len() == 0 {
		return "", errors.New("there is no certificate in PEM form")
	}
	return kept.String(), nil
}
