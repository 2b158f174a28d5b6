// Package automaton is finite automata over bytes, with the meaning that RE2 gives to patterns in Latin-1.
//
// In come patterns and literals; out go deterministic automata that can be combined, compared and asked for members: the
// shortest, most readable string of a language, and the truth vectors that really occur when many languages are tested on
// one string. It knows no Envoy. One byte is one character, in pattern and text alike, because that is how Envoy 1.40 runs
// RE2. Every construction has a budget and ends in ErrBudget beyond it; nothing is approximated.
package automaton

import "errors"

// ErrBudget is returned when a construction needs more states than it was allowed.
var ErrBudget = errors.New("automaton needs more states than allowed")

// ErrFold is returned for a pattern that ignores the case of letters beyond ASCII: RE2 in Latin-1 does not fold them, and
// the parser of this package cannot tell which case was written.
var ErrFold = errors.New("pattern ignores the case of letters beyond ASCII")

// DefaultStates is the budget for an automaton when the caller gives none.
const DefaultStates = 20_000
