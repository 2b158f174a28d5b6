package diff

import (
	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
)

// areas puts the areas of a class on the wire.
func areas(in []class.Area) []report.Area {
	out := make([]report.Area, len(in))
	for i, a := range in {
		out[i] = area(a)
	}
	return out
}

func area(a class.Area) report.Area {
	out := report.Area{Hosts: a.Hosts, Paths: a.Paths, Conditions: conditions(a.Conditions)}
	for _, cube := range a.Except {
		out.Except = append(out.Except, conditions(cube))
	}
	return out
}

func conditions(in []class.Condition) []report.Condition {
	var out []report.Condition
	for _, c := range in {
		out = append(out, condition(c))
	}
	return out
}

func condition(c class.Condition) report.Condition {
	return report.Condition{
		Source:         sourceWord(c.Source),
		Name:           c.Name,
		Test:           testWord(c.Test),
		Value:          c.Value,
		IgnoreCase:     c.IgnoreCase,
		Invert:         c.Invert,
		MissingAsEmpty: c.MissingAsEmpty,
		Not:            c.Not,
		OnlyRepeated:   c.OnlyRepeated,
	}
}

func sourceWord(s table.Source) string {
	switch s {
	case table.Query:
		return "query"
	case table.Method:
		return "method"
	case table.Cookie:
		return "cookie"
	case table.Free:
		return "free"
	}
	return "header"
}

func testWord(t table.Test) string {
	switch t {
	case table.Present:
		return "present"
	case table.Prefix:
		return "prefix"
	case table.Suffix:
		return "suffix"
	case table.Contains:
		return "contains"
	case table.Regex:
		return "regex"
	case table.Range:
		return "range"
	}
	return "exact"
}

// ruleMatch is what a rule asks for, in words: "/orders/*, header x-env: canary".
func ruleMatch(r *table.Rule) string {
	a := report.Area{Paths: class.Terms{Include: []class.Term{pathTerm(r.Path)}}}
	for _, p := range r.Predicates {
		a.Conditions = append(a.Conditions, condition(class.Condition{Predicate: p}))
	}
	path := report.PathPhrase
	if r.Origin.Kind == report.GRPCRoute {
		path = report.GRPCPhrase
	}
	match := a.Match(path)
	if r.Path.IgnoreCase {
		match += " (any case)"
	}
	return match
}

func pathTerm(p table.Path) class.Term {
	kind := class.TermPrefix
	switch p.Kind {
	case table.PathSegments:
		kind = class.TermSegments
	case table.PathExact:
		kind = class.TermExact
	case table.PathRegex:
		kind = class.TermRegex
	}
	return class.Term{Kind: kind, Value: p.Value}
}
