package automaton

import "encoding/binary"

// minimize merges the states that no string tells apart (Moore: refine the partition into accepting and not until it is
// stable) and finds the live ones.
func (d *DFA) minimize() *DFA {
	part := make([]State, len(d.accept))
	for s, ok := range d.accept {
		if ok {
			part[s] = 1
		}
	}
	count := 0
	for {
		refined, n := d.refine(part)
		part = refined
		if n == count {
			break
		}
		count = n
	}
	return d.quotient(part, count)
}

// refine splits the parts by where their states lead.
func (d *DFA) refine(part []State) ([]State, int) {
	index := make(map[string]State)
	out := make([]State, len(part))
	key := make([]byte, 0, 4*(d.alphabet.size+1))
	for s := range part {
		key = binary.LittleEndian.AppendUint32(key[:0], uint32(part[s]))
		for c := range d.alphabet.size {
			key = binary.LittleEndian.AppendUint32(key, uint32(part[d.next[s*d.alphabet.size+c]]))
		}
		id, ok := index[string(key)]
		if !ok {
			id = State(len(index))
			index[string(key)] = id
		}
		out[s] = id
	}
	return out, len(index)
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
