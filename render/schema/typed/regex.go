package typed

import (
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// regex checks a regular expression as Envoy reads it: RE2 in Latin-1, one byte a character, over the whole value.
// Envoy refuses the whole route table for one bad expression.
func (c *checker) regex(at *field.Path, pattern string) {
	if pattern == "" {
		c.refuse(diagnostic.BadRegex, at, "to match anything write .*", "an empty regular expression matches nothing but the empty value, and Envoy refuses it")
		return
	}
	if wide := wideEscape(pattern); wide != "" {
		c.refuse(diagnostic.BadRegex, at, "Envoy compares byte by byte: write the UTF-8 bytes of the character, \\xC3\\xA9 for é",
			"invalid regular expression %q: %s is beyond \\xFF", diagnostic.Clip(pattern), wide)
		return
	}
	// Each byte becomes the code point of its value, so that Go's parser sees what RE2 sees in Latin-1.
	parsed, err := syntax.Parse(latin1(pattern), syntax.Perl)
	switch {
	case err != nil:
		c.refuse(diagnostic.BadRegex, at, regexHint(pattern, err), "invalid regular expression %q: %s", diagnostic.Clip(pattern), regexError(err))
	case foldsBeyondASCII(parsed):
		c.refuse(diagnostic.BadRegex, at, "write both cases out: [eE] for an ASCII letter, (é|É) for others",
			"invalid regular expression %q: Envoy ignores case for ASCII letters only", diagnostic.Clip(pattern))
	case classOfHalves(pattern):
		c.warn(diagnostic.BadRegex, at, "write (é|x) instead of [éx]",
			"regular expression %q: a character class with a letter beyond ASCII is a class of that letter's single bytes to Envoy", diagnostic.Clip(pattern))
	}
}

// latin1 reads bytes as code points.
func latin1(s string) string {
	runes := make([]rune, len(s))
	for i := range len(s) {
		runes[i] = rune(s[i])
	}
	return string(runes)
}

var escapes = regexp.MustCompile(`\\x\{([0-9A-Fa-f]+)\}|\\(?s:.)`)

// wideEscape is the first escape \x{...} of a code point that no byte has, or "".
func wideEscape(pattern string) string {
	for _, found := range escapes.FindAllStringSubmatch(pattern, -1) {
		if found[1] == "" {
			continue
		}
		if code, err := strconv.ParseUint(found[1], 16, 32); err != nil || code > 0xff {
			return found[0]
		}
	}
	return ""
}

// foldsBeyondASCII tells whether an expression ignores the case of a letter beyond ASCII. Go would fold it, Envoy does not.
func foldsBeyondASCII(re *syntax.Regexp) bool {
	if re.Op == syntax.OpLiteral && re.Flags&syntax.FoldCase != 0 {
		for _, r := range re.Rune {
			if r > 0x7f {
				return true
			}
		}
	}
	for _, sub := range re.Sub {
		if foldsBeyondASCII(sub) {
			return true
		}
	}
	return false
}

var class = regexp.MustCompile(`\[(?:\\(?s:.)|[^\]\\])*[^\x00-\x7f](?:\\(?s:.)|[^\]\\])*\]`)

// classOfHalves tells whether a character class holds a character of several bytes.
func classOfHalves(pattern string) bool { return class.MatchString(pattern) }

// regexError is the message of a parse error without the pattern, which is said already (and is in Latin-1 there).
func regexError(err error) string {
	if e, is := err.(*syntax.Error); is {
		return strings.ToLower(e.Code.String())
	}
	return err.Error()
}

// regexHint says what to do about an expression that does not parse.
func regexHint(pattern string, err error) string {
	e, is := err.(*syntax.Error)
	switch {
	case !is:
		return ""
	case strings.Contains(pattern, `\C`) && e.Code == syntax.ErrInvalidEscape:
		return `Envoy knows \C (any byte), routedelta does not: write (?s:.), which is the same there`
	case e.Code == syntax.ErrInvalidPerlOp:
		return "look-ahead, look-behind and the like do not exist in RE2: say it with several rules"
	case e.Code == syntax.ErrInvalidRepeatSize:
		return "a repeat count is at most 1000"
	case e.Code == syntax.ErrMissingParen, e.Code == syntax.ErrUnexpectedParen, e.Code == syntax.ErrMissingBracket:
		return `close every group and class; write \( or \[ for the character itself`
	case e.Code == syntax.ErrInvalidEscape:
		return "back references and some escapes do not exist in RE2"
	}
	return "the syntax is that of RE2"
}
