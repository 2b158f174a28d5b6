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

const dead = automaton.State(-1)

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

// position is where a string leads to that has left the trie.
type position struct {
	literals []int
	language automaton.State
	states   []automaton.State
	text     string
}

func (q *question) run() ([]answer, error) {
	r := &reader{question: q, nodes: []node{{}}, sets: map[string]bool{}, outside: map[string]bool{}}
	for i, l := range q.literals {
		r.insert(i, l.text)
	}
	r.kinds = kindsOfBytes(append(slices.Clone(q.tests), q.language))
	states := make([]automaton.State, len(q.tests))
	for i, d := range q.tests {
		states[i] = alive(d, d.Start())
	}
	r.inside(0, nil, position{language: q.language.Start(), states: states})
	for i := 0; i < len(r.queue) && r.err == nil; i++ {
		r.beyond(r.queue[i])
		r.queue[i] = position{}
	}
	return r.found, r.err
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

// inside visits the string that ends at a node. held are the literals that hold for all strings that begin with it.
func (r *reader) inside(at int, held []int, p position) {
	n := &r.nodes[at]
	p.literals = held
	if !r.language.Live(p.language) || !n.wanted && !r.mayBeWanted(p) {
		return
	}
	if r.err == nil {
		r.err = r.budget.spend(1 + len(p.states))
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

func (r *reader) step(p position, b byte) position {
	next := position{literals: p.literals, language: r.language.Step(p.language, b), states: make([]automaton.State, len(p.states)), text: p.text + string([]byte{b})}
	for i, s := range p.states {
		next.states[i] = dead
		if s != dead {
			next.states[i] = alive(r.tests[i], r.tests[i].Step(s, b))
		}
	}
	return next
}

// alive is the state, or dead where no continuation is accepted.
func alive(d *automaton.DFA, s automaton.State) automaton.State {
	if !d.Live(s) {
		return dead
	}
	return s
}

// leave queues a position outside the trie, unless it is known or no wanted answer can follow.
func (r *reader) leave(p position) {
	if r.err != nil || !r.language.Live(p.language) || !r.mayBeWanted(p) || r.settled(p) {
		return
	}
	key := binary.AppendUvarint(encodeSet(nil, p.literals), uint64(p.language))
	for _, s := range p.states {
		key = binary.AppendVarint(key, int64(s))
	}
	if r.outside[string(key)] {
		return
	}
	r.outside[string(key)] = true
	r.err = r.budget.spend(1 + len(p.states))
	r.queue = append(r.queue, p)
}

// settled tells that what follows a position has one combination only, and that this is found.
func (r *reader) settled(p position) bool {
	if slices.ContainsFunc(p.states, func(s automaton.State) bool { return s != dead }) {
		return false
	}
	return r.sets[string(encodeSet(encodeSet(nil, p.literals), nil))]
}

func (r *reader) mayBeWanted(p position) bool {
	if r.wantedLiterals == nil || slices.ContainsFunc(p.literals, func(i int) bool { return r.wantedLiterals[i] }) {
		return true
	}
	for i, s := range p.states {
		if s != dead && r.wantedTests[i] {
			return true
		}
	}
	return false
}

// isWanted tells whether a wanted literal or test holds for the string of a position.
func (r *reader) isWanted(p position) bool {
	if r.wantedLiterals == nil || slices.ContainsFunc(p.literals, func(i int) bool { return r.wantedLiterals[i] }) {
		return true
	}
	for i, s := range p.states {
		if s != dead && r.wantedTests[i] && r.tests[i].Accepts(s) {
			return true
		}
	}
	return false
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
	a := answer{literals: p.literals, witness: p.text}
	for i, s := range p.states {
		if s != dead && r.tests[i].Accepts(s) {
			a.tests = append(a.tests, i)
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
