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

// splitPattern is a pattern in two: the plain text that it begins with, and what is known of the rest.
type splitPattern struct {
	text string
	rest *patternRest
}

func (ps *patterns) split(pattern string) splitPattern {
	text, left := automaton.SplitLiteral(pattern)
	rest := ps.rests[left]
	if rest == nil {
		rest = &patternRest{pattern: left, understood: table.CheckRegex(left) == nil, samples: samplesOf(left)}
		rest.literal, rest.isLiteral = literalPattern(left)
		ps.rests[left] = rest
	}
	return splitPattern{text, rest}
}

// asLiteral tells that a pattern is a literal of the tree in other words.
func (p splitPattern) asLiteral() (automaton.Literal, bool) {
	return automaton.Literal{Kind: p.rest.literal.Kind, Text: p.text + p.rest.literal.Text}, p.rest.isLiteral
}

// samplePaths are short strings of a pattern, as guesses: whoever uses one checks that the pattern matches it.
func (p splitPattern) samplePaths(yield func(string) bool) {
	for _, sample := range p.rest.samples {
		if !yield("/" + strings.TrimPrefix(p.text+sample, "/")) {
			return
		}
	}
}
