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
	// literals are those of the predicates that were asked about.
	literals map[table.Predicate]literal
}

// newSystem collects the variables of the predicates.
func newSystem(vs *variables, predicates func(yield func(table.Predicate) bool)) (*system, error) {
	s := &system{index: map[variableKey]int{}, literals: map[table.Predicate]literal{}, limit: vs.limits.BoxSteps, effort: vs.effort}
	tests := map[variableKey][]test{}
	var order []variableKey
	for p := range predicates {
		k := variableKey{p.Source, p.Name}
		if _, ok := tests[k]; !ok {
			order = append(order, k)
			tests[k] = nil
		}
		if p.Test != table.Present {
			tests[k] = append(tests[k], testOf(p))
		}
	}
	for _, k := range order {
		v, err := vs.get(k, tests[k])
		if err != nil {
			return nil, err
		}
		s.index[k] = len(s.variables)
		s.variables = append(s.variables, v)
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

func (s *system) literal(p table.Predicate) literal {
	l, known := s.literals[p]
	if !known {
		i := s.index[variableKey{p.Source, p.Name}]
		l = literalOf(p, i, s.variables[i])
		s.literals[p] = l
	}
	return l
}

// condition is a predicate, or its negation, as a literal.
func (s *system) condition(c Condition) literal {
	l := s.literal(c.Predicate)
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

// question asks for a request that meets all conditions and, for each conjunction in except, fails one of it.
type question struct {
	conditions []Condition
	except     [][]Condition
}

// answer solves a question; once tells that a request without a repeated header does, and then solution is such a state.
func (s *system) answer(q question) (_ solution, once, found bool, err error) {
	for _, once := range []bool{true, false} {
		if !once && !slices.ContainsFunc(s.variables, func(v *variable) bool { return v.several }) {
			break
		}
		solution, found, err := s.solve(s.free(once), q)
		if found || err != nil {
			return solution, once, found, err
		}
	}
	return nil, false, false, nil
}

// possible tells whether any request meets the question.
func (s *system) possible(q question) (bool, error) {
	_, found, err := s.solve(s.free(false), q)
	return found, err
}

func (s *system) solve(from state, q question) (solution, bool, error) {
	return s.solveLiterals(from, s.conditions(q.conditions), s.clauses(q.except))
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

// solveLiterals is solve for who asks many questions about the same conditions.
func (s *system) solveLiterals(from state, conditions []literal, clauses []clause) (solution, bool, error) {
	if err := s.effort.take(len(from) + len(conditions) + len(clauses)); err != nil {
		return nil, false, err
	}
	for _, l := range conditions {
		if !from.assert(l) {
			return nil, false, nil
		}
	}
	clauses = slices.Concat(s.always, clauses)
	solved, found, err := (&search{limit: s.limit, effort: s.effort}).solve(from, clauses)
	return solutionOf(solved), found, err
}

// solution is what a request that answers a question holds, by the index of the variable; it holds nothing of the others. A state
// has a domain for each variable, and there may be thousands of both.
type solution []held

type held struct {
	variable int
	domain
}

func solutionOf(s state) (out solution) {
	for i := range s {
		if !s[i].absent {
			out = append(out, held{i, s[i]})
		}
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
