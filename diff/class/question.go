package class

import "slices"

// question asks for a request that meets all conditions and, for each conjunction in except, fails one of it.
type question struct {
	conditions []Condition
	except     [][]Condition
}

// answer solves a question; once tells that a request without a repeated header does, and then solution is such a state.
func (s *system) answer(q question) (_ solution, once, found bool, err error) {
	return s.answerLiterals(s.conditions(q.conditions), s.clauses(q.except))
}

// answerLiterals is answer for who has the literals.
func (s *system) answerLiterals(conditions []literal, clauses []clause) (_ solution, once, found bool, err error) {
	for _, once := range []bool{true, false} {
		if !once && !slices.ContainsFunc(s.variables, func(v *variable) bool { return v.several }) {
			break
		}
		solution, found, err := s.solveLiterals(s.free(once), conditions, clauses)
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
	if len(s.always) > 0 {
		clauses = slices.Concat(s.always, clauses)
	}
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
