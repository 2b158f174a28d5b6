package automaton

// Exactly is the automaton of one text. fold ignores the case of ASCII letters, here and below.
func Exactly(text string, fold bool, limit int) (*DFA, error) {
	n := newNFA(limit)
	return n.determinize(n.literal(text, fold, n.add(instruction{op: opMatch})))
}

// Beginning is the automaton of the texts that begin with prefix.
func Beginning(prefix string, fold bool, limit int) (*DFA, error) {
	n := newNFA(limit)
	return n.determinize(n.literal(prefix, fold, n.anything(n.add(instruction{op: opMatch}))))
}

// Ending is the automaton of the texts that end with suffix.
func Ending(suffix string, fold bool, limit int) (*DFA, error) {
	n := newNFA(limit)
	return n.determinize(n.anything(n.literal(suffix, fold, n.add(instruction{op: opMatch}))))
}

// Containing is the automaton of the texts that contain part.
func Containing(part string, fold bool, limit int) (*DFA, error) {
	n := newNFA(limit)
	return n.determinize(n.anything(n.literal(part, fold, n.anything(n.add(instruction{op: opMatch})))))
}

// Segments is the automaton of path and of everything below it: path, then "/".
func Segments(path string, fold bool, limit int) (*DFA, error) {
	n := newNFA(limit)
	end := n.add(instruction{op: opMatch})
	below := n.literal("/", false, n.anything(end))
	return n.determinize(n.literal(path, fold, n.add(instruction{op: opSplit, out: end, alt: below})))
}
