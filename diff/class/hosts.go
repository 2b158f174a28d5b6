package class

import (
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/table"
)

// Lemma 8 (host cells). Of all domains of both sides let the best of a host be the full name, else the longest "*suffix" that
// takes it, else the longest "prefix*", else "*". Hosts with the same best domain, and behind a suffix also the same best prefix,
// have the same virtual host on each side.
//
// Proof. A side has some of the domains, and takes the best of those that it has. If it has the best one of all, that is it. If
// not, the best is: a full name, then only this one host is in the cell; or a suffix "*s", then the suffixes that take a host of
// the cell are "*s" and those that s ends with, which are the same for all hosts of the cell, and so is the longest of them that
// the side has. If it has none, the prefixes decide: those that take the host are the best prefix and its beginnings. A cell whose
// best is a prefix has the same prefixes by the same argument, and no suffix takes its hosts. In the end there is "*" or nothing.

// hostSpace divides the hosts into the cells of lemma 8. Gateway API writes no prefix wildcards; with them domains may cross.
type hostSpace struct {
	// domains that occur, as they are written.
	domains map[string]bool
	// exact names in order; the texts of wildcards, longest first.
	exact, suffixes, prefixes []string

	sides [2]hostChoice
	cells []hostCell
	// reachable tells whether a host can be looked up on both sides; nil where every host can.
	reachable func(host string) bool
}

// hostCell is a set of hosts with one virtual host on each side.
type hostCell struct {
	// domain is the best one, as it is written. under is the best prefix wildcard behind a suffix, "" for none.
	domain, under string
	host          [2]int // index into Table.Hosts, -1 for none
	// chosen is the domain that each side chooses by, "" for none.
	chosen [2]string
	// witness is a host of the cell.
	witness string
}

// hostChoice is one side's domains.
type hostChoice map[string]int

func domainsOf(t *table.Table) hostChoice {
	out := hostChoice{}
	for i, h := range t.Hosts {
		for _, d := range h.Domains {
			d = strings.ToLower(d)
			if _, taken := out[d]; !taken {
				out[d] = i
			}
		}
	}
	return out
}

func newHostSpace(before, after *table.Table) *hostSpace {
	s := &hostSpace{domains: map[string]bool{}, sides: [2]hostChoice{domainsOf(before), domainsOf(after)}}
	for _, side := range s.sides {
		for d := range side {
			s.add(d)
		}
	}
	slices.Sort(s.exact)
	longest := func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	}
	slices.SortFunc(s.suffixes, longest)
	slices.SortFunc(s.prefixes, longest)
	if !s.overBudget() {
		s.divide()
	}
	return s
}

// maxCrossings bounds the cells that suffixes and prefixes give together.
const maxCrossings = 10_000

// overBudget tells that there are too many cells to look at.
func (s *hostSpace) overBudget() bool { return len(s.suffixes)*len(s.prefixes) > maxCrossings }

func (s *hostSpace) add(domain string) {
	if s.domains[domain] {
		return
	}
	s.domains[domain] = true
	switch {
	case domain == "*":
	case strings.HasPrefix(domain, "*"):
		s.suffixes = append(s.suffixes, domain[1:])
	case strings.HasSuffix(domain, "*"):
		s.prefixes = append(s.prefixes, domain[:len(domain)-1])
	default:
		s.exact = append(s.exact, domain)
	}
}

// divide makes the cells, exact names first, in a stable order. Cells that no request can have are left out.
func (s *hostSpace) divide() {
	for _, d := range s.exact {
		if isHostName(d) {
			s.addCell(hostCell{domain: d, witness: d})
		}
	}
	for _, suffix := range s.suffixes {
		for _, under := range append(slices.Clone(s.prefixes), "") {
			c := hostCell{domain: "*" + suffix}
			if under != "" {
				c.under = under + "*"
			}
			s.addCell(c)
		}
	}
	for _, prefix := range s.prefixes {
		s.addCell(hostCell{domain: prefix + "*"})
	}
	if s.domains["*"] {
		s.addCell(hostCell{domain: "*"})
	}
}

func sortedKeys(m map[string]bool) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func (s *hostSpace) addCell(c hostCell) {
	for side, choice := range s.sides {
		c.chosen[side], c.host[side] = s.choose(choice, c)
	}
	s.cells = append(s.cells, c)
}

// choose finds the domain that a side takes for the hosts of a cell.
func (s *hostSpace) choose(choice hostChoice, c hostCell) (string, int) {
	if i, ok := choice[c.domain]; ok {
		return c.domain, i
	}
	bare := strings.TrimSuffix(c.domain, "*")
	if suffix, isSuffix := strings.CutPrefix(c.domain, "*"); isSuffix || !strings.HasSuffix(c.domain, "*") {
		// A suffix wildcard stands for at least one byte, so a full name is no wildcard's own text.
		if isSuffix {
			bare = suffix
		}
		for at := 1; at <= len(bare); at++ {
			if i, ok := choice["*"+bare[at:]]; ok && at < len(bare) {
				return "*" + bare[at:], i
			}
		}
	}
	start := c.domain
	if strings.HasPrefix(start, "*") {
		start = c.under
	}
	start = strings.TrimSuffix(start, "*")
	for end := len(start); end > 0; end-- {
		whole := end == len(start) && !strings.HasPrefix(c.domain, "*") && !strings.HasSuffix(c.domain, "*")
		if i, ok := choice[start[:end]+"*"]; ok && !whole {
			return start[:end] + "*", i
		}
	}
	if i, ok := choice["*"]; ok {
		return "*", i
	}
	return "", -1
}

// best is the best domain of a host, and behind a suffix the best prefix. The host is in lower case, as it is looked up.
func (s *hostSpace) best(host string) (domain, under string) {
	if s.domains[host] {
		return host, ""
	}
	for end := len(host) - 1; end > 0 && len(s.prefixes) > 0; end-- {
		if prefix := host[:end] + "*"; s.domains[prefix] {
			under = prefix
			break
		}
	}
	for at := 1; at < len(host); at++ {
		if suffix := "*" + host[at:]; s.domains[suffix] {
			return suffix, under
		}
	}
	if under != "" {
		return under, ""
	}
	if s.domains["*"] {
		return "*", ""
	}
	return "", ""
}

// isHostName tells whether a host can be looked up: in lower case, of the bytes that Envoy takes in a Host header.
func isHostName(s string) bool {
	for i := range len(s) {
		if b := s[i]; (b < 'a' || b > 'z') && (b < '0' || b > '9') && strings.IndexByte("!$%&'()*+,-.:;=@[]_~", b) < 0 {
			return false
		}
	}
	return true
}

// names are examples for cells that leave the name open, the most telling first.
var names = []string{"example.com", "a.example.com", "other.example"}

// findWitness looks for a host of the cell and keeps it; false when the cell has none.
func (s *hostSpace) findWitness(i int) bool {
	c := &s.cells[i]
	if c.witness != "" {
		return s.reachable == nil || s.reachable(c.witness)
	}
	for host := range s.candidates(c) {
		domain, under := s.best(host)
		if domain == c.domain && under == c.under && isHostName(host) && (s.reachable == nil || s.reachable(host)) {
			c.witness = host
			return true
		}
	}
	return false
}

// fills are texts for the open place of a wildcard, the plainest first.
func fills(yield func(string) bool) {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=%:[]@"
	for i := range len(letters) {
		if !yield(letters[i : i+1]) {
			return
		}
	}
	for i := range len(letters) {
		for j := range len(letters) {
			if !yield(string([]byte{letters[i], letters[j]})) {
				return
			}
		}
	}
}

// candidates are hosts that may lie in a cell: with usual names first, then every legal byte and pair of bytes in the open
// place, then the texts of better wildcards, which need one byte more themselves, then runs of a byte that are longer than any
// domain: no full name is one, and each wildcard takes those of one byte only.
func (s *hostSpace) candidates(c *hostCell) func(yield func(string) bool) {
	bare := strings.Trim(c.domain, "*")
	frame, usual := [2]string{bare, ""}, []string{}
	switch {
	case c.domain == "*":
		frame, usual = [2]string{}, names
	case c.under != "":
		start := strings.TrimSuffix(c.under, "*")
		frame, usual = [2]string{start, bare}, overlaps(start, bare)
	case strings.HasPrefix(c.domain, "*"):
		frame = [2]string{"", bare}
	default:
		usual = []string{bare + "com", bare + "example"}
	}
	return func(yield func(string) bool) {
		for _, host := range usual {
			if !yield(host) {
				return
			}
		}
		for f := range fills {
			if !yield(frame[0] + f + frame[1]) {
				return
			}
		}
		for _, host := range slices.Concat(s.suffixes, s.prefixes) {
			if !yield(host) {
				return
			}
		}
		long := 1 + s.longest()
		for f := range fills {
			if len(f) == 1 && !yield(frame[0]+strings.Repeat(f, long)+frame[1]) {
				return
			}
		}
	}
}

// longest is the length of the longest domain.
func (s *hostSpace) longest() int {
	n := 0
	for domain := range s.domains {
		n = max(n, len(domain))
	}
	return n
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
