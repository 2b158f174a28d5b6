package automaton

import "bytes"

// Kind is the kind of a Literal.
type Kind uint8

const (
	// Prefix are the strings that begin with the text.
	Prefix Kind = iota
	// SegmentPrefix are the text itself, and the text followed by "/" and anything.
	SegmentPrefix
	// Exact is the text alone.
	Exact
)

// Literal is a set of strings that one text describes.
type Literal struct {
	Kind Kind
	Text string
}

// Contains tells whether s belongs to the literal.
func (l Literal) Contains(s string) bool {
	if len(s) < len(l.Text) || s[:len(l.Text)] != l.Text {
		return false
	}
	return l.Kind == Prefix || len(s) == len(l.Text) || l.Kind == SegmentPrefix && s[len(l.Text)] == '/'
}

// trie walks a set of literals byte by byte. Node 0 is the root; -1 is outside for good.
type trie struct{ nodes []trieNode }

type trieNode struct {
	// bytes lead on, each to the node of the same index in next.
	bytes []byte
	next  []int32
	// kinds of the literals that end here.
	ends [3]bool
}

// newTrie holds the literals below base, which all of them begin with.
func newTrie(base string, literals []Literal) *trie {
	t := &trie{nodes: make([]trieNode, 1)}
	for _, l := range literals {
		at := int32(0)
		for _, b := range []byte(l.Text[len(base):]) {
			next := t.child(at, b)
			if next < 0 {
				next = int32(len(t.nodes))
				t.nodes = append(t.nodes, trieNode{})
				node := &t.nodes[at]
				node.bytes, node.next = append(node.bytes, b), append(node.next, next)
			}
			at = next
		}
		t.nodes[at].ends[l.Kind] = true
	}
	return t
}

// child is the node of a literal that goes on with b, -1 for none.
func (t *trie) child(at int32, b byte) int32 {
	node := &t.nodes[at]
	if i := bytes.IndexByte(node.bytes, b); i >= 0 {
		return node.next[i]
	}
	return -1
}

// step returns the node after b; taken says that every string that goes on from there is in the set.
func (t *trie) step(at int32, b byte) (next int32, taken bool) {
	if at < 0 {
		return -1, false
	}
	if b == '/' && t.nodes[at].ends[SegmentPrefix] {
		return -1, true
	}
	next = t.child(at, b)
	return next, next >= 0 && t.nodes[next].ends[Prefix]
}

// contains tells whether the string that ends at a node is itself in the set.
func (t *trie) contains(at int32) bool {
	return at >= 0 && t.nodes[at].ends != [3]bool{}
}

// singled are the bytes that are treated apart from all others at the node.
func (t *trie) singled(at int32) (out [256]bool) {
	if at < 0 {
		return out
	}
	node := &t.nodes[at]
	for _, b := range node.bytes {
		out[b] = true
	}
	out['/'] = out['/'] || node.ends[SegmentPrefix]
	return out
}
