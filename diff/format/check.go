package format

import (
	"fmt"
	"io"
	"strings"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// CheckText writes what was found in one side, a line each with its hint below, and the counts last.
func CheckText(w io.Writer, c *report.Check) error {
	var out strings.Builder
	for i, d := range c.Findings {
		fmt.Fprintf(&out, "%s: %s\n", d.Severity, visible(d.String()))
		last := i == len(c.Findings)-1 || c.Findings[i+1].Hint != d.Hint
		if d.Hint != "" && last {
			fmt.Fprintf(&out, "  hint: %s\n", visible(d.Hint))
		}
	}
	if len(c.Findings) > 0 {
		out.WriteByte('\n')
	}
	out.WriteString(checkHeadline(c) + "\n")
	_, err := io.WriteString(w, out.String())
	return err
}

// checkHeadline is the answer in one line.
func checkHeadline(c *report.Check) string {
	looked := fmt.Sprintf("%s on %s", Plural(c.Rules, "rule", "rules"), Plural(c.Hosts, "host", "hosts"))
	counts := c.Worst()
	var parts []string
	for _, s := range []struct {
		severity  diagnostic.Severity
		one, many string
	}{{diagnostic.Error, "error", "errors"}, {diagnostic.Warning, "warning", "warnings"}, {diagnostic.Info, "remark", "remarks"}} {
		if n := counts[s.severity]; n > 0 {
			parts = append(parts, Plural(n, s.one, s.many))
		}
	}
	if len(parts) == 0 {
		parts = append(parts, "nothing to say")
	}
	if c.Suppressed > 0 {
		parts = append(parts, fmt.Sprintf("%d suppressed", c.Suppressed))
	}
	return fmt.Sprintf("%s checked: %s", looked, strings.Join(parts, ", "))
}

// CheckSARIF writes the findings for code scanning: as those of a report in which everything is new.
func CheckSARIF(w io.Writer, c *report.Check) error {
	r := &report.Report{Tool: c.Tool, After: report.Side{Source: strings.Join(c.Sources, " ")}}
	for _, d := range c.Findings {
		r.Diagnostics = append(r.Diagnostics, report.Diagnostic{Diagnostic: d, State: "introduced"})
	}
	return SARIF(w, r)
}
