package certificate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
)

// MaxBytes bounds what Parse reads.
const MaxBytes = 256 << 20

// ErrAltered is the cause when a file is not the text that Encode wrote.
var ErrAltered = errors.New("the certificate was altered")

// Encode writes the one text of a certificate: two blanks a level, a newline at the end, its own digest as the last field.
func Encode(c *Certificate) ([]byte, error) {
	sealed := *c
	sealed.APIVersion, sealed.Kind, sealed.Digest = APIVersion, Kind, ""
	text, err := write(&sealed)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	sealed.Digest = "sha256:" + hex.EncodeToString(sum[:])
	return write(&sealed)
}

func write(c *Certificate) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(c); err != nil {
		return nil, fmt.Errorf("writing the certificate: %w", err)
	}
	return out.Bytes(), nil
}

// Parse reads a certificate. What is read is written anew and must give the same bytes, so a file with any byte altered is
// refused, wherever it stands: either it no longer is the one text of what it says, or its digest is that of another.
func Parse(data []byte) (*Certificate, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("reading the certificate: larger than %d bytes", MaxBytes)
	}
	var head struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, fmt.Errorf("reading the certificate: %w", err)
	}
	if head.APIVersion != APIVersion || head.Kind != Kind {
		return nil, fmt.Errorf("reading the certificate: want apiVersion %s and kind %s, have %q and %q", APIVersion, Kind, head.APIVersion, head.Kind)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	var c Certificate
	if err := decoder.Decode(&c); err != nil {
		return nil, fmt.Errorf("reading the certificate: %w", err)
	}
	again, err := Encode(&c)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(again, data) {
		return nil, fmt.Errorf("reading the certificate: %w", ErrAltered)
	}
	return &c, nil
}
