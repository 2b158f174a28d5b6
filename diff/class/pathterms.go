package class

import (
	"maps"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/automaton"
)

// pathTerms writes sets of paths that are unions of path cells of one pair.
type pathTerms struct {
	*comparison
	*hostPair
}

// pathSet is a selection of cells: for each node the pattern lists of the cells in it.
type pathSet map[int][][]int

func (s pathSet) add(c *pathCell) { s[c.node] = append(s[c.node], c.patterns) }

// terms writes a set. With patterns it looks for one sentence that says it all: literals, all of some patterns, none of some
// others. If there is none, each combination of patterns gets a sentence of its own.
func (t pathTerms) terms(set pathSet) []Terms {
	if q, ok := t.common(set); ok {
		return t.write(set, q)
	}
	groups := map[string]pathSet{}
	combinations := map[string]bool{}
	for node, cells := range set {
		for _, patterns := range cells {
			key := joinNumbers(patterns) + "of" + joinNumbers(t.explored[node].inPlay)
			if groups[key] == nil {
				groups[key] = pathSet{}
				combinations[key] = true
			}
			groups[key][node] = append(groups[key][node], patterns)
		}
	}
	var out []Terms
	for _, key := range sortedKeys(combinations) {
		q, _ := t.common(groups[key]) // of one combination there is always a sentence
		out = append(out, t.write(groups[key], q)...)
	}
	return out
}

// sentence says which patterns paths match, and which they do not.
type sentence struct{ all, none []int }

func has(patterns []int, p int) bool {
	_, in := slices.BinarySearch(patterns, p)
	return in
}

func (s sentence) holds(patterns []int) bool {
	return !slices.ContainsFunc(s.all, func(p int) bool { return !has(patterns, p) }) &&
		!slices.ContainsFunc(s.none, func(p int) bool { return has(patterns, p) })
}

// fails tells whether the sentence surely does not hold for a part of a node.
func (s sentence) fails(n *exploredNode, part []int) bool {
	return slices.ContainsFunc(s.all, func(p int) bool { return has(n.inPlay, p) && !has(part, p) }) ||
		slices.ContainsFunc(s.none, func(p int) bool { return has(part, p) })
}

// common finds the sentence of a set, if there is one: the patterns in all of its cells, and those in none of them. It must
// describe just the cells of the set at the nodes of the set.
func (t pathTerms) common(set pathSet) (sentence, bool) {
	q := t.propose(set)
	for node, cells := range set {
		explored := t.explored[node]
		for _, p := range slices.Concat(q.all, q.none) {
			if !has(explored.inPlay, p) && !t.apart(node, p) {
				return q, false
			}
		}
		for _, part := range explored.parts {
			in := slices.ContainsFunc(cells, func(c []int) bool { return slices.Equal(c, part) })
			if q.holds(part) && !in {
				return q, false
			}
		}
	}
	return q, true
}

func (t pathTerms) propose(set pathSet) sentence {
	count, cells := map[int]int{}, 0
	known := map[int]bool{}
	for node, list := range set {
		cells += len(list)
		for _, patterns := range list {
			for _, p := range patterns {
				count[p]++
			}
		}
		for _, part := range t.explored[node].parts {
			for _, p := range part {
				known[p] = true
			}
		}
	}
	var q sentence
	for p := range known {
		switch count[p] {
		case cells:
			q.all = append(q.all, p)
		case 0:
			q.none = append(q.none, p)
		}
	}
	slices.Sort(q.all)
	slices.Sort(q.none)
	return q
}

// write colours the tree with the nodes of a set whose cells the sentence describes.
func (t pathTerms) write(set pathSet, q sentence) []Terms {
	tops, above := lineage(slices.Sorted(maps.Keys(set)), func(node int) int { return t.tree.nodes[node].parent })
	out := colouring{
		above:    func(node int) bool { return above[node] },
		children: func(node int) []int { return t.tree.nodes[node].children },
		term:     func(node int) Term { return pathTerm(t.tree.nodes[node].literal) },
		colour:   func(node int) colour { return t.colour(set, q, node) },
	}.terms(tops)
	for i := range out {
		t.addPatterns(&out[i], q)
	}
	return out
}

// colour of a node: it does not matter where its own part has no path that the sentence describes.
func (t pathTerms) colour(set pathSet, q sentence, node int) colour {
	if _, in := set[node]; in {
		return inside
	}
	n, explored := t.explored[node]
	if explored && !slices.ContainsFunc(n.parts, func(part []int) bool { return !q.fails(n, part) }) {
		return either
	}
	if slices.ContainsFunc(q.all, func(p int) bool { return t.apart(node, p) }) {
		return either
	}
	return outside
}

// apart tells whether no path below a node matches a pattern.
func (t pathTerms) apart(node, pattern int) bool {
	at, p := t.tree.nodes[node].literal, &t.tree.patterns[pattern]
	if !strings.HasPrefix(at.Text, p.hang.Text) && !strings.HasPrefix(p.hang.Text, at.Text) {
		return true
	}
	return !p.dfa.Meets(at)
}

// addPatterns adds the sentence to terms. A pattern that lies inside the only included literal says it alone.
func (t pathTerms) addPatterns(terms *Terms, q sentence) {
	for i, p := range q.all {
		term := Term{Kind: TermRegex, Value: t.tree.patterns[p].text}
		if i == 0 && len(terms.Include) == 1 && t.insideOf(p, terms.Include[0]) {
			terms.Include[0] = term
			continue
		}
		terms.Within = append(terms.Within, term)
	}
	for _, p := range q.none {
		terms.Exclude = append(terms.Exclude, Term{Kind: TermRegex, Value: t.tree.patterns[p].text})
	}
}

// insideOf tells whether all that a pattern matches is in an included literal.
func (t pathTerms) insideOf(pattern int, include Term) bool {
	hang := t.tree.patterns[pattern].hang
	switch include.Kind {
	case TermAny:
		return true
	case TermPrefix:
		return covers(automaton.Literal{Kind: automaton.Prefix, Text: include.Value}, hang)
	case TermSegments:
		return covers(automaton.Literal{Kind: automaton.SegmentPrefix, Text: include.Value}, hang)
	}
	return false
}
