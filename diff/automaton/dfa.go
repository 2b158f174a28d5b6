package automaton

// State is a state of a DFA.
type State int32

// DFA is a complete deterministic automaton, minimal when it comes out of this package. It is immutable, and safe for
// concurrent use.
type DFA struct {
	alphabet alphabet
	// next holds alphabet.size transitions for each state.
	next   []State
	accept []bool
	// live tells from which states a string can still be accepted.
	live  []bool
	start State
}

// Start is the state before the first byte.
func (d *DFA) Start() State { return d.start }

// Step is the state after one more byte.
func (d *DFA) Step(s State, b byte) State {
	return d.next[int(s)*d.alphabet.size+int(d.alphabet.class[b])]
}

// Run is the state after the bytes of text.
func (d *DFA) Run(s State, text string) State {
	for i := 0; i < len(text); i++ {
		s = d.Step(s, text[i])
	}
	return s
}

// Accepts tells whether a string that ends in s belongs to the language.
func (d *DFA) Accepts(s State) bool { return d.accept[s] }

// Live tells whether a string that leads to s is the beginning of a member.
func (d *DFA) Live(s State) bool { return d.live[s] }

// Matches tells whether text belongs to the language.
func (d *DFA) Matches(text string) bool { return d.accept[d.Run(d.start, text)] }

// IsEmpty tells whether the language has no member.
func (d *DFA) IsEmpty() bool { return !d.live[d.start] }

// States is the number of states.
func (d *DFA) States() int { return len(d.accept) }

// findLive fills live by walking backwards from the accepting states.
func (d *DFA) findLive() {
	from := make([][]State, len(d.accept))
	for i, to := range d.next {
		s := State(i / d.alphabet.size)
		if s != to {
			from[to] = append(from[to], s)
		}
	}
	d.live = make([]bool, len(d.accept))
	var stack []State
	for s, ok := range d.accept {
		if ok {
			d.live[s] = true
			stack = append(stack, State(s))
		}
	}
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, p := range from[s] {
			if !d.live[p] {
				d.live[p] = true
				stack = append(stack, p)
			}
		}
	}
}

// Meets tells whether a string of the language is in a literal.
func (d *DFA) Meets(l Literal) bool {
	s := d.Run(d.start, l.Text)
	switch l.Kind {
	case Exact:
		return d.accept[s]
	case SegmentPrefix:
		return d.accept[s] || d.live[d.Step(s, '/')]
	default:
		return d.live[s]
	}
}
