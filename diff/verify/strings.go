package verify

import (
	"encoding/binary"
	"slices"

	"github.com/routedelta/routedelta/diff/automaton"
)

// literalKind says which strings a literal holds for.
type literalKind uint8

const (
	exactly     literalKind = iota
	beginning               // the text, and all that begin with it
	longer                  // all that begin with the text and are longer
	segmentwise             // the text, and all that begin with it and "/"
)

type literal struct {
	kind literalKind
	text string
}

// question asks which combinations of answers the strings of a language give to literals and tests.
//
// The walk reads strings byte by byte. While a string is the beginning of a literal's text the position is a node of the trie of all
// texts; at the first byte that leaves the trie the literals that hold are known for good, and two strings that left it with
// the same literals and the same states of the automata have the same answers for every continuation. So the positions are
// finite, each string leads to one, and each position is visited: no combination is missed.
type question struct {
	literals []literal
	tests    []*automaton.DFA
	language *automaton.DFA
	// wanted limits the answers to strings for which one of these literals or tests holds; nil is no limit.
	wantedLiterals, wantedTests []bool
	budget                      *budget
}

// answer is a combination that occurs, with a string that gives it.
type answer struct {
	literals []int // that hold, ascending
	tests    []int
	witness  string
}

// reader is the state of a walk.
type reader struct {
	*question
	nodes []node
	// kinds number the bytes: those of one kind no automaton tells apart.
	kinds [256]byte
	// sets are the combinations found, outside the positions known.
	sets    map[string]bool
	outside map[string]bool
	queue   []position
	found   []answer
	err     error
}

func (q *question) run() ([]answer, error) {
	r := &reader{question: q, nodes: []node{{}}, sets: map[string]bool{}, outside: map[string]bool{}}
	for i, l := range q.literals {
		r.insert(i, l.text)
	}
	r.kinds = kindsOfBytes(append(slices.Clone(q.tests), q.language))
	first := position{language: q.language.Start()}
	for i, d := range q.tests {
		first.live = appendLive(first.live, d, i, d.Start())
	}
	r.inside(0, nil, first)
	for i := 0; i < len(r.queue) && r.err == nil; i++ {
		r.beyond(r.queue[i])
		r.queue[i] = position{}
	}
	return r.found, r.err
}

// inside visits the string that ends at a node. held are the literals that hold for all strings that begin with it.
func (r *reader) inside(at int, held []int, p position) {
	n := &r.nodes[at]
	p = p.read()
	p.literals = held
	if !r.language.Live(p.language) || !n.wanted && !r.mayBeWanted(p) {
		return
	}
	if r.err == nil {
		r.err = r.budget.spend(1 + len(p.live))
	}
	if r.err != nil {
		return
	}
	held = r.with(held, n.ends, beginning)
	here := p
	here.literals = r.with(r.with(held, n.ends, exactly), n.ends, segmentwise)
	r.record(here)
	held = r.with(held, n.ends, longer)
	below := r.with(held, n.ends, segmentwise)
	after := func(b byte) position {
		next := r.step(p, b)
		next.literals = held
		if b == '/' {
			next.literals = below
		}
		return next
	}
	for _, c := range n.children {
		next := after(c.b)
		r.inside(c.at, next.literals, next)
	}
	for b := range r.leaving(n) {
		r.leave(after(b))
	}
}

// leave queues a position outside the trie, unless it is known or no wanted answer can follow.
func (r *reader) leave(p position) {
	if r.err != nil || !r.language.Live(p.language) || !r.mayBeWanted(p) || r.settled(p) {
		return
	}
	key := binary.AppendUvarint(encodeSet(nil, p.literals), uint64(p.language))
	for _, l := range p.live {
		key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(l.test)), uint64(l.state))
	}
	if r.outside[string(key)] {
		return
	}
	r.outside[string(key)] = true
	r.err = r.budget.spend(1 + len(p.live))
	r.queue = append(r.queue, p.read())
}

// settled tells that what follows a position has one combination only, and that this is found.
func (r *reader) settled(p position) bool {
	return len(p.live) == 0 && r.sets[string(encodeSet(encodeSet(nil, p.literals), nil))]
}

// beyond visits a position outside the trie.
func (r *reader) beyond(p position) {
	r.record(p)
	for b := range r.leaving(&node{}) {
		r.leave(r.step(p, b))
	}
}

// record keeps the answer of a string of the language.
func (r *reader) record(p position) {
	if !r.language.Accepts(p.language) || !r.isWanted(p) {
		return
	}
	a := answer{literals: p.literals, witness: p.text()}
	for _, l := range p.live {
		if r.tests[l.test].Accepts(l.state) {
			a.tests = append(a.tests, l.test)
		}
	}
	key := string(encodeSet(encodeSet(nil, a.literals), a.tests))
	if !r.sets[key] {
		r.sets[key] = true
		r.found = append(r.found, a)
	}
}

func encodeSet(to []byte, set []int) []byte {
	to = binary.AppendUvarint(to, uint64(len(set)))
	for _, i := range set {
		to = binary.AppendUvarint(to, uint64(i))
	}
	return to
}
