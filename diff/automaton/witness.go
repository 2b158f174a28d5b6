package automaton

import "slices"

// Shortest returns the shortest member, and among those of one length the one whose bytes are the most readable from left
// to right; false when the language is empty.
func (d *DFA) Shortest() (string, bool) {
	if d.IsEmpty() {
		return "", false
	}
	type step struct {
		state State
		from  int
		b     byte
	}
	bytes := d.alphabet.mostReadable()
	seen := make([]bool, len(d.accept))
	seen[d.start] = true
	steps := []step{{state: d.start, from: -1}}
	for i := 0; ; i++ {
		if d.accept[steps[i].state] {
			var out []byte
			for ; steps[i].from >= 0; i = steps[i].from {
				out = append(out, steps[i].b)
			}
			slices.Reverse(out)
			return string(out), true
		}
		for _, b := range bytes {
			to := d.Step(steps[i].state, b)
			if d.live[to] && !seen[to] {
				seen[to] = true
				steps = append(steps, step{to, i, b})
			}
		}
	}
}

// mostReadable returns one byte of each class, the most readable one, in the order of readability.
func (a *alphabet) mostReadable() []byte {
	var seen [256]bool
	out := make([]byte, 0, a.size)
	for _, b := range readable {
		if class := a.class[b]; !seen[class] {
			seen[class] = true
			out = append(out, b)
		}
	}
	return out
}
