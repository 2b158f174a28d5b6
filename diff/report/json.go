package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// maxBytes bounds what Decode reads. A report may come from an artifact that anybody made.
const maxBytes = 256 << 20

// ErrVersion is the cause when a report is of another wire form than this program reads.
var ErrVersion = errors.New("unknown report version")

// Encode writes the wire form: two blanks a level, lists never null, a newline at the end. Equal reports give equal bytes.
func Encode(w io.Writer, r *Report) error {
	wire := *r
	wire.Version = Version
	wire.Gateways = listed(wire.Gateways)
	wire.Classes = slices.Clone(listed(wire.Classes))
	for i := range wire.Classes {
		wire.Classes[i].fill()
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(&wire); err != nil {
		return fmt.Errorf("writing report: %w", err)
	}
	return nil
}

// fill makes lists of what is not there: a reader in another language need not know both. Areas are those of requests that no
// path and host can say, such as all that go to one backend.
func (c *Class) fill() {
	c.Gateways, c.Areas, c.Before, c.After = listed(c.Gateways), listed(c.Areas), listed(c.Before), listed(c.After)
	c.Witnesses, c.Causes = listed(c.Witnesses), listed(c.Causes)
}

func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// Decode reads the wire form. It refuses another version, fields that it does not know (a misspelt field would otherwise
// be a finding that nobody sees), severities that it cannot rank, and anything behind the report.
func Decode(from io.Reader) (*Report, error) {
	limited := &io.LimitedReader{R: from, N: maxBytes + 1}
	data, err := io.ReadAll(limited)
	if err != nil {
		return nil, fmt.Errorf("reading report: %w", err)
	}
	if limited.N == 0 {
		return nil, fmt.Errorf("reading report: larger than %d bytes", maxBytes)
	}
	// The version first: another version is the likely reason for fields that are not known.
	var head struct {
		Version string `json:"version"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, fmt.Errorf("reading report: %w", err)
	}
	if head.Version != Version {
		return nil, fmt.Errorf("reading report: %w %q, want %q", ErrVersion, head.Version, Version)
	}
	return decodeStrict(data)
}

func decodeStrict(data []byte) (*Report, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	r := new(Report)
	if err := decoder.Decode(r); err != nil {
		return nil, fmt.Errorf("reading report: %w", err)
	}
	for i := range r.Classes {
		if r.Classes[i].Severity.Rank() < 0 {
			return nil, fmt.Errorf("reading report: class %d has unknown severity %q", i, r.Classes[i].Severity)
		}
	}
	return r, nil
}
