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

// areaMatcher holds every condition and path term as a rule of its own, which the evaluator matches.
type areaMatcher struct {
	areas     []Area
	rules     map[any]*table.Rule // by table.Predicate or by Term of a path
	evaluator *table.Evaluator
}

func newAreaMatcher(o table.Options, areas []Area) *areaMatcher {
	m := &areaMatcher{areas: areas, rules: map[any]*table.Rule{}}
	for _, a := range areas {
		for _, t := range slices.Concat(a.Paths.Include, a.Paths.Within, a.Paths.Exclude) {
			m.rules[t] = &table.Rule{Path: pathOf(t)}
		}
		for _, conditions := range append([][]Condition{a.Conditions}, a.Except...) {
			for _, k := range conditions {
				m.rules[k.Predicate] = &table.Rule{Predicates: []table.Predicate{k.Predicate}}
			}
		}
	}
	host := table.Host{}
	for _, r := range m.rules {
		host.Rules = append(host.Rules, *r)
	}
	m.evaluator = table.Compile(&table.Table{Options: o, Hosts: []table.Host{host}})
	return m
}

// pathOf reads a term of a path as a path matcher.
func pathOf(t Term) table.Path {
	kind := map[TermKind]table.PathKind{
		TermAny: table.PathPrefix, TermPrefix: table.PathPrefix, TermSegments: table.PathSegments,
		TermExact: table.PathExact, TermRegex: table.PathRegex,
	}[t.Kind]
	return table.Path{Kind: kind, Value: t.Value}
}

func (m *areaMatcher) match(r table.Request) bool {
	arrived, ok := m.evaluator.Arrive(r)
	return ok && slices.ContainsFunc(m.areas, func(a Area) bool { return m.inArea(&a, &arrived) })
}

func (m *areaMatcher) inArea(a *Area, r *table.Arrived) bool {
	inHosts := inTerms(a.Hosts, func(t Term) bool { return hostIn(t, r.Host()) })
	inPaths := inTerms(a.Paths, func(t Term) bool { return m.evaluator.Matches(m.rules[t], r) })
	if !inHosts || !inPaths || !m.all(a.Conditions, r) {
		return false
	}
	return !slices.ContainsFunc(a.Except, func(e []Condition) bool { return m.all(e, r) })
}

func (m *areaMatcher) all(conditions []Condition, r *table.Arrived) bool {
	for _, k := range conditions {
		if m.evaluator.Matches(m.rules[k.Predicate], r) == k.Not {
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
