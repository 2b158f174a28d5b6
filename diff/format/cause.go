package format

import (
	"fmt"
	"strings"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// because is the edit behind a class: where it stands, what it does, and why its rule wins.
func (w words) because(r *report.Report, c report.Class) string {
	if len(c.Causes) == 0 {
		return w.word(c.Note)
	}
	said := w.cause(r, c.Causes[0])
	// The requests change so by all of the edits, and not by some: a class names the smallest set.
	switch n := len(c.Causes) - 1; {
	case n == 1:
		said += ", together with " + w.cause(r, c.Causes[1])
	case n > 1:
		said += fmt.Sprintf(", together with %s", Plural(n, "other edit", "other edits"))
	}
	if n := len(c.Alike); n > 0 {
		said += fmt.Sprintf(", and alike in %s", w.some(each(placesOf(c.Alike), w.code), ", "))
	}
	if c.Note != "" {
		said += ": " + w.word(c.Note)
	}
	if c.Why != nil && c.Why.Rung != "" {
		said += ", wins by " + w.rung(*c.Why)
	}
	return said
}

// placesOf are the places of edits, or their objects where no place is known.
func placesOf(causes []report.Cause) []string {
	places := make([]string, len(causes))
	for i, c := range causes {
		places[i] = lineOf(c.Position)
		if places[i] == "" {
			places[i] = diagnostic.Object{Kind: c.Kind, Namespace: c.Namespace, Name: c.Name}.String()
		}
	}
	return places
}

// lineOf is file:line.
func lineOf(p diagnostic.Position) string {
	p.Column = 0
	return p.String()
}

// rung is the name of a rung of the ladder, a word of ours, and how it was decided, which may hold names.
func (w words) rung(why report.Why) string {
	if why.Detail == "" {
		return w.word(why.Rung)
	}
	return w.word(why.Rung) + " (" + w.word(why.Detail) + ")"
}

// cause is "[routes/shop.yaml:41](...) rule `legacy` removed".
func (w words) cause(r *report.Report, c report.Cause) string {
	place := w.place(r, c.Side, c.Position)
	if place == "" && c.Name != "" {
		place = w.code(diagnostic.Object{Kind: c.Kind, Namespace: c.Namespace, Name: c.Name}.String())
	}
	return strings.TrimSpace(place + " " + w.edit(c))
}

// edit is what was done, in a few words: "rule `legacy` removed, weights 90/10 → 80/20".
func (w words) edit(c report.Cause) string {
	switch c.Edit {
	case "added", "removed", "changed", "moved":
	default:
		if c.Detail == "" {
			return w.word(c.Edit)
		}
		return w.word(c.Edit) + " (" + w.word(c.Detail) + ")"
	}
	said := "rule"
	if c.VirtualHost != "" {
		said = "route"
	}
	switch {
	case c.RuleName != "":
		said += " " + w.code(c.RuleName)
	case c.Rule > 0:
		said += fmt.Sprintf(" %d", c.Rule)
	}
	if c.VirtualHost != "" {
		said += " of virtual host " + w.code(c.VirtualHost)
	}
	said += " " + c.Edit
	if c.Detail != "" {
		said += ", " + w.word(c.Detail)
	}
	return said
}

// place is a link to the line at the commit. What a program has printed has no line that anybody could look at.
func (w words) place(r *report.Report, side string, p diagnostic.Position) string {
	if !isFile(p.File) {
		return ""
	}
	if side == "before" {
		return w.link(r.Before, p.File, p.Line)
	}
	return w.link(r.After, p.File, p.Line)
}

// rule names a rule: "`shop/orders` rule 3", with its match where the report has it.
func (w words) rule(l report.RuleLabel) string {
	if l.Name == "" && l.Match == "" {
		return "–"
	}
	name := l.Name
	if l.Namespace != "" {
		name = l.Namespace + "/" + name
	}
	said := strings.TrimSpace(w.optionalCode(name))
	switch {
	case l.RuleName != "":
		said += " rule " + w.code(l.RuleName)
	case l.Rule > 0:
		said += fmt.Sprintf(" rule %d", l.Rule)
	case l.Match != "":
		said += " " + w.code(l.Match)
	}
	return strings.TrimSpace(said)
}

// effectless is one edit that changes no request, as a sentence.
func (w words) effectless(r *report.Report, e report.Effectless) string {
	said := w.cause(r, e.Cause)
	if e.Match != "" {
		said += " (" + w.code(e.Match) + ")"
	}
	switch {
	case e.Message != "":
		said += ": " + w.word(e.Message)
	case len(e.Coverers) > 0:
		labels := make([]string, len(e.Coverers))
		for i, l := range e.Coverers {
			labels[i] = w.rule(l)
		}
		said += " never gets a request: every request it matches is won by " + w.some(labels, " and ")
	case e.Reason == "same outcome":
		said += ": its requests get what they got before"
	default:
		said += ": " + w.word(e.Reason)
	}
	return w.scoped(r, e.Targets, said)
}

// uncompared is one edit about which nothing is claimed, as a sentence.
func (w words) uncompared(r *report.Report, u report.Uncompared) string {
	said := strings.TrimSpace(w.place(r, u.Side, u.Position) + " " + w.code(u.Object.String()))
	return w.scoped(r, u.Targets, said+" "+w.word(u.Edit)+": "+w.word(u.Reason))
}

// request is a witness in short: "`GET shop.example/orders/` `x-env: canary`".
func (w words) request(r report.Witness) string {
	said := w.code(r.Method + " " + r.Host + r.Path)
	for _, h := range r.Headers {
		said += " " + w.code(h.Name+": "+h.Value)
	}
	return said
}

// diagnostic is one finding of the rendering: code, place, message and hint.
func (w words) diagnostic(r *report.Report, side string, d report.Diagnostic) string {
	said := w.code(string(d.Code))
	if place := w.place(r, side, d.Position); place != "" {
		said += " " + place
	}
	if object := d.Object.String(); object != "" {
		said += " " + w.code(object)
	}
	said += ": " + w.word(d.Message)
	if d.Hint != "" {
		said += "; " + w.word(d.Hint)
	}
	return w.scoped(r, d.Targets, said)
}
