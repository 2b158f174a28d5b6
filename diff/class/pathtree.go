package class

import (
	"cmp"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/automaton"
)

// Lemma 3 (laminar literals). Of two sets of paths of the kinds {s}, {s} with all below s/, and all that begins with s,
// either one contains the other or they have no path in common.
//
// Proof. Let p be in both sets, of the texts s and t; both are then beginnings of p, so let s be a beginning of t. If
// s = t, the kinds are nested: exact in segments in prefix. If s is shorter and the first set is a prefix, it has all that
// begins with s, hence with t. If it is of segments, p goes on behind s with "/", so t does, and the first set has all that
// begins with t. It is not exact, as p is longer than s.
//
// So the literals form a tree by containment, and every path lies in the own part of exactly one node: in its set and in
// none of its children's. Sorting with "/" as the least byte, and at one text prefix before segments before exact, puts
// each set's subsets right behind it ("/a-b" must not come between "/a" and "/a/c"); one pass with a stack builds the tree.
// A regular expression hangs at the prefix with which all its matches begin.

// pathNode is a literal of the tree.
type pathNode struct {
	literal automaton.Literal
	parent  int
	// children in order.
	children []int
	own      [2][]*candidate
	// edited: a rule of this node or below is edited.
	edited bool
}

// pathTree is the tree of the literals of two rule lists. Node 0 is the root, which holds every path.
type pathTree struct {
	nodes    []pathNode
	patterns []pathPattern
}

// pathPattern is a regular expression among the paths.
type pathPattern struct {
	text string
	hang automaton.Literal
	dfa  *automaton.DFA
}

func newPathTree(lists [2][]*candidate) *pathTree {
	t := &pathTree{}
	byLiteral := map[automaton.Literal]int{}
	var unsorted []pathNode
	for side, list := range lists {
		for _, c := range list {
			i, ok := byLiteral[c.form.literal]
			if !ok {
				i = len(unsorted)
				byLiteral[c.form.literal] = i
				unsorted = append(unsorted, pathNode{literal: c.form.literal})
			}
			n := &unsorted[i]
			n.own[side] = append(n.own[side], c)
			n.edited = n.edited || c.edit >= 0
		}
	}
	slices.SortFunc(unsorted, func(a, b pathNode) int { return compareLiterals(a.literal, b.literal) })
	root := automaton.Literal{Kind: automaton.Prefix}
	if len(unsorted) == 0 || unsorted[0].literal != root {
		t.nodes = append(t.nodes, pathNode{literal: root, parent: -1})
	}
	t.nodes = append(t.nodes, unsorted...)
	t.connect()
	return t
}

// connect finds the parents of the sorted nodes.
func (t *pathTree) connect() {
	t.nodes[0].parent = -1
	stack := []int{0}
	for i := 1; i < len(t.nodes); i++ {
		for !covers(t.nodes[stack[len(stack)-1]].literal, t.nodes[i].literal) {
			stack = stack[:len(stack)-1]
		}
		parent := stack[len(stack)-1]
		t.nodes[i].parent = parent
		t.nodes[parent].children = append(t.nodes[parent].children, i)
		stack = append(stack, i)
	}
	for i := len(t.nodes) - 1; i > 0; i-- {
		if t.nodes[i].edited {
			t.nodes[t.nodes[i].parent].edited = true
		}
	}
}

// compareLiterals sorts a set before its subsets and those before all else.
func compareLiterals(a, b automaton.Literal) int {
	n := min(len(a.Text), len(b.Text))
	for i := range n {
		if x, y := a.Text[i], b.Text[i]; x != y {
			switch {
			case x == '/':
				return -1
			case y == '/':
				return 1
			}
			return cmp.Compare(x, y)
		}
	}
	return cmp.Or(cmp.Compare(len(a.Text), len(b.Text)), cmp.Compare(a.Kind, b.Kind))
}

// covers tells whether a contains b.
func covers(a, b automaton.Literal) bool {
	if !strings.HasPrefix(b.Text, a.Text) {
		return false
	}
	if len(a.Text) == len(b.Text) {
		return a.Kind <= b.Kind
	}
	return a.Kind == automaton.Prefix || a.Kind == automaton.SegmentPrefix && b.Text[len(a.Text)] == '/'
}

// pathTerm writes a literal. All paths begin with "/".
func pathTerm(l automaton.Literal) Term {
	switch {
	case l.Kind == automaton.Prefix && (l.Text == "" || l.Text == "/"):
		return Term{Kind: TermAny}
	case l.Kind == automaton.Prefix:
		return Term{Kind: TermPrefix, Value: l.Text}
	case l.Kind == automaton.SegmentPrefix:
		return Term{Kind: TermSegments, Value: l.Text}
	default:
		return Term{Kind: TermExact, Value: l.Text}
	}
}
