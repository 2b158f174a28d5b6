package class

import (
	"regexp"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/automaton"
)

// Lemma 16 (host of a cell). Of a cell of lemma 8 let s be the text of its best suffix, p that of its best prefix, "" for none. A
// host that is no wildcard's text lies in the cell exactly if, read backwards, it begins with s backwards, and with no longer
// suffix's text, is no full name, ends with p backwards, and with no other prefix's text that begins with p.
//
// Proof. A wildcard takes what has its text and is longer; as the host is no wildcard's text, that is: what has its text. So s is the
// longest suffix that takes the host if it takes it and no longer one does, p the longest prefix by the same argument, and the full
// names go first. Wildcards' texts themselves are finitely many, and are tried one by one.
//
// Backwards the suffixes and full names are literals below one, which an Exploration (lemma 13) leaves out, and the prefixes are
// two tests; so it finds a host of the cell, or that there is none.

const (
	// hostBytes are those of the hosts that can be looked up: in lower case, of the bytes that Envoy takes in a Host header.
	hostBytes = "abcdefghijklmnopqrstuvwxyz0123456789!$%&'()*+,-.:;=@[]_~"
	// hiddenHosts are, backwards, those that options may not leave as they are: with a port, or a dot at the end.
	hiddenHosts = `.*:.*|\..*`
	// maxHostSearches bounds the explorations of one comparison: nearly all cells have a host of the usual kinds.
	maxHostSearches = 200
)

// isName tells whether a host can be looked up.
func (s *hostSpace) isName(host string) bool {
	return strings.IndexFunc(host, func(r rune) bool { return !strings.ContainsRune(s.bytes, r) }) < 0
}

// findWitness looks for a host of the cell that can be looked up, and keeps it. That there is none is not always sure.
func (s *hostSpace) findWitness(i int) (found, sure bool) {
	c := &s.cells[i]
	if c.found {
		return s.reachable == nil || s.reachable(c.witness), true
	}
	for _, host := range s.candidates(c) {
		if s.take(c, host) {
			return true, true
		}
	}
	return s.search(c)
}

// take keeps a host if it lies in the cell.
func (s *hostSpace) take(c *hostCell, host string) bool {
	domain, under := s.best(host)
	if !s.isName(host) || domain != c.domain || under != c.under || s.reachable != nil && !s.reachable(host) {
		return false
	}
	c.witness, c.found = host, true
	return true
}

// usualNames are examples for cells that leave the name open, the most telling first.
var usualNames = []string{"example.com", "a.example.com", "other.example"}

// candidates are hosts that may lie in a cell, the most telling first: usual names, a letter in the open place.
func (s *hostSpace) candidates(c *hostCell) []string {
	bare := strings.Trim(c.domain, "*")
	start, out := "", []string{}
	switch {
	case c.domain == "*":
		out = slices.Clone(usualNames)
	case c.under != "":
		start = strings.TrimSuffix(c.under, "*")
		out = overlaps(start, bare)
	case !strings.HasPrefix(c.domain, "*"):
		start, bare = bare, ""
		out = []string{start + "com", start + "example"}
	}
	for fill := 'a'; fill <= 'z'; fill++ {
		out = append(out, start+string(fill)+bare)
	}
	return out
}

// overlaps are the texts that begin with start and end with end, where the two share bytes or touch.
func overlaps(start, end string) []string {
	var out []string
	for n := min(len(start), len(end)); n >= 0; n-- {
		if strings.HasSuffix(start, end[:n]) {
			out = append(out, start+end[n:])
		}
	}
	return out
}

// search decides by lemma 16. Where options differ that take ports and dots off hosts, not every host can be looked up: then it
// looks among those that no option touches first, and if only others are left, it is sure only of one that it finds.
func (s *hostSpace) search(c *hostCell) (found, sure bool) {
	if s.searches++; s.searches > maxHostSearches {
		return false, false
	}
	for _, host := range slices.Concat(s.suffixes, s.prefixes) {
		if s.take(c, host) {
			return true, true
		}
	}
	names, plain, err := s.languages()
	if err != nil {
		return false, false
	}
	if s.reachable != nil {
		if host, found, err := s.explore(c, plain); err != nil || found {
			return found && s.take(c, host), found
		}
	}
	host, found, err := s.explore(c, names)
	if err != nil || !found {
		return false, err == nil
	}
	found = s.take(c, host)
	return found, found
}

// languages are, backwards, all hosts, and those that no option touches.
func (s *hostSpace) languages() (names, plain *automaton.DFA, err error) {
	var class strings.Builder
	for i := range len(s.bytes) {
		class.WriteString(regexp.QuoteMeta(s.bytes[i : i+1]))
	}
	names, err = automaton.Compile("["+strings.ReplaceAll(class.String(), "-", `\-`)+"]*", 0)
	if err != nil {
		return nil, nil, err
	}
	hidden, err := automaton.Compile(hiddenHosts, 0)
	if err != nil {
		return nil, nil, err
	}
	plain, err = automaton.Minus(names, hidden, 0)
	return names, plain, err
}

// explore finds the shortest host of the cell in a language, written backwards, that is no wildcard's text.
func (s *hostSpace) explore(c *hostCell, language *automaton.DFA) (host string, found bool, err error) {
	suffix, prefix := "", strings.TrimSuffix(c.under, "*")
	if strings.HasPrefix(c.domain, "*") {
		suffix = c.domain[1:]
	} else {
		prefix = strings.TrimSuffix(c.domain, "*")
	}
	e := automaton.Exploration{Base: automaton.Literal{Kind: automaton.Prefix, Text: backwards(suffix)}, Language: language, Without: s.others(suffix)}
	for _, pattern := range []string{endingWith([]string{prefix}), endingWith(longerPrefixes(s.prefixes, prefix))} {
		test, err := automaton.Compile(pattern, 0)
		if err != nil {
			return "", false, err
		}
		e.Tests = append(e.Tests, test)
	}
	vectors, err := e.Run()
	for _, v := range vectors {
		if v.Truth[0] && !v.Truth[1] {
			return backwards(v.Witness), true, nil
		}
	}
	return "", false, err
}

// others are, backwards, what ends with a suffix and lies in other cells: longer suffixes, full names, and wildcards' texts.
func (s *hostSpace) others(suffix string) []automaton.Literal {
	var out []automaton.Literal
	add := func(kind automaton.Kind, texts []string) {
		for _, text := range texts {
			if strings.HasSuffix(text, suffix) && (kind == automaton.Exact || text != suffix) {
				out = append(out, automaton.Literal{Kind: kind, Text: backwards(text)})
			}
		}
	}
	add(automaton.Prefix, s.suffixes)
	add(automaton.Exact, s.exact)
	add(automaton.Exact, s.suffixes)
	add(automaton.Exact, s.prefixes)
	return out
}

// longerPrefixes are those that begin with a prefix.
func longerPrefixes(prefixes []string, prefix string) []string {
	var out []string
	for _, p := range prefixes {
		if p != prefix && strings.HasPrefix(p, prefix) {
			out = append(out, p)
		}
	}
	return out
}

// endingWith is the pattern of the texts that end with one of prefixes, backwards.
func endingWith(prefixes []string) string {
	if len(prefixes) == 0 {
		return `[^\x00-\xff]`
	}
	var ends []string
	for _, p := range prefixes {
		ends = append(ends, regexp.QuoteMeta(backwards(p)))
	}
	return `(?s).*(` + strings.Join(ends, "|") + `)`
}

func backwards(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}
