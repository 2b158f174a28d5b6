package table

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
)

// latin1 makes one character of each byte. Envoy runs RE2 in Latin-1, Go's regexp reads UTF-8: a pattern and a text that are
// both decoded so mean the same to the two.
func latin1(s string) string {
	var decoded strings.Builder
	for i := range len(s) {
		decoded.WriteRune(rune(s[i]))
	}
	return decoded.String()
}

// compileRegex compiles a pattern to match a whole text that went through latin1.
func compileRegex(pattern string) (*regexp.Regexp, error) {
	if err := checkRegex(pattern); err != nil {
		return nil, err
	}
	return regexp.Compile(`\A(?:` + latin1(pattern) + `)\z`)
}

// checkRegex refuses a pattern that Go and Envoy may understand differently.
func checkRegex(pattern string) error {
	if _, err := syntax.Parse(latin1(pattern), syntax.Perl); err != nil {
		return fmt.Errorf("parsing regular expression %q: %w", pattern, err)
	}
	if foldsBeyondASCII(pattern) {
		return fmt.Errorf("regular expression %q ignores the case of letters beyond ASCII, which Envoy does not", pattern)
	}
	return nil
}

// foldsBeyondASCII tells whether a pattern folds case and may name a letter beyond ASCII: there Go folds and RE2 in Latin-1
// does not. It errs on the side of saying so.
func foldsBeyondASCII(pattern string) bool {
	if !setsFoldFlag(pattern) {
		return false
	}
	for i := range len(pattern) {
		if pattern[i] >= 0x80 {
			return true
		}
	}
	for _, escape := range []string{`\x`, `\p`, `\P`, `\2`, `\3`} {
		if strings.Contains(pattern, escape) {
			return true
		}
	}
	return false
}

// setsFoldFlag looks for a group that switches on "i": "(?i)", "(?si:...)".
func setsFoldFlag(pattern string) bool {
	for {
		_, rest, found := strings.Cut(pattern, "(?")
		if !found {
			return false
		}
		flags := rest[:len(rest)-len(strings.TrimLeft(rest, "imsU"))]
		if strings.Contains(flags, "i") {
			return true
		}
		pattern = rest
	}
}
