package xds

import (
	"strings"
	"unicode/utf8"

	matcherv3 "github.com/envoyproxy/go-control-plane/envoy/type/matcher/v3"
)

func regexMatcher(pattern string) *matcherv3.RegexMatcher {
	return &matcherv3.RegexMatcher{Regex: bytePattern(pattern)}
}

// bytePattern writes a pattern for RE2 in Latin-1, which is how Envoy runs it: a byte is a character there. A letter beyond
// ASCII stands for its bytes and matches as it is, but "é+" would repeat the second byte alone: such a letter is put into a
// group. Inside a character class it can only be the set of its bytes, and is left alone.
func bytePattern(pattern string) string {
	var b strings.Builder
	for rest := pattern; rest != ""; {
		token := nextToken(rest)
		rest = rest[len(token):]
		if token[0] >= utf8.RuneSelf && rest != "" && strings.ContainsRune("*+?{", rune(rest[0])) {
			token = "(?:" + token + ")"
		}
		b.WriteString(token)
	}
	return b.String()
}

// nextToken is the first thing in a pattern that a quantifier could stand behind: a quotation \Q...\E, an escape, a character
// class, or one character.
func nextToken(pattern string) string {
	switch {
	case strings.HasPrefix(pattern, `\Q`):
		return through(pattern, `\E`, 2)
	case pattern[0] == '\\' && len(pattern) > 1:
		_, size := utf8.DecodeRuneInString(pattern[1:])
		return pattern[:1+size]
	case pattern[0] == '[':
		return class(pattern)
	}
	_, size := utf8.DecodeRuneInString(pattern)
	return pattern[:size]
}

// class is the character class at the start of a pattern. A "]" right behind the opening stands for itself, and so does all
// of "[:alpha:]" for the one that it closes.
func class(pattern string) string {
	i := 1
	if strings.HasPrefix(pattern[i:], "^") {
		i++
	}
	if strings.HasPrefix(pattern[i:], "]") {
		i++
	}
	for i < len(pattern) {
		switch {
		case pattern[i] == ']':
			return pattern[:i+1]
		case pattern[i] == '\\':
			i += 2
		case strings.HasPrefix(pattern[i:], "[:"):
			i += len(through(pattern[i:], ":]", 2))
		default:
			i++
		}
	}
	return pattern
}

// through is a text up to and with the first end at or behind from, or all of it.
func through(text, end string, from int) string {
	if i := strings.Index(text[from:], end); i >= 0 {
		return text[:from+i+len(end)]
	}
	return text
}
