package automaton

import (
	"encoding/binary"
	"slices"
)

// Exploration asks which truth vectors of Tests occur among the strings of a region: those of Base that are in none of
// Without, and in Language.
type Exploration struct {
	Base Literal
	// Without are literals inside Base.
	Without []Literal
	// Language limits the region; nil is every string.
	Language *DFA
	Tests    []*DFA
	// Limit bounds the work: the states of the product, each counted once for every automaton in it. 0 means DefaultProduct.
	Limit int
	// Enough stops after so many vectors; 0 is no bound. 1 asks whether the region has a string at all.
	Enough int
}

// DefaultProduct is the budget of an exploration when the caller gives none.
const DefaultProduct = 1_000_000

// Vector is a combination of test results that occurs, with the shortest and most readable string that has it.
type Vector struct {
	// Truth holds one value for each test.
	Truth   []bool
	Witness string
}

// Run returns the vectors, the one with the shortest witness first.
//
// It is a breadth-first walk over the product of the trie of Without, Language and Tests. Bytes that nothing tells apart
// are walked once, by the most readable of them.
//
// Lemma 13 (exploration). Run finds every vector that a string of the region has, each with a shortest string that has it.
//
// Proof. Whether a string is in the region and which tests it passes depends only on the place it ends at: the node of the trie and
// the state of each automaton. Take a shortest string of a vector. Replace byte by byte with the representative of its class: the
// places stay the same, so it is as good. All its beginnings are visited, or places equal to theirs were reached before by strings
// no longer: from a place that is left out (outside for good, or dead in Language) no string of the region goes on. Breadth first,
// so the first string that ends in a place of the vector is no longer than it.
func (e *Exploration) Run() ([]Vector, error) {
	w := newWalk(e)
	for i := 0; i < len(w.places); i++ {
		if len(w.places)*(1+len(w.automata)) > w.limit {
			return nil, ErrBudget
		}
		w.record(i)
		if e.Enough > 0 && len(w.found) == e.Enough {
			break
		}
		w.expand(i)
	}
	return w.found, nil
}

// place is a state of the product, reached from an earlier one by a byte; the automata's states stand in walk.states.
type place struct {
	node int32
	from int
	b    byte
}

type walk struct {
	*Exploration
	limit    int
	without  *trie
	automata []*DFA // Language (if any), then Tests
	class    alphabet
	places   []place
	states   []State // len(automata) for each place
	seen     map[string]bool
	found    []Vector
	vectors  map[string]bool
	key      []byte
	next     []State
	// outside are the bytesAt all places outside of the trie, once they are known.
	outside []byte
}

func newWalk(e *Exploration) *walk {
	w := &walk{Exploration: e, limit: e.Limit, without: newTrie(e.Base.Text, e.Without), seen: map[string]bool{}, vectors: map[string]bool{}}
	if w.limit <= 0 {
		w.limit = DefaultProduct
	}
	w.class.size = 1
	if e.Language != nil {
		w.automata = append(w.automata, e.Language)
	}
	w.automata = append(w.automata, e.Tests...)
	for _, d := range w.automata {
		w.class = join(&w.class, &d.alphabet)
		w.next = append(w.next, d.Run(d.start, e.Base.Text))
	}
	if !w.without.nodes[0].ends[Prefix] {
		w.visit(place{from: -1})
	}
	return w
}

// visit adds the place with the states in next, unless it is known or leads to no string of the region.
func (w *walk) visit(p place) {
	if w.Language != nil && !w.Language.live[w.next[0]] {
		return
	}
	w.key = binary.LittleEndian.AppendUint32(w.key[:0], uint32(p.node))
	for _, s := range w.next {
		w.key = binary.LittleEndian.AppendUint32(w.key, uint32(s))
	}
	if p.from < 0 {
		w.key = append(w.key, 1) // only the base itself is restricted in its next byte
	}
	if w.seen[string(w.key)] {
		return
	}
	w.seen[string(w.key)] = true
	w.places = append(w.places, p)
	w.states = append(w.states, w.next...)
}

func (w *walk) at(i int) []State { return w.states[i*len(w.automata) : (i+1)*len(w.automata)] }

// record notes the vector of the string that ends at place i, if the string is in the region.
func (w *walk) record(i int) {
	states := w.at(i)
	if w.without.contains(w.places[i].node) {
		return
	}
	if w.Language != nil {
		if !w.Language.accept[states[0]] {
			return
		}
		states = states[1:]
	}
	truth := make([]bool, len(w.Tests))
	w.key = w.key[:0]
	for j, d := range w.Tests {
		truth[j] = d.accept[states[j]]
		if truth[j] {
			w.key = binary.AppendUvarint(w.key, uint64(j))
		}
	}
	if w.vectors[string(w.key)] {
		return
	}
	w.vectors[string(w.key)] = true
	w.found = append(w.found, Vector{Truth: truth, Witness: w.Base.Text + w.text(i)})
}

func (w *walk) text(i int) string {
	var out []byte
	for ; w.places[i].from >= 0; i = w.places[i].from {
		out = append(out, w.places[i].b)
	}
	slices.Reverse(out)
	return string(out)
}

// expand visits what follows place i by one byte of each kind.
func (w *walk) expand(i int) {
	if w.Base.Kind == Exact {
		return
	}
	node := w.places[i].node
	for _, b := range w.bytesAt(i) {
		next, taken := w.without.step(node, b)
		if taken {
			continue
		}
		for j, d := range w.automata {
			w.next[j] = d.Step(w.at(i)[j], b)
		}
		w.visit(place{node: next, from: i, b: b})
	}
}

// bytesAt are the bytes by which place i is left, the most readable first: one for all that nothing tells apart there.
func (w *walk) bytesAt(i int) []byte {
	node := w.places[i].node
	switch {
	case i == 0 && w.Base.Kind == SegmentPrefix:
		return []byte{'/'}
	case node < 0 && w.outside != nil:
		return w.outside
	}
	singled := w.without.singled(node)
	var seen [256]bool
	out := make([]byte, 0, w.class.size)
	for _, b := range readable {
		if !singled[b] {
			class := w.class.class[b]
			if seen[class] {
				continue
			}
			seen[class] = true
		}
		out = append(out, b)
	}
	if node < 0 {
		w.outside = out
	}
	return out
}
