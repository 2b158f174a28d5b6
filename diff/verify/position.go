package verify

import (
	"slices"

	"github.com/routedelta/routedelta/diff/automaton"
)

// position is where a string leads to: the literals that hold for it, and the states of the automata.
type position struct {
	literals []int
	language automaton.State
	// live are the tests that some continuation passes, by their order.
	live []live
	// before is the string without its last byte, if there is one.
	before string
	last   []byte
}

type live struct {
	test  int
	state automaton.State
}

func appendLive(list []live, d *automaton.DFA, test int, s automaton.State) []live {
	if !d.Live(s) {
		return list
	}
	return append(list, live{test, s})
}

func (p *position) text() string { return p.before + string(p.last) }

// read puts the string together, once for all that follow it.
func (p position) read() position {
	p.before, p.last = p.text(), nil
	return p
}

// step is the position one byte further, with the same literals.
func (r *reader) step(p position, b byte) position {
	next := position{literals: p.literals, language: r.language.Step(p.language, b), before: p.before, last: single[b : int(b)+1]}
	for _, l := range p.live {
		next.live = appendLive(next.live, r.tests[l.test], l.test, r.tests[l.test].Step(l.state, b))
	}
	return next
}

// single holds each byte once.
var single = func() (all [256]byte) {
	for b := range all {
		all[b] = byte(b)
	}
	return all
}()

// mayBeWanted tells whether a wanted literal holds, or a wanted test may still.
func (r *reader) mayBeWanted(p position) bool {
	return r.hasWanted(p) || slices.ContainsFunc(p.live, func(l live) bool { return r.wantedTests[l.test] })
}

// isWanted tells whether a wanted literal or test holds for the string of a position.
func (r *reader) isWanted(p position) bool {
	return r.hasWanted(p) || slices.ContainsFunc(p.live, func(l live) bool {
		return r.wantedTests[l.test] && r.tests[l.test].Accepts(l.state)
	})
}

func (r *reader) hasWanted(p position) bool {
	return r.wantedLiterals == nil || slices.ContainsFunc(p.literals, func(i int) bool { return r.wantedLiterals[i] })
}
