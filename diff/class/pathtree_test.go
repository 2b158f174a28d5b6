package class

import (
	"math/rand/v2"
	"testing"

	"github.com/routedelta/routedelta/diff/automaton"
)

// TestLemma3: every path lies in the own part of one node, and the nodes that contain it are that node and those above.
func TestLemma3(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	text := func() string {
		out := "/"
		for range r.IntN(6) {
			out += string("ab/-;"[r.IntN(5)])
		}
		return out
	}
	for range 2000 {
		var lists [2][]*candidate
		for range 1 + r.IntN(10) {
			s := r.IntN(2)
			l := automaton.Literal{Kind: automaton.Kind(r.IntN(3)), Text: text()}
			lists[s] = append(lists[s], &candidate{form: pathForm{literal: l}, edit: -1})
		}
		tree := newPathTree(lists)
		for range 30 {
			path := text()
			owners := 0
			for i := range tree.nodes {
				if !tree.nodes[i].literal.Contains(path) {
					continue
				}
				if p := tree.nodes[i].parent; p >= 0 && !tree.nodes[p].literal.Contains(path) {
					t.Fatalf("%q is in %v, but not in its parent %v", path, tree.nodes[i].literal, tree.nodes[p].literal)
				}
				if tree.owns(i, path) {
					owners++
				}
			}
			if owners != 1 {
				t.Fatalf("%q is in the own parts of %d nodes", path, owners)
			}
		}
	}
}

func (t *pathTree) owns(node int, path string) bool {
	for _, child := range t.nodes[node].children {
		if t.nodes[child].literal.Contains(path) {
			return false
		}
	}
	return true
}
