package class

import (
	"regexp/syntax"
	"strings"

	"github.com/routedelta/routedelta/diff/automaton"
	"github.com/routedelta/routedelta/diff/table"
)

// maxSample bounds the length of a sample.
const maxSample = 4096

// sampler matches patterns with single paths. Most patterns are asked so seldom that an automaton would cost more than all
// answers; those that are asked often get one.
type sampler struct {
	*patterns
	known map[*patternRest]*sampled
}

type sampled struct {
	uses    int
	matcher *table.PathMatcher
	dfa     *automaton.DFA
}

// manyUses of a pattern are worth an automaton.
const manyUses = 50

func newSampler(p *patterns) *sampler {
	return &sampler{patterns: p, known: map[*patternRest]*sampled{}}
}

func (s *sampler) matches(p splitPattern, path string) bool {
	behind, begins := strings.CutPrefix(path, p.text)
	if !begins {
		return false
	}
	m := s.known[p.rest]
	if m == nil {
		m = &sampled{matcher: table.NewPathMatcher(table.Path{Kind: table.PathRegex, Value: p.rest.pattern})}
		s.known[p.rest] = m
	}
	if m.uses++; m.uses == manyUses {
		m.dfa, _ = s.compile(p.rest.pattern) // without one the matcher goes on
	}
	if m.dfa != nil {
		return m.dfa.Matches(behind)
	}
	return m.matcher.Matches(behind)
}

// samplesOf are short strings of a pattern; none for one that is not understood.
func samplesOf(pattern string) []string {
	tree := parsePattern(pattern)
	if tree == nil {
		return nil
	}
	var samples []string
	for _, c := range []sampleChoice{{fill: readableBytes}, {fill: "z9_" + readableBytes, more: true}, {fill: "-~", more: true, last: true}} {
		if sample, ok := c.append(nil, tree); ok {
			samples = append(samples, string(sample))
		}
	}
	return samples
}

// parsePattern reads a pattern byte by byte, as Envoy does. It is nil for one that is not understood.
func parsePattern(pattern string) *syntax.Regexp {
	characters := make([]rune, len(pattern))
	for i := range len(pattern) {
		characters[i] = rune(pattern[i])
	}
	tree, err := syntax.Parse(string(characters), syntax.Perl)
	if err != nil {
		return nil
	}
	return tree.Simplify()
}

const readableBytes = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_./~!$&'()*+,;=:@"

// sampleChoice says which of the strings of a pattern is the sample.
type sampleChoice struct {
	// fill are the bytes to choose from, the first that fits.
	fill string
	// more takes what may be left out, last the last alternative.
	more, last bool
}

func (c sampleChoice) append(out []byte, t *syntax.Regexp) (_ []byte, ok bool) {
	if len(out) > maxSample {
		return out, false
	}
	ok = true
	switch t.Op {
	case syntax.OpNoMatch:
		return out, false
	case syntax.OpLiteral:
		out = append(out, latin1Bytes(t.Rune)...)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		out = append(out, c.fill[0])
	case syntax.OpCharClass:
		at := strings.IndexFunc(c.fill, func(r rune) bool { return inRanges(t.Rune, r) })
		if at < 0 {
			return out, false
		}
		out = append(out, c.fill[at])
	case syntax.OpStar, syntax.OpQuest:
		if c.more {
			return c.append(out, t.Sub[0])
		}
	case syntax.OpCapture, syntax.OpPlus:
		return c.append(out, t.Sub[0])
	case syntax.OpAlternate:
		if c.last {
			return c.append(out, t.Sub[len(t.Sub)-1])
		}
		return c.append(out, t.Sub[0])
	case syntax.OpConcat:
		for i := 0; i < len(t.Sub) && ok; i++ {
			out, ok = c.append(out, t.Sub[i])
		}
	}
	return out, ok
}

func inRanges(ranges []rune, r rune) bool {
	for i := 0; i+1 < len(ranges); i += 2 {
		if ranges[i] <= r && r <= ranges[i+1] {
			return true
		}
	}
	return false
}

// literalPattern tells that a pattern is a literal of the tree in other words: "/a" is exact, "/a.*" a prefix, "/a(/.*)?" on
// segments. No path has a line break, which is all that a dot leaves out.
func literalPattern(pattern string) (automaton.Literal, bool) {
	tree := parsePattern(pattern)
	if tree == nil {
		return automaton.Literal{}, false
	}
	parts := []*syntax.Regexp{tree}
	if tree.Op == syntax.OpConcat {
		parts = tree.Sub
	}
	var text string
	if first := uncaptured(parts[0]); first.Op == syntax.OpLiteral && first.Flags&syntax.FoldCase == 0 {
		text, parts = string(latin1Bytes(first.Rune)), parts[1:]
	}
	switch {
	case len(parts) == 0:
		return automaton.Literal{Kind: automaton.Exact, Text: text}, true
	case len(parts) == 1 && isAnything(parts[0]):
		return automaton.Literal{Kind: automaton.Prefix, Text: text}, true
	case len(parts) == 1 && isBelow(parts[0]):
		return automaton.Literal{Kind: automaton.SegmentPrefix, Text: text}, true
	}
	return automaton.Literal{}, false
}

func latin1Bytes(characters []rune) []byte {
	out := make([]byte, len(characters))
	for i, r := range characters {
		out[i] = byte(r)
	}
	return out
}

func uncaptured(t *syntax.Regexp) *syntax.Regexp {
	for t.Op == syntax.OpCapture {
		t = t.Sub[0]
	}
	return t
}

// isAnything is ".*".
func isAnything(t *syntax.Regexp) bool {
	t = uncaptured(t)
	return t.Op == syntax.OpStar && (t.Sub[0].Op == syntax.OpAnyCharNotNL || t.Sub[0].Op == syntax.OpAnyChar)
}

// isBelow is "(/.*)?".
func isBelow(t *syntax.Regexp) bool {
	t = uncaptured(t)
	if t.Op != syntax.OpQuest {
		return false
	}
	t = uncaptured(t.Sub[0])
	return t.Op == syntax.OpConcat && len(t.Sub) == 2 && isAnything(t.Sub[1]) &&
		t.Sub[0].Op == syntax.OpLiteral && string(t.Sub[0].Rune) == "/"
}

// PrefixPattern tells that a regular expression is a prefix in other words ("/a.*"), and which.
func PrefixPattern(pattern string) (prefix string, ok bool) {
	literal, ok := literalPattern(pattern)
	return literal.Text, ok && literal.Kind == automaton.Prefix
}
