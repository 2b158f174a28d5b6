package class

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestLemma12: what is written of a set over a random tree is the set, and has a term for each change of colour.
func TestLemma12(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 12))
	for range 2000 {
		parents := []int{-1}
		for i := range r.IntN(12) {
			parents = append(parents, r.IntN(i+1))
		}
		colours := make([]colour, len(parents))
		var set []int
		for i := range colours {
			if colours[i] = colour(r.IntN(3)); colours[i] == inside {
				set = append(set, i)
			}
		}
		tops, above := lineage(set, func(node int) int { return parents[node] })
		written := colouring{
			above:    func(node int) bool { return above[node] },
			children: func(node int) []int { return childrenOf(parents, node) },
			term:     func(node int) Term { return Term{Kind: TermExact, Value: fmt.Sprint(node)} },
			colour:   func(node int) colour { return colours[node] },
		}.terms(tops)
		for node, c := range colours {
			in := 0
			for _, terms := range written {
				if inTerms(terms, func(term Term) bool { return atOrBelow(parents, node, term.Value) }) {
					in++
				}
			}
			if c != either && (in == 1) != (c == inside) || in > 1 {
				t.Fatalf("%v, %v: node %d is in %d of %v", parents, colours, node, in, written)
			}
		}
		if terms := countTerms(written); terms != changesOfColour(parents, colours) {
			t.Fatalf("%v, %v: %d terms: %v", parents, colours, terms, written)
		}
	}
}

func childrenOf(parents []int, node int) (out []int) {
	for i, p := range parents {
		if p == node {
			out = append(out, i)
		}
	}
	return out
}

func atOrBelow(parents []int, node int, top string) bool {
	for ; node >= 0; node = parents[node] {
		if fmt.Sprint(node) == top {
			return true
		}
	}
	return false
}

func countTerms(written []Terms) (n int) {
	for _, terms := range written {
		n += len(terms.Include) + len(terms.Exclude)
	}
	return n
}

// changesOfColour counts the nodes whose colour is not that of their parent, where an empty own part has its parent's.
func changesOfColour(parents []int, colours []colour) (n int) {
	now := make([]bool, len(parents)) // parents come first
	for i, c := range colours {
		was := parents[i] >= 0 && now[parents[i]]
		now[i] = c == inside || c == either && was
		if now[i] != was {
			n++
		}
	}
	return n
}

// TestLineage: the topmost nodes of a set have none of it above them, all others have.
func TestLineage(t *testing.T) {
	parents := []int{-1, 0, 1, 1, 0, 4}
	tops, above := lineage([]int{1, 3, 5}, func(node int) int { return parents[node] })
	if !slices.Equal(tops, []int{1, 5}) || !above[0] || !above[1] || !above[4] || above[3] {
		t.Errorf("%v, %v", tops, above)
	}
}
