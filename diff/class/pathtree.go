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
	byLiteral := make(map[automaton.Literal]int, max(len(lists[beforeSide]), len(lists[afterSide])))
	var literals []automaton.Literal
	each := func(do func(*candidate)) {
		for _, list := range lists {
			for _, k := range list {
				do(k)
			}
		}
	}
	each(func(k *candidate) {
		if k.twin != nil {
			return
		}
		place, ok := byLiteral[k.form.literal]
		if !ok {
			place = len(literals)
			byLiteral[k.form.literal] = place
			literals = append(literals, k.form.literal)
		}
		k.node = place
	})
	nodeOf := t.addNodes(literals)
	each(func(k *candidate) {
		if k.twin != nil {
			k.node = k.twin.node
		} else {
			k.node = nodeOf[k.node]
		}
	})
	for s, list := range lists {
		t.addCandidates(s, list)
	}
	t.connect()
	return t
}

// addNodes makes the nodes, in order, and tells the node of each literal.
func (t *pathTree) addNodes(literals []automaton.Literal) []int {
	order := make([]int, len(literals))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return compareLiterals(literals[a], literals[b]) })
	t.nodes = make([]pathNode, 0, len(literals)+1)
	root := automaton.Literal{Kind: automaton.Prefix}
	if len(order) == 0 || literals[order[0]] != root {
		t.nodes = append(t.nodes, pathNode{literal: root})
	}
	nodeOf := make([]int, len(literals))
	for _, i := range order {
		nodeOf[i] = len(t.nodes)
		t.nodes = append(t.nodes, pathNode{literal: literals[i]})
	}
	return nodeOf
}

// addCandidates gives each node its candidates, in their order. All have parts of one room.
func (t *pathTree) addCandidates(s int, list []*candidate) {
	counts := make([]int, len(t.nodes))
	for _, k := range list {
		counts[k.node]++
	}
	room := make([]*candidate, len(list))
	for n := range t.nodes {
		if counts[n] > 0 {
			t.nodes[n].own[s], room = room[:0:counts[n]], room[counts[n]:]
		}
	}
	for _, k := range list {
		n := &t.nodes[k.node]
		n.own[s] = append(n.own[s], k)
		n.edited = n.edited || k.edit >= 0
	}
}

// connect finds the parents of the sorted nodes, and gives all children parts of one room.
func (t *pathTree) connect() {
	t.nodes[0].parent = -1
	counts := make([]int, len(t.nodes))
	stack := []int{0}
	for i := 1; i < len(t.nodes); i++ {
		for !covers(t.nodes[stack[len(stack)-1]].literal, t.nodes[i].literal) {
			stack = stack[:len(stack)-1]
		}
		t.nodes[i].parent = stack[len(stack)-1]
		counts[t.nodes[i].parent]++
		stack = append(stack, i)
	}
	room := make([]int, len(t.nodes))
	for i := range t.nodes {
		if counts[i] > 0 {
			t.nodes[i].children, room = room[:0:counts[i]], room[counts[i]:]
		}
		if parent := t.nodes[i].parent; parent >= 0 {
			t.nodes[parent].children = append(t.nodes[parent].children, i)
		}
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
