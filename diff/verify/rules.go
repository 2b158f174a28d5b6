package verify

import (
	"github.com/routedelta/routedelta/diff/automaton"
	"github.com/routedelta/routedelta/diff/table"
)

// pathTest is what a path has to be: one of the literals or tests of a pair's question, or anything.
type pathTest struct {
	kind pathTestKind
	at   int
}

type pathTestKind uint8

const (
	anyPath pathTestKind = iota
	byLiteral
	byTest
)

// rule is a route as this package sees it.
type rule struct {
	index      int
	path       pathTest
	conditions []condition
	source     *table.Rule
	edited     bool
}

// catchesAll tells whether no rule behind it gets a request.
func (r *rule) catchesAll() bool { return len(r.conditions) == 0 && r.source.Chance == nil }

// paths collects the literals and tests of one question about paths.
type paths struct {
	literals map[literal]int
	tests    map[string]int
	question
}

func newPaths() *paths { return &paths{literals: map[literal]int{}, tests: map[string]int{}} }

func (p *paths) literal(l literal) pathTest {
	i, ok := p.literals[l]
	if !ok {
		i = len(p.question.literals)
		p.literals[l] = i
		p.question.literals = append(p.question.literals, l)
		p.wantedLiterals = append(p.wantedLiterals, false)
	}
	return pathTest{byLiteral, i}
}

func (p *paths) test(key string, compile func() (*automaton.DFA, error)) (pathTest, error) {
	i, ok := p.tests[key]
	if !ok {
		d, err := compile()
		if err != nil {
			return pathTest{}, err
		}
		i = len(p.question.tests)
		p.tests[key] = i
		p.question.tests = append(p.question.tests, d)
		p.wantedTests = append(p.wantedTests, false)
	}
	return pathTest{byTest, i}, nil
}

// of reads the path of a rule or of a term.
func (p *paths) of(path table.Path) (pathTest, error) {
	if path.Kind == table.PathRegex {
		return p.test("regex "+path.Value, func() (*automaton.DFA, error) { return compileRegex(path.Value) })
	}
	if !path.IgnoreCase {
		kind := map[table.PathKind]literalKind{table.PathPrefix: beginning, table.PathExact: exactly, table.PathSegments: segmentwise}[path.Kind]
		return p.literal(literal{kind, path.Value}), nil
	}
	switch path.Kind {
	case table.PathExact:
		return p.test("exact "+path.Value, func() (*automaton.DFA, error) { return automaton.Exactly(path.Value, true, 0) })
	case table.PathSegments:
		return p.test("segments "+path.Value, func() (*automaton.DFA, error) { return automaton.Segments(path.Value, true, 0) })
	}
	return p.test("prefix "+path.Value, func() (*automaton.DFA, error) { return automaton.Beginning(path.Value, true, 0) })
}

func (p *paths) want(t pathTest) {
	switch t.kind {
	case byLiteral:
		p.wantedLiterals[t.at] = true
	case byTest:
		p.wantedTests[t.at] = true
	}
}

// start is a text with which every path begins that a matcher takes.
func start(path table.Path) string {
	if path.Kind == table.PathRegex {
		return automaton.LiteralPrefix(path.Value)
	}
	if path.IgnoreCase {
		for i := range len(path.Value) {
			if b := path.Value[i] | 0x20; 'a' <= b && b <= 'z' {
				return path.Value[:i]
			}
		}
	}
	return path.Value
}

// read reads a rule. A regular expression that is not understood may take any path, or not: it is a condition of its own.
func (p *paths) read(vs *variables, index int, source *table.Rule, edited bool) rule {
	r := rule{index: index, source: source, edited: edited}
	var err error
	if r.path, err = p.of(source.Path); err != nil {
		r.path = pathTest{kind: anyPath}
		r.conditions = append(r.conditions, vs.unknown("path "+source.Path.Value))
	}
	for _, text := range source.Unmodelled {
		r.conditions = append(r.conditions, vs.unknown("not modelled: "+text))
	}
	if source.Connect {
		r.conditions = append(r.conditions, vs.unknown("connect_matcher"))
	}
	for _, predicate := range source.Derived {
		r.conditions = append(r.conditions, vs.opaque(predicate))
	}
	for _, predicate := range source.Predicates {
		r.conditions = append(r.conditions, vs.condition(predicate))
	}
	return r
}
