package report

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Digest is a short name of a value that is equal for equal values on every machine and in every run: the start of the
// SHA-256 of its JSON. 16 digits keep two of a million classes apart with all but certainty, and can be read aloud.
func Digest(values ...any) string {
	data, err := json.Marshal(values)
	if err != nil {
		// Only types that JSON cannot hold (channels, functions) fail: a mistake in the calling code, not in the input.
		panic(fmt.Sprintf("report: digest of %T: %v", values, err))
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// SetID gives the class its ID: gateways, listener, areas and outcomes. Causes and places stay out, so that a class
// keeps its ID (and a waiver its meaning) when lines move in the manifests.
func (c *Class) SetID() {
	c.ID = Digest(c.Gateways, c.Listener, c.Severity, c.Areas, c.Before, c.After, c.Note)
}
