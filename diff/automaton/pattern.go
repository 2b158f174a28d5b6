package automaton

import (
	"fmt"
	"regexp/syntax"
	"unicode"
)

// Compile returns the automaton of the strings that pattern matches as a whole, as RE2 does in Latin-1: the pattern's
// bytes are its characters, and classes are cut to the 256 bytes. limit bounds the states; 0 means DefaultStates.
func Compile(pattern string, limit int) (*DFA, error) {
	tree, err := parse(pattern)
	if err != nil {
		return nil, err
	}
	n := newNFA(limit)
	start, err := n.tree(tree, n.add(instruction{op: opMatch}))
	if err != nil {
		return nil, err
	}
	return n.determinize(start)
}

func newNFA(limit int) *nfa {
	if limit <= 0 {
		limit = DefaultStates
	}
	return &nfa{limit: limit}
}

// parse reads pattern byte by byte: Go's parser wants UTF-8, where the bytes above 0x7f would be errors or one character
// for two bytes.
func parse(pattern string) (*syntax.Regexp, error) {
	characters := make([]rune, len(pattern))
	for i := range len(pattern) {
		characters[i] = rune(pattern[i])
	}
	tree, err := syntax.Parse(string(characters), syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("parsing pattern: %w", err)
	}
	return tree.Simplify(), nil
}

// tree adds the program of a syntax tree in front of next.
func (n *nfa) tree(t *syntax.Regexp, next int32) (int32, error) {
	if n.over() {
		return 0, ErrBudget
	}
	switch t.Op {
	case syntax.OpNoMatch:
		return n.add(instruction{op: opFail}), nil
	case syntax.OpEmptyMatch:
		return next, nil
	case syntax.OpLiteral:
		return n.runes(t, next)
	case syntax.OpCharClass:
		if t.Flags&syntax.FoldCase != 0 && foldsBeyondASCII(t.Rune) {
			return 0, ErrFold
		}
		return n.ranges(t.Rune, next), nil
	case syntax.OpAnyChar:
		return n.ranges([]rune{0, unicode.MaxRune}, next), nil
	case syntax.OpAnyCharNotNL:
		return n.ranges([]rune{0, '\n' - 1, '\n' + 1, unicode.MaxRune}, next), nil
	case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		n.anchored = true
		return n.add(instruction{op: opEmpty, empty: emptyWidth[t.Op], out: next}), nil
	case syntax.OpCapture:
		return n.tree(t.Sub[0], next)
	case syntax.OpConcat:
		return n.concat(t.Sub, next)
	case syntax.OpAlternate:
		return n.alternate(t.Sub, next)
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest:
		return n.repeat(t, next)
	default:
		return 0, fmt.Errorf("no program for %v", t.Op)
	}
}

var emptyWidth = map[syntax.Op]syntax.EmptyOp{
	syntax.OpBeginLine:      syntax.EmptyBeginLine,
	syntax.OpEndLine:        syntax.EmptyEndLine,
	syntax.OpBeginText:      syntax.EmptyBeginText,
	syntax.OpEndText:        syntax.EmptyEndText,
	syntax.OpWordBoundary:   syntax.EmptyWordBoundary,
	syntax.OpNoWordBoundary: syntax.EmptyNoWordBoundary,
}

// runes adds a literal. Go's parser would fold "k" with the Kelvin sign too, which no byte is.
func (n *nfa) runes(t *syntax.Regexp, next int32) (int32, error) {
	for i := len(t.Rune) - 1; i >= 0; i-- {
		r := t.Rune[i]
		ranges := []rune{r, r}
		if t.Flags&syntax.FoldCase != 0 {
			if foldsBeyondASCII(ranges) {
				return 0, ErrFold
			}
			if other, ok := otherCase(byte(r)); ok && r < 0x80 {
				ranges = append(ranges, rune(other), rune(other))
			}
		}
		next = n.ranges(ranges, next)
	}
	return next, nil
}

// foldsBeyondASCII tells whether ranges that were folded hold a letter of Latin-1 that has two cases there, but not all
// bytes from 0x80: then the parser may have added one that RE2 would not.
func foldsBeyondASCII(pairs []rune) bool {
	letter, all := false, true
	for r := rune(0x80); r <= 0xff; r++ {
		in := false
		for i := 0; i+1 < len(pairs); i += 2 {
			in = in || pairs[i] <= r && r <= pairs[i+1]
		}
		cased := r >= 0xc0 && r <= 0xfe && r != 0xd7 && r != 0xdf && r != 0xf7
		letter, all = letter || in && cased, all && in
	}
	return letter && !all
}

// ranges adds a choice of ranges of characters, cut to bytes.
func (n *nfa) ranges(pairs []rune, next int32) int32 {
	at := int32(-1)
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i] > 255 {
			continue
		}
		one := n.add(instruction{op: opByte, lo: byte(pairs[i]), hi: byte(min(pairs[i+1], 255)), out: next})
		if at >= 0 {
			one = n.add(instruction{op: opSplit, out: one, alt: at})
		}
		at = one
	}
	if at < 0 {
		return n.add(instruction{op: opFail})
	}
	return at
}

func (n *nfa) concat(parts []*syntax.Regexp, next int32) (int32, error) {
	var err error
	for i := len(parts) - 1; i >= 0 && err == nil; i-- {
		next, err = n.tree(parts[i], next)
	}
	return next, err
}

func (n *nfa) alternate(parts []*syntax.Regexp, next int32) (int32, error) {
	at := n.add(instruction{op: opFail})
	for i := len(parts) - 1; i >= 0; i-- {
		one, err := n.tree(parts[i], next)
		if err != nil {
			return 0, err
		}
		at = n.add(instruction{op: opSplit, out: one, alt: at})
	}
	return at, nil
}

func (n *nfa) repeat(t *syntax.Regexp, next int32) (int32, error) {
	if t.Op == syntax.OpQuest {
		body, err := n.tree(t.Sub[0], next)
		return n.add(instruction{op: opSplit, out: body, alt: next}), err
	}
	loop := n.add(instruction{op: opSplit, alt: next})
	body, err := n.tree(t.Sub[0], loop)
	n.program[loop].out = body
	if t.Op == syntax.OpPlus {
		return body, err
	}
	return loop, err
}

// LiteralPrefix is a text with which every member of the pattern's language begins; "" when none is known.
func LiteralPrefix(pattern string) string {
	tree, err := parse(pattern)
	if err != nil {
		return ""
	}
	prefix, _ := literalPrefix(tree, nil)
	return string(prefix)
}

// literalPrefix appends the leading literal of t. whole says that t is nothing but that literal, so that what follows t
// may go on.
func literalPrefix(t *syntax.Regexp, out []byte) (_ []byte, whole bool) {
	switch t.Op {
	case syntax.OpLiteral:
		if t.Flags&syntax.FoldCase != 0 {
			return out, false
		}
		for _, r := range t.Rune {
			if r > 255 {
				return out, false
			}
			out = append(out, byte(r))
		}
		return out, true
	case syntax.OpBeginText, syntax.OpEmptyMatch:
		return out, true
	case syntax.OpCapture:
		return literalPrefix(t.Sub[0], out)
	case syntax.OpPlus:
		out, _ = literalPrefix(t.Sub[0], out)
		return out, false
	case syntax.OpConcat:
		whole = true
		for i := 0; i < len(t.Sub) && whole; i++ {
			out, whole = literalPrefix(t.Sub[i], out)
		}
		return out, whole
	default:
		return out, false
	}
}
