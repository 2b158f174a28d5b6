package class

import (
	"errors"
	"slices"
)

// errSteps is returned when a search would take too long.
var errSteps = errors.New("the conditions of these rules combine in too many ways to decide")

// clause holds when one of its literals does. A rule ahead that must not match is a clause: one of its predicates fails.
type clause []literal

// state is a domain for each variable of a system. Variables do not depend on each other, so a state is possible exactly
// when each of its domains is.
type state []domain

// assert narrows the state by a literal; false when nothing is left.
func (s state) assert(l literal) bool {
	d := s[l.variable].assert(l)
	s[l.variable] = d
	return d.possible()
}

// search answers one question: is there a request in the state that meets all clauses? It propagates clauses of which one
// literal is left, and branches on the literals of the shortest clause. A dense question can take exponential time, so the steps
// are bounded.
//
// Lemma 11 (search). A search that ends within its steps finds a state, all of whose requests meet all clauses, exactly if a request
// in the given state does.
//
// Proof. A literal that a state does not allow holds for none of its requests, so dropping it changes no clause, and a clause of
// which one literal is left forces that one. Every request that meets a clause with the literals a, b, c... meets a, or not a but b,
// or neither but c...: these are the branches, which do not overlap and leave nothing out. Each narrows the state by a literal that
// it did not imply, of which there are finitely many. A branch without clauses left has a request, since a state in which no
// variable is impossible is possible: variables do not depend on each other, and one by one lemma 10 gives the values.
type search struct {
	limit int
	steps int
	// effort is what the comparison has left.
	effort *effort
}

// solve returns a state of which every request is a solution. It narrows the one that it is given.
func (q *search) solve(s state, clauses []clause) (state, bool, error) {
	open, possible, err := q.propagate(s, clauses)
	if err != nil || !possible {
		return nil, false, err
	}
	if len(open) == 0 {
		return s, true, nil
	}
	shortest := slices.MinFunc(open, func(a, b clause) int { return len(a) - len(b) })
	for _, l := range shortest {
		branch := slices.Clone(s)
		if branch.assert(l) {
			if solution, found, err := q.solve(branch, open); found || err != nil {
				return solution, found, err
			}
		}
		if !s.assert(l.not()) {
			break
		}
	}
	return nil, false, nil
}

// count counts conditions looked at.
func (q *search) count(steps int) error {
	if q.steps += steps; q.steps > q.limit {
		return errSteps
	}
	return q.effort.take(steps)
}

// propagate narrows s as far as single literals force it, and returns the clauses that are not met yet, without the
// literals that cannot hold.
func (q *search) propagate(s state, clauses []clause) (open []clause, possible bool, err error) {
	for changed := true; changed; {
		changed = false
		open = make([]clause, 0, len(clauses))
		for _, c := range clauses {
			if err := q.count(1 + len(c)); err != nil {
				return nil, false, err
			}
			left, met := s.reduce(c)
			switch {
			case met:
			case len(left) == 0:
				return nil, false, nil
			case len(left) == 1:
				if !s.assert(left[0]) {
					return nil, false, nil
				}
				changed = true
				// A literal that is asserted may still not be seen as implied; it is met all the same.
			default:
				open = append(open, left)
			}
		}
		clauses = open
	}
	return open, true, nil
}

// reduce drops the literals of a clause that cannot hold; met says that one holds already.
func (s state) reduce(c clause) (left clause, met bool) {
	kept := 0
	for _, l := range c {
		d := &s[l.variable]
		if d.implies(l) {
			return nil, true
		}
		if d.allows(l) {
			kept++
		}
	}
	if kept == len(c) {
		return c, false
	}
	left = make(clause, 0, kept)
	for _, l := range c {
		if s[l.variable].allows(l) {
			left = append(left, l)
		}
	}
	return left, false
}
