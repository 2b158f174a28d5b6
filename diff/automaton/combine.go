package automaton

// Intersect is the language of the strings in both.
func Intersect(a, b *DFA, limit int) (*DFA, error) {
	return product(a, b, limit, func(x, y bool) bool { return x && y })
}

// Union is the language of the strings in either.
func Union(a, b *DFA, limit int) (*DFA, error) {
	return product(a, b, limit, func(x, y bool) bool { return x || y })
}

// Minus is the language of the strings in a that are not in b.
func Minus(a, b *DFA, limit int) (*DFA, error) {
	return product(a, b, limit, func(x, y bool) bool { return x && !y })
}

// Complement is the language of the strings that are not in d.
func Complement(d *DFA) *DFA {
	c := &DFA{alphabet: d.alphabet, next: d.next, start: d.start, accept: make([]bool, len(d.accept))}
	for s, ok := range d.accept {
		c.accept[s] = !ok
	}
	c.findLive()
	return c
}

// Equal tells whether two languages are the same. It walks the pairs of states that a string leads to together, so it
// needs no budget beyond the product of two automata that exist.
func Equal(a, b *DFA) bool {
	bytes := joined(a, b)
	type pair struct{ x, y State }
	seen := map[pair]bool{{a.start, b.start}: true}
	todo := []pair{{a.start, b.start}}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if a.accept[p.x] != b.accept[p.y] {
			return false
		}
		for _, c := range bytes {
			q := pair{a.Step(p.x, c), b.Step(p.y, c)}
			if !seen[q] && (a.live[q.x] || b.live[q.y]) {
				seen[q] = true
				todo = append(todo, q)
			}
		}
	}
	return true
}

func joined(a, b *DFA) []byte {
	both := join(&a.alphabet, &b.alphabet)
	return both.representatives()
}

// product runs both automata side by side.
func product(a, b *DFA, limit int, accept func(bool, bool) bool) (*DFA, error) {
	if limit <= 0 {
		limit = DefaultStates
	}
	type pair struct{ x, y State }
	d := &DFA{alphabet: join(&a.alphabet, &b.alphabet)}
	bytes := d.alphabet.representatives()
	index := map[pair]State{{a.start, b.start}: 0}
	pairs := []pair{{a.start, b.start}}
	for i := 0; i < len(pairs); i++ {
		if len(pairs) > limit {
			return nil, ErrBudget
		}
		p := pairs[i]
		d.accept = append(d.accept, accept(a.accept[p.x], b.accept[p.y]))
		for _, c := range bytes {
			q := pair{a.Step(p.x, c), b.Step(p.y, c)}
			to, ok := index[q]
			if !ok {
				to = State(len(pairs))
				index[q] = to
				pairs = append(pairs, q)
			}
			d.next = append(d.next, to)
		}
	}
	return d.minimize(), nil
}
