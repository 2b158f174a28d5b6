package verify

import (
	"fmt"
	"strings"

	"github.com/routedelta/routedelta/diff/automaton"
	"github.com/routedelta/routedelta/diff/table"
)

// The strings that reach a matcher. A language may be larger than what Envoy lets through: then more is checked than there is.
// It must not be smaller.
const (
	hostStrings   = `[!$-.0-;=@\[\]_a-z~]*`
	pathStrings   = `/[!"$->@-~\x80-\xff]*`
	headerStrings = `[\t -~\x80-\xff]*`
	queryStrings  = `[!"$%'->@-~?\x80-\xff]*`
	cookieStrings = `[\t -:<-~\x80-\xff]*`
	methodStrings = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+"
)

// Paths that an option leaves none of.
const (
	unusualBytes   = `(?s).*[^!$-;=@-\[\]_a-z~].*` // normalize_path escapes them
	dotSegments    = `(?s).*/\.\.?(/.*)?`
	decodedEscapes = `(?s).*%(00|2[dDeE]|3[0-9]|[46][1-9a-fA-F]|5[0-9aAfF]|7[0-9aAeE]).*`
	doubleSlashes  = `(?s)//.+|.+//.*`
	slashEscapes   = `(?s).*%(2[fF]|5[cC]).*`
	parameters     = `(?s).*;.*`
)

// pathLanguage is a language of all paths that matchers see.
func pathLanguage(o table.Options) (*automaton.DFA, error) {
	without := []string{}
	switch {
	case o.IgnorePathParameters:
		// What is cut is cut behind all normalisation, and may leave "/./" of "/.;x/".
		without = append(without, parameters)
	default:
		if o.NormalizePath {
			without = append(without, unusualBytes, dotSegments, decodedEscapes)
		}
		if o.MergeSlashes {
			without = append(without, doubleSlashes)
		}
		if o.EscapedSlashes != table.KeepEscapedSlashes {
			without = append(without, slashEscapes)
		}
	}
	language, err := automaton.Compile(pathStrings, 0)
	for _, pattern := range without {
		if err != nil {
			break
		}
		var cut *automaton.DFA
		if cut, err = automaton.Compile(pattern, 0); err == nil {
			language, err = automaton.Minus(language, cut, 0)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the language of paths: %w", err)
	}
	return language, nil
}

// valueLanguage are the values that a source can hold.
func valueLanguage(source table.Source) string {
	switch source {
	case table.Query:
		return queryStrings
	case table.Method:
		return methodStrings
	case table.Cookie:
		return cookieStrings
	}
	return headerStrings
}

// sendable tells whether a request can hold a value of that name at all.
func sendable(source table.Source, name string, o table.Options) bool {
	switch source {
	case table.Header:
		dropped := o.Underscores != table.AllowUnderscores && strings.Contains(name, "_")
		return name != "" && !dropped && !strings.ContainsAny(name, " \t\"(),/:;<=>?@[\\]{}")
	case table.Query:
		return !strings.ContainsAny(name, " \t&=#\x7f")
	}
	return true
}
