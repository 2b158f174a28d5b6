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
	// bytes are those of a host.
	bytes string
	// searches counts those for a host.
	searches int
}

// hostCell is a set of hosts with one virtual host on each side.
type hostCell struct {
	// domain is the best one, as it is written. under is the best prefix wildcard behind a suffix, "" for none.
	domain, under string
	host          [2]int // index into Table.Hosts, -1 for none
	// chosen is the domain that each side chooses by, "" for none.
	chosen [2]string
	// witness is a host of the cell, once one was found.
	witness string
	found   bool
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
	s := &hostSpace{bytes: hostBytes, domains: map[string]bool{}, sides: [2]hostChoice{domainsOf(before), domainsOf(after)}}
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
		if s.isName(d) {
			s.addCell(hostCell{domain: d, witness: d, found: true})
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
