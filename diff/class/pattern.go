package class

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/routedelta/routedelta/diff/automaton"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// patterns compiles every pattern and value test once.
type patterns struct {
	limit int
	regex map[string]compiled
	// literals are the literal prefixes of patterns, or of what follows the plain text that they begin with.
	literals map[string]string
	rests    map[string]*patternRest
	tests    map[test]compiled
}

type compiled struct {
	dfa *automaton.DFA
	err error
}

func newPatterns(limit int) *patterns {
	return &patterns{limit: limit, regex: map[string]compiled{}, literals: map[string]string{}, rests: map[string]*patternRest{}, tests: map[test]compiled{}}
}

// compile returns the automaton of a regular expression that Go and Envoy understand alike.
func (p *patterns) compile(pattern string) (*automaton.DFA, error) {
	if known, ok := p.regex[pattern]; ok {
		return known.dfa, known.err
	}
	var c compiled
	if c.err = table.CheckRegex(pattern); c.err == nil {
		c.dfa, c.err = automaton.Compile(pattern, p.limit)
		switch {
		case errors.Is(c.err, automaton.ErrBudget):
			c.err = fmt.Errorf("the regular expression %q is too complex to decide", diagnostic.Clip(pattern))
		case c.err != nil:
			c.err = fmt.Errorf("compiling %q: %w", diagnostic.Clip(pattern), c.err)
		}
	}
	p.regex[pattern] = c
	return c.dfa, c.err
}

// test is a predicate's question about one value.
type test struct {
	kind       table.Test
	value      string
	ignoreCase bool
}

func testOf(p table.Predicate) test {
	return test{kind: p.Test, value: p.Value, ignoreCase: p.IgnoreCase && p.Test != table.Regex}
}

func (p *patterns) test(t test) (*automaton.DFA, error) {
	switch t.kind {
	case table.Regex:
		return p.compile(t.value)
	case table.Range:
		pattern, err := rangePattern(t.value)
		if err != nil {
			return nil, err
		}
		return p.compile(pattern)
	}
	if known, ok := p.tests[t]; ok {
		return known.dfa, known.err
	}
	build := map[table.Test]func(string, bool, int) (*automaton.DFA, error){
		table.Exact: automaton.Exactly, table.Prefix: automaton.Beginning,
		table.Suffix: automaton.Ending, table.Contains: automaton.Containing,
	}[t.kind]
	var c compiled
	c.dfa, c.err = build(t.value, t.ignoreCase, p.limit)
	p.tests[t] = c
	return c.dfa, c.err
}

// pathForm is a path matcher as the path tree takes it: a literal, or a pattern that hangs below a literal with which all
// that it matches begins.
type pathForm struct {
	literal automaton.Literal
	// pattern is "" for a literal.
	pattern string
}

func (ps *patterns) form(p table.Path) pathForm {
	text := ps.literalText(p)
	if p.Kind == table.PathRegex {
		return pathForm{automaton.Literal{Kind: automaton.Prefix, Text: text}, p.Value}
	}
	if len(text) < len(p.Value) {
		return pathForm{automaton.Literal{Kind: automaton.Prefix, Text: text}, foldedPattern(p)}
	}
	literal := automaton.Literal{Kind: automaton.Prefix, Text: p.Value}
	switch p.Kind {
	case table.PathExact:
		literal.Kind = automaton.Exact
	case table.PathSegments:
		literal.Kind = automaton.SegmentPrefix
	}
	return pathForm{literal: literal}
}

// literalText is a text with which all paths of a matcher begin: without regular expressions and folded letters its own.
func (ps *patterns) literalText(p table.Path) string {
	if p.Kind == table.PathRegex {
		plain, rest := automaton.SplitLiteral(p.Value)
		text, known := ps.literals[rest]
		if !known {
			text = automaton.LiteralPrefix(rest)
			ps.literals[rest] = text
		}
		return plain + text
	}
	if p.IgnoreCase {
		if at := strings.IndexFunc(p.Value, isLetter); at >= 0 {
			return p.Value[:at]
		}
	}
	return p.Value
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// foldedPattern writes a literal that ignores case as a regular expression. Only ASCII letters fold, so each is a class of
// its two cases; that, unlike (?i), leaves bytes beyond ASCII alone.
func foldedPattern(p table.Path) string {
	var out strings.Builder
	for i := range len(p.Value) {
		b := p.Value[i]
		if isLetter(rune(b)) {
			out.WriteString("[" + strings.ToLower(string(b)) + strings.ToUpper(string(b)) + "]")
		} else if b < 0x80 {
			out.WriteString(regexp.QuoteMeta(string(rune(b))))
		} else {
			out.WriteByte(b)
		}
	}
	switch p.Kind {
	case table.PathPrefix:
		out.WriteString(`(?s:.*)`)
	case table.PathSegments:
		out.WriteString(`(?:/(?s:.*))?`)
	}
	return out.String()
}
