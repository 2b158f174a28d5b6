package automaton

import "strings"

// SplitLiteral cuts a pattern into the plain text that it begins with and a pattern for the rest: the language of the whole is that
// text in front of the language of the rest. Patterns of one table mostly differ in the text alone, so what is known of a rest serves
// for many.
func SplitLiteral(pattern string) (text, rest string) {
	at := 0
	for at < len(pattern) && isPlain(pattern[at]) {
		at++
	}
	if at < len(pattern) && strings.IndexByte("*+?{", pattern[at]) >= 0 {
		at-- // that is about the last byte alone
	}
	if at <= 0 || !standsAlone(pattern[at:]) {
		return "", pattern
	}
	return pattern[:at], pattern[at:]
}

// isPlain tells whether a byte means itself in a pattern and is a whole letter.
func isPlain(b byte) bool { return b >= ' ' && b < 0x7f && strings.IndexByte(`\.+*?()|[]{}^$`, b) < 0 }

// standsAlone tells whether a pattern surely means behind a text what it means by itself: it has no alternative outside of all
// groups, and asks for nothing of what stands ahead.
func standsAlone(pattern string) bool {
	alternatives := strings.IndexByte(pattern, '|') >= 0
	depth := 0
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '[':
			if alternatives { // or inside a class, whose grammar is not worth knowing here
				return false
			}
			if strings.HasPrefix(pattern[i:], "[^") {
				i++
			}
		case '\\':
			if i++; i < len(pattern) && strings.IndexByte("QAbB", pattern[i]) >= 0 {
				return false
			}
		case '^':
			return false
		case '(':
			depth++
		case ')':
			depth--
		case '|':
			if depth <= 0 {
				return false
			}
		}
	}
	return true
}
