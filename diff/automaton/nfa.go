package automaton

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
)

// operation is what an instruction of an NFA does.
type operation uint8

const (
	opByte  operation = iota // consume a byte of lo-hi, go to out
	opSplit                  // go to out and to alt
	opEmpty                  // go to out where the empty-width conditions hold
	opMatch
	opFail
)

type instruction struct {
	op       operation
	lo, hi   byte
	empty    syntax.EmptyOp
	out, alt int32
}

// nfa is a program over bytes, built from the end: each method takes the instruction that follows and returns its own.
type nfa struct {
	program []instruction
	limit   int
	// anchored is set when the program has empty-width conditions; the states must then remember the last byte's kind.
	anchored bool
}

func (n *nfa) add(i instruction) int32 {
	n.program = append(n.program, i)
	return int32(len(n.program) - 1)
}

// over tells that the program alone is larger than any automaton of the budget could be worth.
func (n *nfa) over() bool { return len(n.program) > 4*n.limit+64 }

func (n *nfa) literal(text string, fold bool, next int32) int32 {
	for i := len(text) - 1; i >= 0; i-- {
		b := text[i]
		one := n.add(instruction{op: opByte, lo: b, hi: b, out: next})
		if other, ok := otherCase(b); fold && ok {
			two := n.add(instruction{op: opByte, lo: other, hi: other, out: next})
			one = n.add(instruction{op: opSplit, out: one, alt: two})
		}
		next = one
	}
	return next
}

// otherCase is the ASCII letter of the other case.
func otherCase(b byte) (byte, bool) {
	if b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' {
		return b ^ 0x20, true
	}
	return b, false
}

func (n *nfa) anything(next int32) int32 {
	loop := n.add(instruction{op: opSplit, alt: next})
	n.program[loop].out = n.add(instruction{op: opByte, lo: 0, hi: 255, out: loop})
	return loop
}

// bytesBefore are the kinds of last byte that empty-width conditions tell apart, each with a rune of that kind: none,
// a word byte, a newline, another.
var bytesBefore = [...]rune{-1, 'a', '\n', ' '}

func kindOf(b byte) uint8 {
	switch {
	case b >= '0' && b <= '9', b >= 'A' && b <= 'Z', b == '_', b >= 'a' && b <= 'z':
		return 1
	case b == '\n':
		return 2
	}
	return 3
}

func (n *nfa) alphabet() alphabet {
	var c cuts
	for _, i := range n.program {
		if i.op == opByte {
			c.add(i.lo, i.hi)
		}
	}
	if n.anchored {
		c.add('0', '9')
		c.add('A', 'Z')
		c.add('_', '_')
		c.add('a', 'z')
		c.add('\n', '\n')
	}
	return c.alphabet()
}

// subset is a state of the subset construction.
type subset struct {
	at     []int32 // sorted
	before uint8   // index into bytesBefore
}

// builder runs the subset construction.
type builder struct {
	*nfa
	index  map[string]State
	states []subset
	mark   []int32
	round  int32
	key    []byte
}

// determinize returns the minimal automaton of the program from start.
func (n *nfa) determinize(start int32) (*DFA, error) {
	if n.over() {
		return nil, ErrBudget
	}
	b := &builder{nfa: n, index: make(map[string]State), mark: make([]int32, len(n.program))}
	d := &DFA{alphabet: n.alphabet()}
	bytes := d.alphabet.representatives()
	b.state(subset{}) // the dead state is 0
	d.start = b.state(subset{at: b.closure([]int32{start}, 0, true)})
	for i := 0; i < len(b.states); i++ {
		if len(b.states) > n.limit {
			return nil, ErrBudget
		}
		d.accept = append(d.accept, b.accepting(b.states[i]))
		for _, c := range bytes {
			d.next = append(d.next, b.step(b.states[i], c))
		}
	}
	return d.minimize(), nil
}

func (b *builder) state(s subset) State {
	if !b.anchored || len(s.at) == 0 {
		s.before = 0
	}
	b.key = append(b.key[:0], s.before)
	for _, p := range s.at {
		b.key = binary.LittleEndian.AppendUint32(b.key, uint32(p))
	}
	if known, ok := b.index[string(b.key)]; ok {
		return known
	}
	id := State(len(b.states))
	b.index[string(b.key)] = id
	b.states = append(b.states, s)
	return id
}

func (b *builder) accepting(s subset) bool {
	at := s.at
	if b.anchored {
		at = b.closure(at, syntax.EmptyOpContext(bytesBefore[s.before], -1), false)
	}
	return slices.ContainsFunc(at, func(p int32) bool { return b.program[p].op == opMatch })
}

func (b *builder) step(s subset, c byte) State {
	at := s.at
	if b.anchored {
		at = b.closure(at, syntax.EmptyOpContext(bytesBefore[s.before], bytesBefore[kindOf(c)]), false)
	}
	var next []int32
	for _, p := range at {
		if i := &b.program[p]; i.op == opByte && i.lo <= c && c <= i.hi {
			next = append(next, i.out)
		}
	}
	if len(next) == 0 {
		return 0
	}
	return b.state(subset{at: b.closure(next, 0, true), before: kindOf(c)})
}

// closure follows the instructions that consume nothing. Empty-width conditions that do not hold under have are kept where
// keep says so: what comes next may still make them hold.
func (b *builder) closure(from []int32, have syntax.EmptyOp, keep bool) []int32 {
	b.round++
	stack := slices.Clone(from)
	var out []int32
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if b.mark[p] == b.round {
			continue
		}
		b.mark[p] = b.round
		switch i := &b.program[p]; {
		case i.op == opSplit:
			stack = append(stack, i.alt, i.out)
		case i.op == opEmpty && i.empty&^have == 0:
			stack = append(stack, i.out)
		case i.op == opEmpty && !keep, i.op == opFail:
		default:
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}
