package format

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/routedelta/routedelta/diff/report"
)

// DefaultLimit is the length of a comment, in characters. GitHub refuses more than 65,536, and counts otherwise than it
// says at times; the rest is for the marker that the caller adds.
const DefaultLimit = 65000

// MarkdownOptions of a comment or a job summary. The zero value is usable.
type MarkdownOptions struct {
	// Limit in characters (runes), DefaultLimit if 0.
	Limit int
	// Rows of the table, 10 if 0.
	Rows int
	// Instance tells comments of several comparisons of one pull request apart, in the heading.
	Instance string
	// MoreURL is where the rest is when not all fits, and MoreText what it is called there ("job summary").
	MoreText, MoreURL string
}

// detail says how much is printed. Where a level is too long the next one is rendered from the report anew: nothing that
// has been rendered is ever cut, so no table, fence or element stays open.
type detail struct {
	rows int
	// literal bounds a name, items a list of names, findings the sentences about edits and diagnostics.
	literal, items, findings int
	// requests to try, 0 for none; line bounds the length of each.
	requests, line int
	why            bool
	// table: rows stand in a table, else in a list.
	table bool
}

// levels from most to least.
func levels(rows int) []detail {
	return []detail{
		{rows: rows, literal: 120, items: 4, findings: 10, requests: rows, line: 4000, why: true, table: true},
		{rows: rows, literal: 80, items: 3, findings: 5, requests: 3, line: 1000, table: true},
		{rows: min(rows, 10), literal: 48, items: 2, findings: 3, table: true},
		{rows: min(rows, 10), literal: 32, items: 1, findings: 1},
		{rows: min(rows, 3), literal: 16, items: 1},
		{},
	}
}

// Markdown is the report as GitHub shows it: the heading is the answer. It is never longer than the limit.
func Markdown(r *report.Report, options MarkdownOptions) string {
	if options.Limit == 0 {
		options.Limit = DefaultLimit
	}
	if options.Rows == 0 {
		options.Rows = 10
	}
	ambiguous := ambiguousBackends(r)
	for _, d := range levels(options.Rows) {
		page := &page{report: r, options: options, detail: d, ambiguous: ambiguous}
		if text := page.render(); utf8.RuneCountInString(text) <= options.Limit {
			return text
		}
	}
	// Numbers and words of ours only: a limit below that is none that a caller means.
	bare := "### routedelta · " + Headline(r) + "\n"
	if said := policyHeadline(r); said != "" {
		bare += "\n" + said + ".\n"
	}
	return bare
}

// page is one rendering at one level of detail.
type page struct {
	strings.Builder
	report  *report.Report
	options MarkdownOptions
	detail  detail
	// ambiguous as in words.
	ambiguous map[string]bool
}

func (p *page) render() string {
	p.heading()
	p.policy()
	p.compared()
	if p.detail.rows > 0 {
		p.uncompared()
		p.classes()
		p.effectless()
		p.requests()
		p.why()
		p.diagnostics()
		p.sources()
	} else {
		p.rest(p.report.Counts.Classes())
	}
	p.proof()
	return p.String()
}

// words for a place inside or outside of a table.
func (p *page) words(inTable bool) words {
	literal := p.detail.literal
	code := func(s string) string { return codeSpan(cut(s, literal), inTable) }
	return words{
		code:   code,
		strong: func(s string) string { return "**" + s + "**" },
		word:   func(s string) string { return sentence(cut(s, 4*literal), inTable) },
		number: func(s string) string { return s },
		link: func(side report.Side, file string, line int) string {
			text := cut(file, literal)
			if line > 0 {
				text += fmt.Sprintf(":%d", line)
			}
			return link(text, blobAddress(side.BlobURL, file, line), inTable)
		},
		arrow:     "→",
		between:   " · ",
		percent:   " %",
		items:     max(p.detail.items, 1),
		ambiguous: p.ambiguous,
	}
}

func (p *page) heading() {
	p.WriteString("### routedelta")
	if p.options.Instance != "" {
		p.WriteString(" " + codeSpan(cut(p.options.Instance, 40), false))
	}
	p.WriteString(" · " + Headline(p.report) + "\n")
}

// compared is the small line under the heading. It is one line: <sub> lets wrapped lines run into each other.
func (p *page) compared() {
	w := p.words(false)
	r := p.report
	before, after := revision(r.Before), revision(r.After)
	if p.detail.rows == 0 {
		return
	}
	fmt.Fprintf(p, "\n<sub>%s · %s %s %s · %s</sub>\n",
		w.gatewayNames(r), w.code(before), w.arrow, w.code(after), compared(r))
	if said := caveat(r); said != "" {
		fmt.Fprintf(p, "\n<sub>%s</sub>\n", said)
	}
	for _, said := range w.caveats(r) {
		fmt.Fprintf(p, "\n<sub>note: %s</sub>\n", said)
	}
}

// rest says how much is not shown, and where it is.
func (p *page) rest(n int) {
	if n == 0 {
		return
	}
	where := ""
	if p.options.MoreURL != "" && strings.HasPrefix(p.options.MoreURL, "https://") {
		where = ": " + link(p.options.MoreText, percentEncode(p.options.MoreURL), false)
	} else if p.options.MoreText != "" {
		where = ": " + p.options.MoreText
	}
	fmt.Fprintf(p, "\n…and %s%s.\n", Plural(n, "more kind of request", "more kinds of requests"), where)
}

// proof ends the comment: what the answer rests on.
func (p *page) proof() {
	proved := "proved, not sampled"
	if assumed(p.report) != "" {
		proved += ", on what is assumed above"
	}
	switch c := p.report.Counts; {
	case open(c) != "":
		fmt.Fprintf(p, "\nNothing is claimed about %s. All else is %s.\n", claimless(c), proved)
	case c.Classes() > 0:
		p.WriteString("\nP" + proved[1:] + ".\n")
	case len(p.report.Gateways) > 0:
		p.unchanged(proved)
	}
}

// claimless is what the answer leaves open.
func claimless(c report.Counts) string {
	switch {
	case c.Uncompared == 0:
		return "what is not decided"
	case c.Undecided == 0:
		return "what is not compared"
	}
	return "what is not decided or not compared"
}

// unchanged is the second of the two lines that "nothing to say" takes.
func (p *page) unchanged(proved string) {
	if n := p.report.Refactored; n > 0 {
		fmt.Fprintf(p, "\nThe %s of the routes %s the outcome of every request as it was. That is %s.\n",
			Plural(n, "edit", "edits"), verb(n, "leaves", "leave"), proved)
		return
	}
	fmt.Fprintf(p, "\nEvery request has the outcome that it had. That is %s.\n", proved)
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
