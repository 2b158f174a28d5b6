package format

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// CheckText writes what was found in one side, a line each with its hint below, and the counts last.
func CheckText(w io.Writer, c *report.Check) error {
	var out strings.Builder
	for _, line := range checkLines(c.Findings, true) {
		out.WriteString(line + "\n")
	}
	if len(c.Findings) > 0 {
		out.WriteByte('\n')
	}
	out.WriteString(checkHeadline(c) + "\n")
	_, err := io.WriteString(w, Inert(out.String()))
	return err
}

// checkLines are a line for each finding, with or without its severity, and its hint below, once for neighbours that share it.
func checkLines(findings diagnostic.List, severity bool) []string {
	var lines []string
	for i, d := range findings {
		line := visible(d.String())
		if severity {
			line = fmt.Sprintf("%s: %s", d.Severity, line)
		}
		lines = append(lines, line)
		last := i == len(findings)-1 || findings[i+1].Hint != d.Hint
		if d.Hint != "" && last {
			lines = append(lines, "  hint: "+visible(d.Hint))
		}
	}
	return lines
}

// maxSummaryFindings of one severity are in a Markdown summary: GitHub refuses a job summary of more than 1 MiB.
const maxSummaryFindings = 200

// CheckMarkdown writes the findings for a job summary: the heading is the answer, remarks are folded. What manifests say is in
// fenced blocks, see escape.go.
func CheckMarkdown(w io.Writer, c *report.Check) error {
	var out strings.Builder
	fmt.Fprintf(&out, "### %s\n", checkHeadline(c))
	for _, s := range checkSeverities() {
		found := slices.DeleteFunc(slices.Clone(c.Findings), func(d diagnostic.Diagnostic) bool { return d.Severity != s.severity })
		if len(found) == 0 {
			continue
		}
		lines := checkLines(found[:min(len(found), maxSummaryFindings)], false)
		if more := len(found) - maxSummaryFindings; more > 0 {
			lines = append(lines, fmt.Sprintf("and %d more", more))
		}
		open := " open"
		if s.severity == diagnostic.Info {
			open = ""
		}
		fmt.Fprintf(&out, "\n<details%s><summary>%s</summary>\n\n%s\n</details>\n", open, Plural(len(found), s.one, s.many), fence("text", lines))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// checkSeverity is a severity with its name.
type checkSeverity struct {
	severity  diagnostic.Severity
	one, many string
}

// checkSeverities are all, the worst first.
func checkSeverities() []checkSeverity {
	return []checkSeverity{
		{diagnostic.Error, "error", "errors"}, {diagnostic.Warning, "warning", "warnings"}, {diagnostic.Info, "remark", "remarks"},
	}
}

// checkHeadline is the answer in one line.
func checkHeadline(c *report.Check) string {
	looked := fmt.Sprintf("%s on %s", Plural(c.Rules, "rule", "rules"), Plural(c.Hosts, "host", "hosts"))
	counts := c.Worst()
	var parts []string
	for _, s := range checkSeverities() {
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
