package verify

import "slices"

// node of the trie of the literals' texts.
type node struct {
	children []child
	ends     []int // literals whose text ends here
	wanted   bool  // a wanted literal ends here or below
}

type child struct {
	b  byte
	at int
}

func (n *node) child(b byte) (at int, ok bool) {
	for _, c := range n.children {
		if c.b == b {
			return c.at, true
		}
	}
	return 0, false
}

func (r *reader) insert(literal int, text string) {
	wanted := r.wantedLiterals == nil || r.wantedLiterals[literal]
	at := 0
	for i := 0; ; i++ {
		r.nodes[at].wanted = r.nodes[at].wanted || wanted
		if i == len(text) {
			break
		}
		next, ok := r.nodes[at].child(text[i])
		if !ok {
			next = len(r.nodes)
			r.nodes = append(r.nodes, node{})
			r.nodes[at].children = append(r.nodes[at].children, child{text[i], next})
		}
		at = next
	}
	r.nodes[at].ends = append(r.nodes[at].ends, literal)
}

// leaving yields a byte of each kind that leads out of the trie; "/" is a kind of its own.
func (r *reader) leaving(n *node) func(func(byte) bool) {
	return func(yield func(byte) bool) {
		var seen [256]bool
		for _, b := range readable {
			if _, stays := n.child(b); stays || seen[r.kinds[b]] && b != '/' {
				continue
			}
			seen[r.kinds[b]] = seen[r.kinds[b]] || b != '/'
			if !yield(b) {
				return
			}
		}
	}
}

// with adds the literals of one kind that end somewhere.
func (r *reader) with(held, ends []int, kind literalKind) []int {
	out := held
	for _, i := range ends {
		if r.literals[i].kind == kind {
			if len(out) == len(held) {
				out = slices.Clone(held)
			}
			out = append(out, i)
		}
	}
	slices.Sort(out)
	return out
}
