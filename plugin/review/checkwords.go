package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff"
	"github.com/routedelta/routedelta/diff/check"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/model"
)

// checkWords says findings about tables in the words of the manifests, where there are any.
type checkWords struct{ resolver }

// at finds the rule of a manifest, nil for one of a foreign table.
func (w checkWords) at(p check.Place) *model.Rule {
	if p.Rule < 0 {
		return nil
	}
	return w.rule(&diff.RuleAt{Side: diff.After, Gateway: p.Table.Gateway, Routes: p.Table.Routes, Host: p.Host, Rule: p.Get().Index})
}

// diagnostics says all findings but those that the rendering has said already.
func (w checkWords) diagnostics(found []check.Finding, rendered diagnostic.List) diagnostic.List {
	said := alreadySaid(rendered)
	var list diagnostic.List
	for i := range found {
		if found[i].Kind == check.Crossing {
			continue
		}
		d := w.diagnostic(&found[i])
		if found[i].Kind == check.Identical && said[objectField{d.Object, d.Field}] {
			continue
		}
		list = append(list, d)
	}
	return slices.Concat(list, w.crossings(found), w.copied(found))
}

func (w checkWords) diagnostic(f *check.Finding) diagnostic.Diagnostic {
	d := w.place(f.Places[0])
	d.Severity = diagnostic.Warning
	switch f.Kind {
	case check.Covered:
		d.Code = diagnostic.NeverWins
		d.Message = fmt.Sprintf("%s never wins a request%s: %s", w.self(f), w.hosts(f), w.coverers(f))
	case check.Identical:
		d.Code = diagnostic.IdenticalMatch
		d.Message = fmt.Sprintf("%s never wins a request%s: %s has the same match", w.self(f), w.hosts(f), w.name(f.Others[0]))
	case check.Unreachable:
		d.Code = diagnostic.NoRequest
		d.Message = fmt.Sprintf("no request meets %s: %s", w.self(f), unreachable(f.Places[0], f.Detail))
	case check.StringPrefix:
		d.Code, d.Severity = diagnostic.StringPrefix, diagnostic.Info
		d.Message = fmt.Sprintf("%s takes every path that begins with %s, such as %sbar, not only %s and what is below it%s",
			w.self(f), diagnostic.Clip(f.Detail), diagnostic.Clip(f.Detail), diagnostic.Clip(f.Detail), more(f.More, "such prefix on this virtual host", "such prefixes on this virtual host"))
	case check.NoRules:
		d.Code, d.Severity = diagnostic.NotDecided, diagnostic.Info
		d.Message = fmt.Sprintf("%s has no routes to look at: %s%s", cmp.Or(f.Places[0].Table.Listener, f.Places[0].Table.Routes, "a table"),
			diagnostic.Clip(f.Detail), more(f.More, "place like this", "places like this"))
	default:
		d.Code = diagnostic.NotDecided
		d.Message = fmt.Sprintf("it is not known whether %s wins a request: %s", w.self(f), diagnostic.Clip(f.Detail))
	}
	if f.Elsewhere {
		d.Severity = diagnostic.Info
		d.Message += "; it wins requests for other hosts"
	} else if f.SameOutcome {
		d.Severity = diagnostic.Info
		d.Message += ", and does the same with them"
	}
	return d
}

// place is the object, field and line of a rule; of a foreign table the names that its file has.
func (w checkWords) place(p check.Place) diagnostic.Diagnostic {
	rule := w.at(p)
	if rule == nil {
		return diagnostic.Diagnostic{Object: diagnostic.Object{Kind: "Envoy", Name: p.Table.Gateway}}
	}
	o := rule.Origin
	return diagnostic.Diagnostic{
		Object:   diagnostic.Object{Kind: o.Kind, Namespace: o.Namespace, Name: o.Name.Name},
		Field:    fmt.Sprintf("spec.rules[%d].matches[%d]", o.Rule, o.Match),
		Position: diagnostic.Position{File: o.File, Line: o.Line},
	}
}

// self is how a message speaks of the rule that it stands at.
func (w checkWords) self(f *check.Finding) string {
	at := f.Places[0]
	switch {
	case at.Rule < 0:
		return "any rule of " + cmp.Or(at.Table.Routes, at.Table.Listener, "this table")
	case w.at(at) != nil:
		return "this rule (" + match(at.Get()) + ")"
	}
	return w.name(at) + " (" + match(at.Get()) + ")"
}

func match(r *table.Rule) string { return diagnostic.Clip(diff.RuleMatch(r)) }

// name is how a message speaks of another rule.
func (w checkWords) name(p check.Place) string {
	if rule := w.at(p); rule != nil {
		o := rule.Origin
		return fmt.Sprintf("rule %d of %s %s", o.Rule+1, o.Kind, o.Name)
	}
	rule := p.Get()
	label := fmt.Sprintf("route %d", rule.Index+1)
	if rule.Name != "" {
		label = fmt.Sprintf("route %q", diagnostic.Clip(rule.Name))
	}
	if rule.Index < 0 {
		label = "an option"
	}
	label += fmt.Sprintf(" of virtual host %q", diagnostic.Clip(p.Table.Hosts[p.Host].Name))
	if p.Table.Routes != "" {
		label += fmt.Sprintf(" in %q", diagnostic.Clip(p.Table.Routes))
	}
	return label
}

const maxListed = 5

// hosts names the hosts of a finding: " for a.example, b.example".
func (w checkWords) hosts(f *check.Finding) string {
	names := f.Hosts()
	if len(names) == 0 || len(names) == 1 && names[0] == "*" {
		return ""
	}
	return " for " + listed(names)
}

// listed joins the first few of a list and counts the rest.
func listed(items []string) string {
	if last := len(items) - 1; last > 0 && last < maxListed {
		return strings.Join(items[:last], ", ") + " and " + items[last]
	}
	if len(items) <= maxListed {
		return strings.Join(items, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(items[:maxListed], ", "), len(items)-maxListed)
}

func (w checkWords) coverers(f *check.Finding) string {
	switch len(f.Others) {
	case 0:
		return "rules ahead of it take all that it matches"
	case 1:
		return fmt.Sprintf("%s (%s) takes all that it matches", w.name(f.Others[0]), match(f.Others[0].Get()))
	}
	var names []string
	for _, o := range f.Others {
		names = append(names, fmt.Sprintf("%s (%s)", w.name(o), match(o.Get())))
	}
	return listed(names) + " together take all that it matches"
}

func more(n int, one, many string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "; 1 more " + one
	}
	return fmt.Sprintf("; %d more %s", n, many)
}
