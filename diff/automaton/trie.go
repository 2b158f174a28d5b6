package automaton

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
	next map[byte]int32
	// kinds of the literals that end here.
	ends [3]bool
}

// newTrie holds the literals below base, which all of them begin with.
func newTrie(base string, literals []Literal) *trie {
	t := &trie{nodes: make([]trieNode, 1)}
	for _, l := range literals {
		at := int32(0)
		for _, b := range []byte(l.Text[len(base):]) {
			if t.nodes[at].next == nil {
				t.nodes[at].next = make(map[byte]int32)
			}
			next, ok := t.nodes[at].next[b]
			if !ok {
				next = int32(len(t.nodes))
				t.nodes = append(t.nodes, trieNode{})
				t.nodes[at].next[b] = next
			}
			at = next
		}
		t.nodes[at].ends[l.Kind] = true
	}
	return t
}

// step returns the node after b; taken says that every string that goes on from there is in the set.
func (t *trie) step(at int32, b byte) (next int32, taken bool) {
	if at < 0 {
		return -1, false
	}
	node := &t.nodes[at]
	if b == '/' && node.ends[SegmentPrefix] {
		return -1, true
	}
	next, ok := node.next[b]
	if !ok {
		return -1, false
	}
	return next, t.nodes[next].ends[Prefix]
}

// contains tells whether the string that ends at a node is itself in the set.
func (t *trie) contains(at int32) bool {
	return at >= 0 && t.nodes[at].ends != [3]bool{}
}

// singled tells whether b is treated apart from other bytes at the node.
func (t *trie) singled(at int32, b byte) bool {
	if at < 0 {
		return false
	}
	_, ok := t.nodes[at].next[b]
	return ok || b == '/' && t.nodes[at].ends[SegmentPrefix]
}
