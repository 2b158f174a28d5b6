package class

import (
	"slices"
	"strings"
)

// hostTerms writes sets of cells of a host space.
type hostTerms struct {
	space    *hostSpace
	parent   []int
	children [][]int // by cell
}

func newHostTerms(s *hostSpace) *hostTerms {
	t := &hostTerms{space: s, parent: make([]int, len(s.cells)), children: make([][]int, len(s.cells))}
	if len(s.prefixes) > 0 {
		return t // not a tree, see flat
	}
	byDomain := make(map[string]int, len(s.cells))
	for i, c := range s.cells {
		byDomain[c.domain] = i
	}
	for i, c := range s.cells {
		parent := -1
		if c.domain != "*" {
			parent = parentDomain(c.domain, byDomain)
		}
		t.parent[i] = parent
		if parent >= 0 {
			t.children[parent] = append(t.children[parent], i)
		}
	}
	return t
}

// parentDomain is the next shorter wildcard that takes all hosts of a domain.
func parentDomain(domain string, byDomain map[string]int) int {
	bare := strings.TrimPrefix(domain, "*")
	for at := 1; at < len(bare); at++ {
		if i, ok := byDomain["*"+bare[at:]]; ok {
			return i
		}
	}
	if i, ok := byDomain["*"]; ok {
		return i
	}
	return -1
}

// terms writes a set of cells.
func (t *hostTerms) terms(cells []int) []Terms {
	if len(t.space.prefixes) > 0 {
		return t.flat(cells)
	}
	in := make(map[int]bool, len(cells))
	for _, c := range cells {
		in[c] = true
	}
	cells = slices.Clone(cells)
	slices.Sort(cells)
	tops, above := lineage(slices.Compact(cells), func(node int) int { return t.parent[node] })
	return colouring{
		above:    func(node int) bool { return above[node] },
		children: func(node int) []int { return t.children[node] },
		term:     func(node int) Term { return hostTerm(t.space.cells[node].domain) },
		colour: func(node int) colour {
			if in[node] {
				return inside
			}
			return outside
		},
	}.terms(tops)
}

// flat writes each cell by itself, as its domain without every better one: with prefix wildcards domains may cross.
func (t *hostTerms) flat(cells []int) []Terms {
	var out []Terms
	for _, i := range cells {
		c := t.space.cells[i]
		terms := Terms{Include: []Term{hostTerm(c.domain)}}
		if c.under != "" {
			terms.Within = []Term{hostTerm(c.under)}
		}
		if strings.Contains(c.domain, "*") {
			terms.Exclude = t.better(c)
		}
		out = append(out, terms)
	}
	return out
}

// better are the terms of the domains that are tried before a wildcard cell's, and of the prefixes that would divide it.
func (t *hostTerms) better(c hostCell) []Term {
	var out []Term
	for _, d := range t.space.exact {
		out = append(out, hostTerm(d))
	}
	isSuffix := strings.HasPrefix(c.domain, "*") && c.domain != "*"
	for _, s := range t.space.suffixes {
		if !isSuffix || len(s) > len(c.domain)-1 {
			out = append(out, hostTerm("*"+s))
		}
	}
	prefix := c.domain
	if isSuffix {
		prefix = c.under
	}
	for _, p := range t.space.prefixes {
		if c.domain == "*" || isSuffix && c.under == "" || len(p) > len(prefix)-1 {
			out = append(out, hostTerm(p+"*"))
		}
	}
	return out
}

func hostTerm(domain string) Term {
	switch {
	case domain == "*":
		return Term{Kind: TermAny}
	case strings.HasPrefix(domain, "*"):
		return Term{Kind: TermSuffix, Value: domain[1:]}
	case strings.HasSuffix(domain, "*"):
		return Term{Kind: TermPrefix, Value: domain[:len(domain)-1]}
	}
	return Term{Kind: TermExact, Value: domain}
}
