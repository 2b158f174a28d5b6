package report

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// CheckVersion is the version of the wire form of a Check.
const CheckVersion = "routedelta.dev/check/v1alpha1"

// Check is what was found in one side, without a comparison.
type Check struct {
	Version string `json:"version"`
	// Tool is the version of routedelta.
	Tool string `json:"tool"`
	// Sources are what the caller named.
	Sources []string `json:"sources"`
	// Order is the dialect of competing rules; "" when no source was manifests.
	Order string `json:"order,omitempty"`
	// Rules and Hosts count what was looked through.
	Rules int `json:"rules"`
	Hosts int `json:"hosts"`
	// Findings in the order of their places.
	Findings diagnostic.List `json:"findings"`
	// Suppressed counts findings that a suppression takes out of the list.
	Suppressed int `json:"suppressed"`
}

// Worst counts the findings of each severity.
func (c *Check) Worst() map[diagnostic.Severity]int {
	counts := map[diagnostic.Severity]int{}
	for _, d := range c.Findings {
		counts[d.Severity]++
	}
	return counts
}

// Open tells that something was not decided. A remark that a listener has no routes is not that.
func (c *Check) Open() bool {
	for _, d := range c.Findings {
		if d.Code == diagnostic.NotDecided && d.Severity != diagnostic.Info {
			return true
		}
	}
	return false
}

// EncodeCheck writes the wire form, as Encode does for a report.
func EncodeCheck(w io.Writer, c *Check) error {
	wire := *c
	wire.Version, wire.Sources, wire.Findings = CheckVersion, listed(c.Sources), listed(c.Findings)
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(&wire); err != nil {
		return fmt.Errorf("writing findings: %w", err)
	}
	return nil
}
