package format

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/routedelta/routedelta/diff/report"
)

// TextOptions of a terminal. The zero value is for a pipe.
type TextOptions struct {
	// Color sets the severity of each class in colour. The word is there without it.
	Color bool
	// Width of the terminal, 0 for no limit: outcomes that do not fit behind the requests stand on a line of their own.
	Width int
}

// indent is the column in which everything but a severity begins.
const indent = 11

// Text is the whole report for a terminal, with the answer on its last line: that is where the eye is when a program
// ends.
func Text(w io.Writer, r *report.Report, options TextOptions) error {
	t := &terminal{report: r, options: options, words: textWords(r)}
	t.header()
	t.classes()
	t.undecided()
	t.uncompared()
	t.effectless()
	t.diagnostics()
	t.sources()
	if n := r.Refactored; n > 0 {
		fmt.Fprintf(t, "%s every outcome as it was\n", Plural(n, "edit leaves", "edits leave"))
	}
	t.policy()
	t.WriteString(Headline(r) + "\n")
	_, err := io.WriteString(w, Inert(t.String()))
	return err
}

// textWords have no typography. Control characters of a name never reach the terminal.
func textWords(r *report.Report) words {
	same := func(s string) string { return s }
	return words{
		code:   visible,
		strong: same,
		number: same,
		word:   func(s string) string { return strings.ReplaceAll(visible(s), "→", "->") },
		link: func(_ report.Side, file string, line int) string {
			if line == 0 {
				return visible(file)
			}
			return fmt.Sprintf("%s:%d", visible(file), line)
		},
		arrow:     "->",
		between:   "   ",
		percent:   "%",
		items:     10,
		ambiguous: ambiguousBackends(r),
	}
}

type terminal struct {
	strings.Builder
	report  *report.Report
	options TextOptions
	words   words
}

// header says what was compared.
func (t *terminal) header() {
	r := t.report
	fmt.Fprintf(t, "%s   %s %s %s   %s\n", t.words.gatewayNames(r), visible(revision(r.Before)), t.words.arrow,
		visible(revision(r.After)), compared(r))
	if said := caveat(r); said != "" {
		t.WriteString(said + "\n")
	}
	for _, said := range t.words.caveats(r) {
		t.WriteString("note: " + said + "\n")
	}
	t.WriteString("\n")
}

// entry is one class, or one of the findings that look like it.
type entry struct {
	label    string
	severity report.Severity
	requests []string
	change   string
	below    []string
}

func (t *terminal) classes() {
	entries := make([]entry, len(t.report.Classes))
	for i, c := range t.report.Classes {
		entries[i] = t.class(c)
	}
	t.entries(entries)
}

func (t *terminal) class(c report.Class) entry {
	before, after := t.words.change(c)
	requests := t.words.requests(c, "\n")
	if where := t.words.where(t.report, c); where != "" {
		requests += "  " + where
	}
	e := entry{
		label:    string(c.Severity),
		severity: c.Severity,
		requests: strings.Split(requests, "\n"),
		change:   before + " " + t.words.arrow + " " + after,
	}
	if because := t.words.because(t.report, c); because != "" {
		e.below = append(e.below, because)
	}
	for _, witness := range c.Witnesses {
		e.below = append(e.below, visible(witness.Curl))
	}
	return e
}

func (t *terminal) undecided() {
	var entries []entry
	for _, u := range t.report.Undecided {
		e := entry{label: "undecided", requests: []string{t.words.region(t.report, u)}, below: []string{visible(u.Reason)}}
		for _, sample := range u.Samples {
			e.below = append(e.below, visible(sample.Curl))
		}
		entries = append(entries, e)
	}
	t.entries(entries)
}

func (t *terminal) uncompared() {
	for _, u := range t.report.Uncompared {
		fmt.Fprintf(t, "%-*s%s\n", indent, "uncompared", t.words.uncompared(t.report, u))
	}
	if len(t.report.Uncompared) > 0 {
		t.WriteString("\n")
	}
}

func (t *terminal) effectless() {
	for _, e := range t.report.Effectless {
		fmt.Fprintf(t, "%-*s%s\n", indent, "no effect", t.words.effectless(t.report, e))
	}
	if len(t.report.Effectless) > 0 {
		t.WriteString("\n")
	}
}

func (t *terminal) diagnostics() {
	written := false
	for _, d := range t.report.Diagnostics {
		side := "after"
		switch d.State {
		case "unchanged":
			continue
		case "fixed":
			side = "before"
		}
		written = true
		fmt.Fprintf(t, "%-*s%s\n", indent, visible(d.State), t.words.diagnostic(t.report, side, d))
	}
	if written {
		t.WriteString("\n")
	}
}

// entries are printed with their changes in one column.
func (t *terminal) entries(entries []entry) {
	column := t.column(entries)
	for _, e := range entries {
		t.label(e)
		for i, line := range e.requests {
			if i > 0 {
				t.WriteString("\n" + strings.Repeat(" ", indent))
			}
			t.WriteString(line)
		}
		last := utf8.RuneCountInString(e.requests[len(e.requests)-1])
		switch {
		case e.change == "":
		case last <= column:
			t.WriteString(strings.Repeat(" ", column-last) + "  " + e.change)
		default:
			t.WriteString("\n" + strings.Repeat(" ", indent) + e.change)
		}
		t.WriteString("\n")
		for _, line := range e.below {
			t.WriteString(strings.Repeat(" ", indent) + line + "\n")
		}
	}
	if len(entries) > 0 {
		t.WriteString("\n")
	}
}

// column is the width of the requests: the widest that lets its change stand beside it, and at most 60 characters, so
// that one long name does not push all changes out of sight.
func (t *terminal) column(entries []entry) int {
	column := 0
	for _, e := range entries {
		width := utf8.RuneCountInString(e.requests[len(e.requests)-1])
		beside := indent + width + 2 + utf8.RuneCountInString(e.change)
		if width <= 60 && (t.options.Width == 0 || beside <= t.options.Width) {
			column = max(column, width)
		}
	}
	return column
}

// label is padded before it is coloured: a terminal does not count the codes, and Go would.
func (t *terminal) label(e entry) {
	padded := fmt.Sprintf("%-*s", indent, e.label)
	if color := ansi(e.severity); t.options.Color && color != "" {
		padded = "\x1b[" + color + "m" + padded + "\x1b[0m"
	}
	t.WriteString(padded)
}

// ansi are the colours that are legible on light and dark ground alike.
func ansi(s report.Severity) string {
	switch s {
	case report.Lost:
		return "1;31"
	case report.Moves:
		return "33"
	case report.Gained:
		return "32"
	case report.Treated:
		return "34"
	}
	return ""
}
