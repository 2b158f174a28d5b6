package verify

import "github.com/routedelta/routedelta/diff/automaton"

// readable are all bytes, those that a reader likes to see first.
var readable = readableBytes()

func readableBytes() []byte {
	rank := func(b byte) int {
		switch {
		case 'a' <= b && b <= 'z':
			return 0
		case '0' <= b && b <= '9':
			return 1
		case 'A' <= b && b <= 'Z':
			return 2
		case '!' <= b && b <= '~':
			return 3
		}
		return 4
	}
	var out []byte
	for wanted := range 5 {
		for b := range 256 {
			if rank(byte(b)) == wanted {
				out = append(out, byte(b))
			}
		}
	}
	return out
}

// kindsOfBytes cuts the bytes into intervals inside which no automaton tells one from the next.
func kindsOfBytes(automata []*automaton.DFA) (kinds [256]byte) {
	var cut [256]bool
	for _, d := range automata {
		for s := range d.States() {
			for b := 1; b < 256; b++ {
				cut[b] = cut[b] || d.Step(automaton.State(s), byte(b-1)) != d.Step(automaton.State(s), byte(b))
			}
		}
	}
	for b := 1; b < 256; b++ {
		kinds[b] = kinds[b-1]
		if cut[b] {
			kinds[b]++
		}
	}
	return kinds
}
