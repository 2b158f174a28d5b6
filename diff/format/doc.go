// Package format prints a report: as text for a terminal, as Markdown for a pull request, as a page of HTML, as SARIF for code
// scanning, as JSON for machines.
//
// In comes a report.Report, made by this program or read from a file that anybody wrote; out goes text. Nothing here
// analyses, and nothing is printed that the report does not hold. words.go says what changes in the manifests' own words;
// text.go, markdown.go, html.go and sarif.go set those words; escape.go is the only way by which a string of a manifest reaches
// Markdown, and html/template the only one by which it reaches HTML.
package format

import (
	"io"

	"github.com/routedelta/routedelta/diff/report"
)

// JSON writes the report's wire form.
func JSON(w io.Writer, r *report.Report) error { return report.Encode(w, r) }
