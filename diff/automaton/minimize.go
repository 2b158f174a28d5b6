package automaton

// minimize merges the states that no string tells apart and finds the live ones. It is Hopcroft's algorithm: a block of
// states that may split others waits in a list; when a block splits, the smaller half is enough to wait again. Its time is
// n log n, where refining all states round by round would be quadratic for a long chain such as ".{900}".
func (d *DFA) minimize() *DFA {
	p := newPartition(d)
	for len(p.waiting) > 0 {
		last := len(p.waiting) - 1
		block := p.waiting[last]
		p.waiting, p.waits[block] = p.waiting[:last], false
		// The block may split itself below, so its members are copied.
		members := append([]State(nil), p.states[p.begin[block]:p.end[block]]...)
		for c := range d.alphabet.size {
			p.splitBy(members, c)
		}
	}
	return d.quotient(p.block, len(p.begin))
}

// partition holds the blocks of states as ranges of one array.
type partition struct {
	from   [][]State // from[s*size+c] are the states that lead to s by c
	size   int
	states []State // ordered by block
	at     []int   // position of a state in states
	block  []State // block of a state
	begin  []int   // range of a block in states
	end    []int
	marked []int // how many states at the front of a block are marked

	waiting []int
	waits   []bool
}

func newPartition(d *DFA) *partition {
	n, size := len(d.accept), d.alphabet.size
	p := &partition{from: inverse(d), size: size, at: make([]int, n), block: make([]State, n)}
	for _, accepting := range []bool{false, true} {
		begin := len(p.states)
		for s, ok := range d.accept {
			if ok == accepting {
				p.at[s] = len(p.states)
				p.states = append(p.states, State(s))
			}
		}
		if len(p.states) > begin {
			p.addBlock(begin, len(p.states))
		}
	}
	for b := range p.begin {
		p.wait(b)
	}
	return p
}

func inverse(d *DFA) [][]State {
	size := d.alphabet.size
	count := make([]int, len(d.next))
	for i, to := range d.next {
		count[int(to)*size+i%size]++
	}
	from := make([][]State, len(d.next))
	room := make([]State, len(d.next))
	for i, n := range count {
		from[i], room = room[:0:n], room[n:]
	}
	for i, to := range d.next {
		k := int(to)*size + i%size
		from[k] = append(from[k], State(i/size))
	}
	return from
}

func (p *partition) addBlock(begin, end int) {
	b := State(len(p.begin))
	p.begin, p.end, p.marked, p.waits = append(p.begin, begin), append(p.end, end), append(p.marked, 0), append(p.waits, false)
	for _, s := range p.states[begin:end] {
		p.block[s] = b
	}
}

func (p *partition) wait(b int) {
	if !p.waits[b] {
		p.waits[b] = true
		p.waiting = append(p.waiting, b)
	}
}

// splitBy splits every block into the states that lead into members by c, and the others.
func (p *partition) splitBy(members []State, c int) {
	var touched []State
	for _, m := range members {
		for _, s := range p.from[int(m)*p.size+c] {
			b := p.block[s]
			if p.marked[b] == 0 {
				touched = append(touched, b)
			}
			p.mark(s, int(b))
		}
	}
	for _, b := range touched {
		p.split(int(b))
	}
}

// mark moves a state to the marked front of its block.
func (p *partition) mark(s State, b int) {
	to := p.begin[b] + p.marked[b]
	if p.at[s] < to {
		return
	}
	other := p.states[to]
	p.states[p.at[s]], p.states[to] = other, s
	p.at[other], p.at[s] = p.at[s], to
	p.marked[b]++
}

func (p *partition) split(b int) {
	middle := p.begin[b] + p.marked[b]
	p.marked[b] = 0
	if middle == p.end[b] {
		return
	}
	fresh := len(p.begin)
	if middle-p.begin[b] <= p.end[b]-middle {
		begin := p.begin[b]
		p.begin[b] = middle
		p.addBlock(begin, middle)
	} else {
		end := p.end[b]
		p.end[b] = middle
		p.addBlock(middle, end)
	}
	// The fresh block is the smaller half. If b waits, both halves must; if not, one of them is enough.
	p.wait(fresh)
}

func (d *DFA) quotient(part []State, count int) *DFA {
	size := d.alphabet.size
	q := &DFA{
		alphabet: d.alphabet,
		next:     make([]State, count*size),
		accept:   make([]bool, count),
		start:    part[d.start],
	}
	for s, p := range part {
		q.accept[p] = d.accept[s]
		for c := range size {
			q.next[int(p)*size+c] = part[d.next[s*size+c]]
		}
	}
	q.findLive()
	return q
}
