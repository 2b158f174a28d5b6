package class

import (
	"strings"

	"github.com/routedelta/routedelta/diff/automaton"
	"github.com/routedelta/routedelta/diff/table"
)

// patternRest is what is known of a pattern without the plain text that it begins with. The patterns of a table mostly differ
// in the text alone, so one of these serves many.
type patternRest struct {
	pattern string
	// understood: Go and Envoy read it alike. So they do the whole then, since the text is of plain ASCII.
	understood bool
	// literal is what the pattern says in other words, if it isLiteral.
	literal   automaton.Literal
	isLiteral bool
	samples   []string
}

// split gives the plain text of a pattern and what is known of its rest.
func (ps *patterns) split(pattern string) (text string, rest *patternRest) {
	text, left := automaton.SplitLiteral(pattern)
	rest = ps.rests[left]
	if rest == nil {
		rest = &patternRest{pattern: left, understood: table.CheckRegex(left) == nil, samples: samplesOf(left)}
		rest.literal, rest.isLiteral = literalPattern(left)
		ps.rests[left] = rest
	}
	return text, rest
}

// asLiteral tells that a pattern is a literal of the tree in other words.
func (ps *patterns) asLiteral(pattern string) (automaton.Literal, bool) {
	text, rest := ps.split(pattern)
	return automaton.Literal{Kind: rest.literal.Kind, Text: text + rest.literal.Text}, rest.isLiteral
}

// samplePaths are short strings of a pattern, as guesses: whoever uses one checks that the pattern matches it.
func (ps *patterns) samplePaths(pattern string) func(yield func(string) bool) {
	text, rest := ps.split(pattern)
	return func(yield func(string) bool) {
		for _, sample := range rest.samples {
			if !yield("/" + strings.TrimPrefix(text+sample, "/")) {
				return
			}
		}
	}
}
