package format

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/routedelta/routedelta/diff/report"
)

// mark is the colour of a severity. The word beside it says the same to who does not see colours.
func mark(s report.Severity) string {
	switch s {
	case report.Lost:
		return "🔴"
	case report.Moves:
		return "🟠"
	case report.Gained:
		return "🟢"
	case report.Treated:
		return "🔵"
	}
	return "⚪"
}

// markedWord holds mark and word together: a narrow column would break between them.
func markedWord(mark, word string) string { return mark + "\u00a0" + word }

// classes is the table of what changes, worst first, with what is undecided at its end.
func (p *page) classes() {
	r := p.report
	if len(r.Classes) == 0 && len(r.Undecided) == 0 {
		return
	}
	rows := groups(r.Classes, p.detail.rows)
	shown := rows[:min(len(rows), p.detail.rows)]
	p.WriteString("\n")
	if p.detail.table {
		p.WriteString("| | Requests | Before | After | Because |\n|---|---|---|---|---|\n")
	}
	counted := 0
	for _, row := range shown {
		p.row(row)
		counted += 1 + row.more
	}
	p.undecided(max(1, p.detail.rows-len(shown)))
	p.rest(len(r.Classes) - counted)
}

func (p *page) row(g group) {
	w := p.words(p.detail.table)
	before, after := w.change(g.Class)
	because := w.because(p.report, g.Class)
	if g.more > 0 {
		because += fmt.Sprintf(" (and %s by this edit)", Plural(g.more, "more kind of request", "more kinds of requests"))
	}
	requests := w.requests(g.Class, p.lineBreak())
	if where := w.where(p.report, g.Class); where != "" {
		requests += " (" + where + ")"
	}
	p.line(markedWord(mark(g.Severity), string(g.Severity)), requests, before, after, because)
}

// line is a row of the table, or an item of the list.
func (p *page) line(what, requests, before, after, because string) {
	if p.detail.table {
		fmt.Fprintf(p, "| %s | %s | %s | %s | %s |\n", what, requests, before, after, because)
		return
	}
	fmt.Fprintf(p, "- %s: %s: %s → %s\n", what, requests, before, after)
}

func (p *page) lineBreak() string {
	if p.detail.table {
		return "<br>"
	}
	return "; "
}

// undecided are the regions about which nothing is claimed.
func (p *page) undecided(rows int) {
	all := p.report.Undecided
	w := p.words(p.detail.table)
	for _, u := range all[:min(len(all), rows)] {
		p.line(markedWord("❔", "undecided"), w.region(p.report, u), "?", "?", w.word(u.Reason))
	}
	if n := len(all) - rows; n > 0 {
		p.line(markedWord("❔", "undecided"), Plural(n, "more region", "more regions"), "?", "?", "")
	}
}

// uncompared are the edits about which nothing is claimed. They stand before all else: the rest is read with them in mind.
func (p *page) uncompared() {
	all := p.report.Uncompared
	if len(all) == 0 {
		return
	}
	w := p.words(false)
	fmt.Fprintf(p, "\n> [!WARNING]\n> **%s not compared.** What these do to requests is not in this answer.\n",
		Plural(len(all), "edit is", "edits are"))
	shown := max(p.detail.findings, 1)
	for _, u := range all[:min(len(all), shown)] {
		fmt.Fprintf(p, "> - %s.\n", w.uncompared(p.report, u))
	}
	if n := len(all) - shown; n > 0 {
		fmt.Fprintf(p, "> - …and %d more.\n", n)
	}
}

// effectless are the edits that do nothing, in the box of things to act on.
func (p *page) effectless() {
	all := p.report.Effectless
	if len(all) == 0 || p.detail.findings == 0 {
		return
	}
	w := p.words(false)
	p.WriteString("\n> [!WARNING]\n")
	if len(all) == 1 {
		fmt.Fprintf(p, "> **An edit without effect.** %s.\n", w.effectless(p.report, all[0]))
		return
	}
	fmt.Fprintf(p, "> **%d edits without effect.**\n", len(all))
	for _, e := range all[:min(len(all), p.detail.findings)] {
		fmt.Fprintf(p, "> - %s.\n", w.effectless(p.report, e))
	}
	if n := len(all) - p.detail.findings; n > 0 {
		fmt.Fprintf(p, "> - …and %d more.\n", n)
	}
}

// requests are command lines, one for each row, ready for a shell.
func (p *page) requests() {
	w := p.words(false)
	// A comment in a shell script: plain words, no typography.
	w.code = func(s string) string { return cut(s, p.detail.literal) }
	w.strong = func(s string) string { return s }
	w.word = w.code
	var lines []string
	shown := 0
	for _, row := range groups(p.report.Classes, p.detail.rows) {
		if shown == p.detail.requests || len(row.Witnesses) == 0 {
			continue
		}
		shown++
		before, after := w.change(row.Class)
		note := fmt.Sprintf("# %s %s → %s", mark(row.Severity), before, after)
		if share := w.share(row.Flows); share != "" {
			note += " (" + share + ")"
		}
		curl := row.Witnesses[0].Curl
		switch {
		case utf8.RuneCountInString(curl) > p.detail.line:
			curl = "# too long to show here: the JSON report has it"
		case !isOwnCommand(curl):
			curl = "# not shown: no command line that routedelta writes"
		}
		lines = append(lines, note, curl)
	}
	if len(lines) == 0 {
		return
	}
	p.WriteString("\n<details><summary>Try it: one request of each kind</summary>\n\n" + fence("sh", lines) + "\n</details>\n")
}

// why lists who wins now, against whom, and on which rung.
func (p *page) why() {
	if !p.detail.why {
		return
	}
	w := p.words(true)
	var rows []string
	for _, row := range groups(p.report.Classes, p.detail.rows) {
		if row.Why == nil || row.Why.Rung == "" || len(row.Witnesses) == 0 || len(rows) == p.detail.rows {
			continue
		}
		rows = append(rows, fmt.Sprintf("| %s | %s | %s | %s |\n",
			w.request(row.Witnesses[0]), w.rule(row.Why.Winner), w.rule(row.Why.RunnerUp), w.rung(*row.Why)))
	}
	if len(rows) == 0 {
		return
	}
	p.WriteString("\n<details><summary>What wins now, and why</summary>\n\n" +
		"| Request | Winner | Runner-up | Decided by |\n|---|---|---|---|\n" + strings.Join(rows, "") + "\n</details>\n")
}

// diagnostics are what the change brings and what it mends.
func (p *page) diagnostics() {
	for _, state := range []string{"introduced", "fixed"} {
		p.diagnosticsOf(state)
	}
}

func (p *page) diagnosticsOf(state string) {
	w := p.words(false)
	var lines []string
	for _, d := range p.report.Diagnostics {
		if d.State != state {
			continue
		}
		side := "after"
		if state == "fixed" {
			side = "before"
		}
		lines = append(lines, fmt.Sprintf("- %s\n", strings.TrimSpace(w.diagnostic(p.report, side, d))))
	}
	if len(lines) == 0 || p.detail.findings == 0 {
		return
	}
	fmt.Fprintf(p, "\n<details><summary>%s %s</summary>\n\n", Plural(len(lines), "finding", "findings"), state)
	for _, line := range lines[:min(len(lines), p.detail.findings)] {
		p.WriteString(line)
	}
	if n := len(lines) - p.detail.findings; n > 0 {
		fmt.Fprintf(p, "- …and %d more\n", n)
	}
	p.WriteString("\n</details>\n")
}
