package files

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"strings"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	matcherv3 "github.com/envoyproxy/go-control-plane/envoy/type/matcher/v3"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// defaultProgramSize is Envoy's own limit of a compiled expression.
const defaultProgramSize = 100

const programSizeKey = "re2.max_program_size.error_level"

// checkRegexes finds expressions that Envoy refuses, with the whole resource around them, and substitutions by a group that
// the expression does not have, which Envoy takes.
func (c *checker) checkRegexes() {
	limit := programSizeLimit(c.set.Bootstrap)
	each(c, func(path string, m *matcherv3.RegexMatcher) {
		parsed, err := parseRegex(m.GetRegex())
		if err != nil {
			c.errorf(diagnostic.BrokenResource, at(path, "regex"), "%q is no regular expression of RE2: %s", m.GetRegex(), reasonOf(err))
			return
		}
		if size := programSize(parsed); size > limit {
			c.errorf(diagnostic.BrokenResource, at(path, "regex"), "%q compiles to about %d instructions, and the limit is %d (%s)", m.GetRegex(), size, limit, programSizeKey)
		}
	})
	each(c, func(path string, m *matcherv3.RegexMatchAndSubstitute) {
		if parsed, err := parseRegex(m.GetPattern().GetRegex()); err == nil {
			c.checkSubstitution(at(path, "substitution"), m.GetSubstitution(), parsed.MaxCap())
		}
	})
}

var (
	// escape is one escape, so that the second half of "\\\\" is not taken for the beginning of another.
	escape    = regexp.MustCompile(`\\(?:x\{[0-9A-Fa-f]+\}|.)`)
	codePoint = regexp.MustCompile(`^\\x\{0*[1-9A-Fa-f][0-9A-Fa-f]{2,}\}$`)
)

var errNoByte = errors.New("code points over \\xff do not exist: it is matched byte by byte")

// parseRegex reads an expression as Envoy does: RE2 in Latin-1, where each byte is a character. RE2 has an escape that Go
// has not: \C, any byte.
func parseRegex(pattern string) (*syntax.Regexp, error) {
	for _, found := range escape.FindAllString(pattern, -1) {
		if codePoint.MatchString(found) {
			return nil, errNoByte
		}
	}
	pattern = escape.ReplaceAllStringFunc(pattern, func(found string) string {
		if found == `\C` {
			return `(?s:.)`
		}
		return found
	})
	var characters strings.Builder
	for i := range len(pattern) {
		characters.WriteRune(rune(pattern[i]))
	}
	return syntax.Parse(characters.String(), syntax.Perl)
}

func reasonOf(err error) string {
	if refused, ok := err.(*syntax.Error); ok {
		return refused.Code.String()
	}
	return err.Error()
}

// programSizeLimit is the limit that the bootstrap sets, the last layer's if several do.
func programSizeLimit(bootstrap *bootstrapv3.Bootstrap) int {
	limit := defaultProgramSize
	for _, layer := range bootstrap.GetLayeredRuntime().GetLayers() {
		if value, ok := layer.GetStaticLayer().GetFields()[programSizeKey]; ok {
			limit = int(value.GetNumberValue())
		}
	}
	return limit
}

// programSize is about what RE2 counts: Go's program, in which a class of n ranges is one instruction and RE2 has 2n-1 for it.
// It agrees with RE2 on the 604 of "/.{1,200}".
func programSize(parsed *syntax.Regexp) int {
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return 0
	}
	size := 0
	for _, instruction := range program.Inst {
		switch instruction.Op {
		case syntax.InstNop:
		case syntax.InstRuneAnyNotNL:
			size += 2
		case syntax.InstRune:
			size += max(1, len(instruction.Rune)-1)
		default:
			size++
		}
	}
	return size
}

// checkSubstitution finds "\2" where there is one group, and a backslash that is neither a group nor a backslash.
func (c *checker) checkSubstitution(field, substitution string, groups int) {
	for i := 0; i < len(substitution); i++ {
		if substitution[i] != '\\' {
			continue
		}
		i++
		switch {
		case i == len(substitution), substitution[i] != '\\' && (substitution[i] < '0' || substitution[i] > '9'):
			c.errorf(diagnostic.BadSubstitution, field, "%q has a backslash that names no group", substitution)
			return
		case substitution[i] != '\\' && int(substitution[i]-'0') > groups:
			c.errorf(diagnostic.BadSubstitution, field, "%q names group %c, and the expression has %d", substitution, substitution[i], groups)
			return
		}
	}
}
