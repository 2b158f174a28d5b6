package class

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"

	"github.com/routedelta/routedelta/diff/table"
)

// variables keeps the variables of a comparison: the same tests on the same name give the same atoms.
type variables struct {
	*patterns
	options table.Options
	limits  Limits
	effort  *effort
	known   map[string]knownVariable
}

type knownVariable struct {
	*variable
	err error
}

func newVariables(ctx context.Context, o table.Options, p *patterns, l Limits) *variables {
	return &variables{
		patterns: p, options: o, limits: l, known: map[string]knownVariable{},
		effort: &effort{ctx: ctx, left: l.Steps},
	}
}

type variableKey struct {
	source table.Source
	name   string
}

// get returns the variable of name with exactly the tests.
func (vs *variables) get(k variableKey, tests []test) (*variable, error) {
	slices.SortFunc(tests, compareTests)
	tests = slices.Compact(tests)
	key := append([]byte(k.name), 0, byte(k.source))
	for _, t := range tests {
		key = binary.AppendUvarint(key, uint64(len(t.value)))
		key = append(key, t.value...)
		key = append(key, byte(t.kind), flag(t.ignoreCase))
	}
	known, ok := vs.known[string(key)]
	if !ok {
		known.variable, known.err = newVariable(k.source, k.name, tests, vs.options, vs.patterns, vs.limits.Product)
		vs.known[string(key)] = known
	}
	return known.variable, known.err
}

func compareTests(a, b test) int {
	return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.value, b.value), cmp.Compare(flag(a.ignoreCase), flag(b.ignoreCase)))
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// system is a set of conditions over common variables: those of the rules that compete for one set of paths.
type system struct {
	variables []*variable
	index     map[variableKey]int
	// always are the clauses that every request meets.
	always []clause
	limit  int
	effort *effort
	// any is the state of any request, and of any that sends no header twice.
	any [2]state
	// literals are those of the conditions that were asked about.
	literals map[table.Predicate]literal
}

// newSystem collects the variables of the predicates.
func newSystem(vs *variables, predicates func(yield func(table.Predicate) bool)) (*system, error) {
	s := &system{index: map[variableKey]int{}, limit: vs.limits.BoxSteps, effort: vs.effort}
	var keys []variableKey
	var tests [][]test
	for p := range predicates {
		k := variableKey{p.Source, p.Name}
		i, known := s.index[k]
		if !known {
			i = len(keys)
			s.index[k] = i
			keys, tests = append(keys, k), append(tests, nil)
		}
		if p.Test != table.Present {
			tests[i] = append(tests[i], testOf(p))
		}
	}
	s.variables = make([]*variable, len(keys))
	for i, k := range keys {
		var err error
		if s.variables[i], err = vs.get(k, tests[i]); err != nil {
			return nil, err
		}
	}
	s.needContentType()
	return s, nil
}

// needContentType: Envoy answers a QUERY without content-type itself, so no such request is at the router.
func (s *system) needContentType() {
	method, hasMethod := s.index[variableKey{table.Method, ""}]
	content, hasContent := s.index[variableKey{table.Header, contentType}]
	if !hasMethod || !hasContent {
		return
	}
	query := newBitset(len(s.variables[method].atoms))
	query.add(slices.Index(s.variables[method].atoms, queryMethod))
	s.always = append(s.always, clause{
		{variable: method, mode: nonePass, set: query},
		{variable: content, mode: anyValue},
	})
}

const contentType = "content-type"

// free is the state of any request. once limits it to requests that send no header twice.
func (s *system) free(once bool) state {
	free := &s.any[flag(once)]
	if *free == nil {
		*free = make(state, len(s.variables))
		for i := range s.variables {
			(*free)[i] = s.domain(i, once)
		}
	}
	return slices.Clone(*free)
}

// domain is what free allows for one variable.
func (s *system) domain(variable int, once bool) domain {
	v := s.variables[variable]
	return domain{several: v.several && !once, absent: v.absent, allowed: v.all()}
}

// literal reads a predicate. Who asks for the same one again and again asks for a condition.
func (s *system) literal(p table.Predicate) literal {
	i := s.index[variableKey{p.Source, p.Name}]
	return literalOf(p, i, s.variables[i])
}

// condition is a predicate, or its negation, as a literal.
func (s *system) condition(c Condition) literal {
	l, known := s.literals[c.Predicate]
	if !known {
		l = s.literal(c.Predicate)
		if s.literals == nil {
			s.literals = map[table.Predicate]literal{}
		}
		s.literals[c.Predicate] = l
	}
	if c.Not {
		return l.not()
	}
	return l
}

// fails is the clause that one of the conditions does not hold.
func (s *system) fails(conditions []Condition) clause {
	out := make(clause, len(conditions))
	for i, c := range conditions {
		out[i] = s.condition(c).not()
	}
	return out
}

// conditions are the conditions as literals.
func (s *system) conditions(list []Condition) []literal {
	out := make([]literal, len(list))
	for i, c := range list {
		out[i] = s.condition(c)
	}
	return out
}

// clauses say of each conjunction that it fails.
func (s *system) clauses(except [][]Condition) []clause {
	out := make([]clause, len(except))
	for i, e := range except {
		out[i] = s.fails(e)
	}
	return out
}

// holding are a rule's predicates as conditions.
func holding(predicates []table.Predicate) []Condition {
	out := make([]Condition, len(predicates))
	for i, p := range predicates {
		out[i] = Condition{Predicate: p}
	}
	return out
}
