package class

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/routedelta/routedelta/diff/automaton"
)

// pathCell is a set of paths that the same rules of each side match: the own part of a node of the tree, and of it the
// paths that match just the patterns.
type pathCell struct {
	node int
	// patterns that the paths match, ascending; all others of the two lists they do not match.
	patterns []int
	witness  string
	*decision
}

// exploredNode is what is known of the own part of a node.
type exploredNode struct {
	// inPlay are the patterns of rules that compete there. Of others it is not known whether the paths match them.
	inPlay []int
	// parts are the combinations of patterns in play that paths match; none when the own part has no path.
	parts [][]int
}

// walk visits the nodes at which the two lists differ.
type walk struct {
	*comparison
	*hostPair
	decisions map[string]*decision
}

// walkTree decides every set of paths of a pair.
func (c *comparison) walkTree(p *hostPair) error {
	w := &walk{comparison: c, hostPair: p, decisions: map[string]*decision{}}
	return w.visit(0, [2][]*candidate{})
}

// visit compares the lists at a node and goes on below it. The lists are those of the parent with the node's own.
func (w *walk) visit(node int, inherited [2][]*candidate) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	n := &w.tree.nodes[node]
	lists := [2][]*candidate{
		mergeLists(inherited[beforeSide], n.own[beforeSide]),
		mergeLists(inherited[afterSide], n.own[afterSide]),
	}
	if sameRules(lists[beforeSide], lists[afterSide]) {
		competes := slices.ContainsFunc(lists[beforeSide], isEdited) || slices.ContainsFunc(lists[afterSide], isEdited)
		if !n.edited && !competes {
			return nil // nor do they differ below
		}
	} else {
		w.evaluate(node, lists)
	}
	for _, child := range n.children {
		if err := w.visit(child, lists); err != nil {
			return err
		}
	}
	return nil
}

// evaluate divides the own part of a node by the patterns in play, and decides each part.
func (w *walk) evaluate(node int, lists [2][]*candidate) {
	for _, list := range lists {
		w.resolve(list)
	}
	patterns := patternsIn(lists)
	if len(patterns) == 0 {
		w.evaluatePlain(node, lists)
		return
	}
	vectors, err := w.exploration(node, patterns, 0)
	if err != nil {
		w.undecide(w.hostPair, node, err.Error())
		return
	}
	explored := &exploredNode{inPlay: patterns}
	w.explored[node] = explored
	for _, v := range vectors {
		matched := matchedPatterns(v, patterns)
		explored.parts = append(explored.parts, matched)
		w.decide(pathCell{node: node, patterns: matched, witness: v.Witness}, [2][]*candidate{
			matching(lists[beforeSide], matched), matching(lists[afterSide], matched),
		})
	}
}

// matchedPatterns are those of patterns that a vector says match.
func matchedPatterns(v automaton.Vector, patterns []int) []int {
	var out []int
	for i, truth := range v.Truth {
		if truth {
			out = append(out, patterns[i])
		}
	}
	return out
}

// evaluatePlain decides first: most nodes without patterns change nothing, and need no example of a path.
func (w *walk) evaluatePlain(node int, lists [2][]*candidate) {
	d := w.decision(lists)
	if len(d.changes) == 0 && len(d.undecided) == 0 {
		return
	}
	vectors, err := w.exploration(node, nil, 1)
	if err != nil {
		w.undecide(w.hostPair, node, err.Error())
		return
	}
	explored := &exploredNode{}
	w.explored[node] = explored
	for _, v := range vectors {
		explored.parts = append(explored.parts, nil)
		w.decided = append(w.decided, pathCell{node: node, witness: v.Witness, decision: d})
	}
}

// exploration finds which patterns the paths of a node's own part match together.
func (w *walk) exploration(node int, patterns []int, enough int) ([]automaton.Vector, error) {
	n := &w.tree.nodes[node]
	e := automaton.Exploration{Base: n.literal, Language: w.paths, Limit: w.limits.Product, Enough: enough}
	for _, child := range n.children {
		e.Without = append(e.Without, w.tree.nodes[child].literal)
	}
	for _, p := range patterns {
		e.Tests = append(e.Tests, w.tree.patterns[p].dfa)
	}
	found, err := e.Run()
	if errors.Is(err, automaton.ErrBudget) {
		return nil, tooManyPaths(len(patterns))
	}
	return found, err
}

func tooManyPaths(patterns int) error {
	switch patterns {
	case 0:
		return errors.New("too many paths of other rules lie within to tell whether any is left")
	case 1:
		return errors.New("a regular expression and the paths of other rules overlap in too many ways to decide")
	}
	return fmt.Errorf("%d regular expressions overlap here in too many ways to decide", patterns)
}

func (w *walk) decide(cell pathCell, lists [2][]*candidate) {
	if sameRules(lists[beforeSide], lists[afterSide]) {
		return
	}
	cell.decision = w.decision(lists)
	if len(cell.changes) > 0 || len(cell.undecided) > 0 {
		w.decided = append(w.decided, cell)
	}
}

// decision decides two lists once, however many sets of paths have them.
func (w *walk) decision(lists [2][]*candidate) *decision {
	var key []byte
	for _, list := range lists {
		for _, k := range list {
			key = binary.LittleEndian.AppendUint32(key, uint32(k.position))
		}
		key = append(key, 0xff, 0xff, 0xff, 0xff)
	}
	d, ok := w.decisions[string(key)]
	if !ok {
		d = w.comparison.decide(lists)
		w.decisions[string(key)] = d
	}
	return d
}

// patternsIn are the patterns of two lists, ascending.
func patternsIn(lists [2][]*candidate) []int {
	var out []int
	for _, list := range lists {
		for _, k := range list {
			if k.pattern >= 0 {
				out = append(out, k.pattern)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// matching keeps the candidates whose paths surely match, up to the first that takes every request.
func matching(list []*candidate, patterns []int) []*candidate {
	var out []*candidate
	for _, k := range list {
		if k.pattern >= 0 {
			if _, in := slices.BinarySearch(patterns, k.pattern); !in {
				continue
			}
		}
		out = append(out, k)
		if k.catchAll() {
			break
		}
	}
	return out
}
