package verify

import (
	"fmt"
	"math/big"

	"github.com/routedelta/routedelta/diff/automaton"
	"github.com/routedelta/routedelta/diff/table"
)

// variable is one named value of a request, with all tests that are put to it. A condition that this package does not
// understand is a variable of its own that is there or not: nothing is assumed of it but that it is one thing for a request.
type variable struct {
	source  table.Source
	name    string
	unknown bool
	// several: a request may hold several values, each tested by itself. optional: it may hold none.
	several, optional bool
	tests             []test
	index             map[test]int
	// samples are values that give each combination of results that a value can have; passing are, for each test, the samples
	// that pass it, as bits.
	samples []string
	passing []*big.Int
	// empty are the results of the empty text.
	empty []bool
}

// test is a question about one value.
type test struct {
	kind  table.Test
	value string
	fold  bool
}

// presence stands for the test whether there is a value.
const presence = -1

// condition is a predicate as a question to a variable.
type condition struct {
	variable, test         int
	invert, missingAsEmpty bool
	// missingFails: other than for a header's value, Invert does not turn the answer of a missing value around.
	missingFails bool
}

// variables of the requests to one place.
type variables struct {
	options table.Options
	list    []*variable
	index   map[variableName]int
	tests   map[test]*automaton.DFA
}

type variableName struct {
	source  table.Source
	name    string
	unknown bool
}

func newVariables(o table.Options) *variables {
	return &variables{options: o, index: map[variableName]int{}, tests: map[test]*automaton.DFA{}}
}

func (vs *variables) variable(n variableName) int {
	i, ok := vs.index[n]
	if !ok {
		i = len(vs.list)
		vs.index[n] = i
		vs.list = append(vs.list, &variable{
			source: n.source, name: n.name, unknown: n.unknown, index: map[test]int{},
			several:  n.source == table.Header && !table.OneValue(n.name),
			optional: n.source != table.Method || n.unknown,
		})
	}
	return i
}

// unknown is the condition that a text names, about which nothing else is known.
func (vs *variables) unknown(text string) condition {
	return condition{variable: vs.variable(variableName{name: text, unknown: true}), test: presence}
}

// condition reads a predicate.
func (vs *variables) condition(p table.Predicate) condition {
	c := condition{test: presence, invert: p.Invert, missingAsEmpty: p.MissingAsEmpty}
	switch p.Source {
	case table.Header, table.Query:
		c.missingFails = true
	case table.Method, table.Cookie, table.Free:
	default:
		return vs.opaque(p)
	}
	if p.Test == table.Present || p.Source == table.Free {
		if p.Test != table.Present {
			return vs.opaque(p)
		}
		c.variable = vs.variable(variableName{source: p.Source, name: p.Name})
		return c
	}
	t := test{kind: p.Test, value: p.Value, fold: p.IgnoreCase && p.Test != table.Regex && p.Test != table.Range}
	if vs.automaton(t) == nil {
		return vs.opaque(p)
	}
	c.variable = vs.variable(variableName{source: p.Source, name: p.Name})
	v := vs.list[c.variable]
	at, ok := v.index[t]
	if !ok {
		at = len(v.tests)
		v.index[t] = at
		v.tests = append(v.tests, t)
	}
	c.test = at
	return c
}

// opaque is a predicate of which only equality is known. The same without its inversion is the same variable only where the
// inversion is all that differs in its answer, so it is not used.
func (vs *variables) opaque(p table.Predicate) condition {
	return vs.unknown(fmt.Sprintf("%#v", p))
}

// automaton is what passes a test, nil for a test that is not understood.
func (vs *variables) automaton(t test) *automaton.DFA {
	if d, ok := vs.tests[t]; ok {
		return d
	}
	d, err := compileTest(t)
	if err != nil {
		d = nil
	}
	vs.tests[t] = d
	return d
}

func compileTest(t test) (*automaton.DFA, error) {
	switch t.kind {
	case table.Exact:
		return automaton.Exactly(t.value, t.fold, 0)
	case table.Prefix:
		return automaton.Beginning(t.value, t.fold, 0)
	case table.Suffix:
		return automaton.Ending(t.value, t.fold, 0)
	case table.Contains:
		return automaton.Containing(t.value, t.fold, 0)
	case table.Range:
		pattern, err := rangePattern(t.value)
		if err != nil {
			return nil, err
		}
		return automaton.Compile(pattern, 0)
	case table.Regex:
		return compileRegex(t.value)
	}
	return nil, fmt.Errorf("unknown test %d", t.kind)
}

// compileRegex compiles a pattern that Go and Envoy understand alike.
func compileRegex(pattern string) (*automaton.DFA, error) {
	if err := table.CheckRegex(pattern); err != nil {
		return nil, err
	}
	return automaton.Compile(pattern, 0)
}

// close finds the samples of every variable, once all tests are known.
func (vs *variables) close(b *budget) error {
	for _, v := range vs.list {
		if err := vs.sample(v, b); err != nil {
			return fmt.Errorf("values of %q: %w", v.name, err)
		}
	}
	return nil
}

func (vs *variables) sample(v *variable, b *budget) error {
	v.passing, v.empty = make([]*big.Int, len(v.tests)), make([]bool, len(v.tests))
	for t := range v.tests {
		v.passing[t], v.empty[t] = new(big.Int), vs.automaton(v.tests[t]).Matches("")
	}
	if v.unknown || v.source == table.Free || !sendable(v.source, v.name, vs.options) {
		return nil
	}
	language, err := automaton.Compile(valueLanguage(v.source), 0)
	if err != nil {
		return err
	}
	q := &question{language: language, budget: b}
	var byLiteral, byTest []int
	for i, t := range v.tests {
		switch {
		case t.kind == table.Exact && !t.fold:
			q.literals, byLiteral = append(q.literals, literal{exactly, t.value}), append(byLiteral, i)
		case t.kind == table.Prefix && !t.fold:
			q.literals, byLiteral = append(q.literals, literal{beginning, t.value}), append(byLiteral, i)
		default:
			q.tests, byTest = append(q.tests, vs.automaton(t)), append(byTest, i)
		}
	}
	answers, err := q.run()
	for n, a := range answers {
		v.samples = append(v.samples, a.witness)
		for _, i := range a.literals {
			v.passing[byLiteral[i]].SetBit(v.passing[byLiteral[i]], n, 1)
		}
		for _, i := range a.tests {
			v.passing[byTest[i]].SetBit(v.passing[byTest[i]], n, 1)
		}
	}
	return err
}
