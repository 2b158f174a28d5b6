package class

import (
	"fmt"
	"strings"

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
	dotSegments  = `.*/\.\.?(/.*)?`
	plainEscapes = `.*%(00|2[dDeE]|3[0-9]|4[1-9a-fA-F]|5[0-9aAfF]|6[1-9a-fA-F]|7[0-9aAeE]).*`
	// severalSlashes become one under merge_slashes; a path of nothing but slashes keeps two.
	severalSlashes = `//.+|.+//.*`
	escapedSlashes = `.*%(2[fF]|5[cC]).*`

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

// pathLanguage is the language of paths at the router under a listener's options.
func pathLanguage(o table.Options, p *patterns) (*automaton.DFA, error) {
	base, cuts := rawPath, []string{}
	if o.NormalizePath {
		base, cuts = normalPath, append(cuts, dotSegments, plainEscapes)
	}
	if o.MergeSlashes {
		cuts = append(cuts, severalSlashes)
	}
	if o.EscapedSlashes != table.KeepEscapedSlashes {
		cuts = append(cuts, escapedSlashes)
	}
	language, err := p.compile(base)
	for _, cut := range cuts {
		if err != nil {
			break
		}
		var out *automaton.DFA
		if out, err = p.compile(cut); err == nil {
			language, err = automaton.Minus(language, out, p.limit)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("building the language of paths: %w", err)
	}
	return language, nil
}

// sendablePath is what a client sends to have path at the router. A segment ".;x" would be cut to "." and resolved before
// escapes are read, "%2e;x" is not.
func sendablePath(path string, o table.Options) string {
	if !o.NormalizePath || !strings.Contains(path, ";") {
		return path
	}
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if name, _, found := strings.Cut(segment, ";"); found && (name == "." || name == "..") {
			segments[i] = "%2e" + segment[1:]
		}
	}
	return strings.Join(segments, "/")
}

// sendableHost is what a client sends to have host looked up. Where ports are taken off the last ":" begins one; each of the
// two options takes one off.
func sendableHost(host string, o table.Options) string {
	if strings.LastIndexByte(host, ':') <= strings.LastIndexByte(host, ']') {
		return host
	}
	for _, taken := range []bool{o.StripAnyHostPort, o.IgnoreHostPort} {
		if taken {
			host += ":80"
		}
	}
	return host
}
