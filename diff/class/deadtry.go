package class

import (
	"slices"

	"github.com/routedelta/routedelta/diff/automaton"
)

// tryPlain tries the plainest path of a node, and short ones of the patterns of open rules.
func (w *hostWalk) tryPlain(node int, list []*candidate) {
	if plain, found := w.plainPath(node, list); found {
		w.tryAt(list, plain)
	}
	for _, k := range list {
		if !hasPattern(k) || !w.open(k) {
			continue
		}
		for path := range w.splits[k.pattern].samplePaths {
			if w.open(k) && w.inOwnPart(node, path) {
				w.tryAt(list, path)
			}
		}
	}
}

// plainPath is a path of the own part of a node that reaches the router, the literal itself if it is one.
func (w *hostWalk) plainPath(node int, list []*candidate) (string, bool) {
	if text := w.tree.nodes[node].literal.Text; w.inOwnPart(node, text) {
		return text, true
	}
	found, err := w.exploration(node, nil, 1)
	if err != nil {
		w.leave(list, err.Error())
	}
	if err != nil || len(found) == 0 {
		return "", false
	}
	return found[0].Witness, true
}

// inOwnPart tells whether a path reaches the router and lies in a node and none of its children.
func (w *hostWalk) inOwnPart(node int, path string) bool {
	n := &w.tree.nodes[node]
	at := automaton.Literal{Kind: automaton.Exact, Text: path}
	if path == "" || !covers(n.literal, at) || !w.paths.Matches(path) {
		return false
	}
	// Children are sorted, those that contain a path right before it.
	i, _ := slices.BinarySearchFunc(n.children, at, func(child int, at automaton.Literal) int {
		return compareLiterals(w.tree.nodes[child].literal, at)
	})
	for _, near := range []int{i - 1, i} {
		if near >= 0 && near < len(n.children) && covers(w.tree.nodes[n.children[near]].literal, at) {
			return false
		}
	}
	return true
}

// tryAt tries a path, with the patterns that it matches found without their automata, which cost more than the rest.
func (w *hostWalk) tryAt(list []*candidate, path string) {
	last := len(list) - 1
	for last >= 0 && !w.open(list[last]) {
		last-- // what is behind all open rules does not matter
	}
	var matched []*candidate
	for _, k := range list[:last+1] {
		if k.pattern >= 0 && !w.samples.matches(w.splits[k.pattern], path) {
			continue
		}
		if matched = append(matched, k); k.catchAll() {
			break
		}
	}
	w.try(matched, path)
}

// tryParts tries every part of a node.
func (w *hostWalk) tryParts(node int, list []*candidate) {
	patterns := patternsIn([2][]*candidate{list, nil})
	for _, p := range patterns {
		if err := w.compilePattern(p); err != nil {
			w.leave(list, err.Error())
			return
		}
	}
	vectors, err := w.exploration(node, patterns, 0)
	if err != nil {
		w.leave(list, err.Error())
		return
	}
	for _, v := range vectors {
		w.try(matching(list, matchedPatterns(v, patterns)), v.Witness)
	}
}

// try asks which open rules of a list win a request with a path that all of them match.
func (w *hostWalk) try(list []*candidate, path string) {
	if !slices.ContainsFunc(list, w.open) {
		return
	}
	r := w.of(list)
	for i, k := range list {
		if !w.open(k) {
			continue
		}
		switch v := r.verdict(i); v.kind {
		case wins:
			w.wins[k.position] = &win{path: path, system: r.system, solution: v.solution}
			w.settled[k.position] = true
		case unsure:
			w.leave([]*candidate{k}, v.reason)
			w.settled[k.position] = k.doubt != ""
		}
	}
}
