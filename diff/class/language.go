package class

import (
	"fmt"

	"github.com/routedelta/routedelta/diff/automaton"
	"github.com/routedelta/routedelta/diff/table"
)

// The languages of what can reach the router at all. A class outside them would have no request. They were found by
// sending every byte in every place of Envoy 1.40, in HTTP/1.1 and HTTP/2.

const (
	// rawPath is a path that no option changes: printable, without "#" and "?"; HTTP/2 takes bytes from 0x80.
	rawPath = `/[!"$->@-~\x80-\xff]*`
	// normalPath is what normalize_path leaves, but for dot segments and escapes of plain bytes.
	normalPath = `(/[!$%&-.0-;=@-\[\]_a-z~]*)+`
	// dotSegments are resolved, escapes of these bytes are decoded by normalize_path (NUL is refused).
	dotSegments = `.*/\.\.?(/.*)?`
	// dotParameters are segments that normalize_path would resolve, but for "%2e" in the place of a dot.
	dotParameters = `.*/\.\.?;.*`
	parameters    = `.*;.*`
	plainEscapes  = `.*%(00|2[dDeE]|3[0-9]|4[1-9a-fA-F]|5[0-9aAfF]|6[1-9a-fA-F]|7[0-9aAeE]).*`
	// severalSlashes become one under merge_slashes; a path of nothing but slashes keeps two.
	severalSlashes = `//.+|.+//.*`
	escapedSlashes = `.*%(2[fF]|5[cC]).*`
	escapedNUL     = `.*%00.*`

	// What options look for in a path as it is sent; "\" and escapes may stand for slashes and dots.
	sentDotSegments = `.*[/\\](\.|%2[eE]){1,2}(;[^/]*)?([/\\].*)?`
	sentBytes       = `.*[\\"<>^\x60{|}\x80-\xff].*`
	sentSlashes     = `.*([/\\]|%(2[fF]|5[cC])){2}.*`

	// Values of headers, first as HTTP/1.1 and all usual clients send them, then those that only HTTP/2 carries.
	headerValues      = `([!-~\x80-\xff]([\t -~\x80-\xff]*[!-~\x80-\xff])?)?`
	http2HeaderValues = `[\t -~\x80-\xff]*`
	queryValues       = `[!"$%'->@-~?]*`
	http2QueryValues  = `[!"$%'->@-~?\x80-\xff]*`
	// cookieValues are those that clients send without quoting; allCookieValues are all that can stand in a header's line.
	cookieValues    = `[!#-+\-.-:<-\[\]-~]*`
	allCookieValues = `[\t -:<-~\x80-\xff]*`
	// noValue is what a free condition that holds has.
	noValue = ``
	methods = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+"
)

// pathLanguage is the language of paths at the router under a listener's options: what path matchers see.
func pathLanguage(o table.Options, p *patterns) (*automaton.DFA, error) { return commonPaths(o, o, p) }

// commonPaths is the language of paths that some path, as sent, becomes under the options of both sides. Such a path mostly becomes
// itself; else it can be sent by the means of sendablePath, each of which needs the options that it names on both sides:
//   - a segment ".;x" as "%2e;x", where both normalize, and neither ignores parameters;
//   - a segment "." as "%2e;", where both normalize and both ignore parameters;
//   - an empty segment as ";", where both ignore parameters.
//
// Where only one side has an option, the path must be one that it leaves alone.
func commonPaths(b, a table.Options, p *patterns) (*automaton.DFA, error) {
	normalize, ignore := b.NormalizePath || a.NormalizePath, b.IgnorePathParameters || a.IgnorePathParameters
	bothIgnore := b.IgnorePathParameters && a.IgnorePathParameters
	base := rawPath
	if normalize {
		base = normalPath
	}
	language, err := p.compile(base)
	for _, cut := range []struct {
		pattern string
		applies bool
	}{
		{dotSegments, normalize && !(b.NormalizePath && a.NormalizePath && bothIgnore)},
		{dotParameters, b.NormalizePath != a.NormalizePath},
		{plainEscapes, normalize},
		{severalSlashes, (b.MergeSlashes || a.MergeSlashes) && !bothIgnore},
		{escapedSlashes, b.EscapedSlashes != table.KeepEscapedSlashes || a.EscapedSlashes != table.KeepEscapedSlashes},
		{parameters, ignore},
	} {
		if err != nil || !cut.applies {
			continue
		}
		var out *automaton.DFA
		if out, err = p.compile(cut.pattern); err == nil {
			language, err = automaton.Minus(language, out, p.limit)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("building the language of paths: %w", err)
	}
	return language, nil
}
