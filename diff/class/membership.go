package class

import (
	"slices"
	"strings"
	"sync"

	"github.com/routedelta/routedelta/diff/table"
)

// membership returns a test for the requests of areas. It reads the areas as they are printed, and puts the conditions to
// the evaluator, so that what a class says and what it contains cannot differ. Where options differ, areas are about the requests
// that both sides see alike.
func (c *comparison) membership(areas []Area) func(table.Request) bool {
	options := c.tables[afterSide].Options
	options.Unmodelled = nil
	compile := sync.OnceValue(func() *areaMatcher { return newAreaMatcher(options, areas) })
	return func(r table.Request) bool {
		return compile().match(r) && (c.reception == nil || c.reception.alike(r))
	}
}

// areaMatcher puts conditions and path terms to the evaluator, as rules of their own.
type areaMatcher struct {
	areas     []Area
	evaluator *table.Evaluator
}

func newAreaMatcher(o table.Options, areas []Area) *areaMatcher {
	// The evaluator is prepared for the rules that need it: those with regular expressions.
	host := table.Host{}
	for _, a := range areas {
		for _, t := range slices.Concat(a.Paths.Include, a.Paths.Within, a.Paths.Exclude) {
			if t.Kind == TermRegex {
				host.Rules = append(host.Rules, table.Rule{Path: pathOf(t)})
			}
		}
		for _, conditions := range append([][]Condition{a.Conditions}, a.Except...) {
			for _, k := range conditions {
				if k.Test == table.Regex {
					host.Rules = append(host.Rules, table.Rule{Predicates: []table.Predicate{k.Predicate}})
				}
			}
		}
	}
	return &areaMatcher{areas, table.Compile(&table.Table{Options: o, Hosts: []table.Host{host}})}
}

// pathOf reads a term of a path as a path matcher.
func pathOf(t Term) table.Path {
	kind := table.PathPrefix // of any path as well, whose text is empty
	switch t.Kind {
	case TermExact:
		kind = table.PathExact
	case TermSegments:
		kind = table.PathSegments
	case TermRegex:
		kind = table.PathRegex
	}
	return table.Path{Kind: kind, Value: t.Value}
}

func (m *areaMatcher) match(r table.Request) bool {
	arrived, ok := m.evaluator.Arrive(r)
	return ok && slices.ContainsFunc(m.areas, func(a Area) bool { return m.inArea(&a, &arrived) })
}

func (m *areaMatcher) inArea(a *Area, r *table.Arrived) bool {
	inHosts := inTerms(a.Hosts, func(t Term) bool { return hostIn(t, r.Host()) })
	inPaths := inTerms(a.Paths, func(t Term) bool { return m.evaluator.Matches(&table.Rule{Path: pathOf(t)}, r) })
	if !inHosts || !inPaths || !m.all(a.Conditions, r) {
		return false
	}
	return !slices.ContainsFunc(a.Except, func(e []Condition) bool { return m.all(e, r) })
}

func (m *areaMatcher) all(conditions []Condition, r *table.Arrived) bool {
	one := table.Rule{Predicates: make([]table.Predicate, 1)}
	for _, k := range conditions {
		one.Predicates[0] = k.Predicate
		if m.evaluator.Matches(&one, r) == k.Not {
			return false
		}
	}
	return true
}

// inTerms reads terms.
func inTerms(t Terms, in func(Term) bool) bool {
	out := func(t Term) bool { return !in(t) }
	return slices.ContainsFunc(t.Include, in) && !slices.ContainsFunc(t.Within, out) && !slices.ContainsFunc(t.Exclude, in)
}

// hostIn reads a term of a host. A wildcard stands for at least one byte.
func hostIn(t Term, host string) bool {
	switch t.Kind {
	case TermAny:
		return true
	case TermExact:
		return host == t.Value
	case TermSuffix:
		return len(host) > len(t.Value) && strings.HasSuffix(host, t.Value)
	case TermPrefix:
		return len(host) > len(t.Value) && strings.HasPrefix(host, t.Value)
	}
	return false
}
