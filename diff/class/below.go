package class

import (
	"strings"

	"github.com/routedelta/routedelta/diff/automaton"
	"github.com/routedelta/routedelta/diff/table"
)

// Lemma 15 (rules below a cover). Let k be a rule of the common subsequence, ahead of every edited rule on both sides, that takes
// every request of a literal. Rules of the common subsequence whose literals lie in that of k can be left out of both lists,
// without changing which requests change nor by which edit.
//
// Proof. What happens to a request with a path in the literal of k is decided by k and the rules ahead of k. These are the same on
// both sides, in the same order, so that request does not change, and it does not without the rules left out either, as k is
// still there. A request with another path is matched by none of the rules left out, as they match paths of their literals only.
//
// So an edit of the rule for all the rest costs what stands beside it, not all that other rules take for themselves.

// maxCover bounds the texts of covers: those that take much are short.
const maxCover = 128

// leaveOut removes from the overlap the rules below covers. A rule that contains a literal that was edited stays, so that what
// covers an edit without effect is found at the edit. Rules are asked in the order of their texts' lengths, so that what is below a
// cover is not made one.
func (e *pairScript) leaveOut(overlap [2][]int, literals [2][]string, edited *literalTexts) [2][]int {
	first := e.firstEdited()
	below := make([]bool, len(overlap[beforeSide]))
	byLength := make([][]int, maxCover+1)
	for n, i := range overlap[beforeSide] {
		if e.kept[beforeSide][i] && !edited.within(literals[beforeSide][i]) {
			length := min(len(literals[beforeSide][i]), maxCover)
			byLength[length] = append(byLength[length], n)
		}
	}
	covers := coverTexts{}
	for _, places := range byLength {
		for _, n := range places {
			i := overlap[beforeSide][n]
			text := literals[beforeSide][i]
			below[n] = covers.contain(text)
			if !below[n] && i < first && len(text) < maxCover {
				covers.add(&e.rules[beforeSide][i], text)
			}
		}
	}
	return e.without(overlap, below)
}

// firstEdited is the place of the first edited rule of either side. Ahead of it both sides are the same.
func (e *pairScript) firstEdited() int {
	first := min(len(e.kept[beforeSide]), len(e.kept[afterSide]))
	for s := range e.edited {
		if len(e.edited[s]) > 0 {
			first = min(first, e.edited[s][0])
		}
	}
	return first
}

// without removes kept rules from the lists of both sides; which, is told by their places in the list before.
func (e *pairScript) without(lists [2][]int, gone []bool) [2][]int {
	var goneKept []bool // of the kept rules alone, which are the same on both sides
	for n, i := range lists[beforeSide] {
		if e.kept[beforeSide][i] {
			goneKept = append(goneKept, gone[n])
		}
	}
	var out [2][]int
	for s, list := range lists {
		next := 0
		for _, i := range list {
			if e.kept[s][i] {
				next++
				if goneKept[next-1] {
					continue
				}
			}
			out[s] = append(out[s], i)
		}
	}
	return out
}

// coverTexts are the texts of literals all of whose paths are taken: those on segments, and those on prefixes as well.
type coverTexts map[string]automaton.Kind

// add takes in a rule that takes every request of its literal.
func (c coverTexts) add(r *table.Rule, text string) {
	if !r.ByPathAlone() || text != r.Path.Value {
		return
	}
	switch r.Path.Kind {
	case table.PathPrefix:
		c[text] = automaton.Prefix
	case table.PathSegments:
		if _, known := c[text]; !known {
			c[text] = automaton.SegmentPrefix
		}
	}
}

// contain tells whether all paths with which a text begins, or that it is, are in a cover. Covers that end within a segment of the
// text are not looked for.
func (c coverTexts) contain(text string) bool {
	if len(c) == 0 {
		return false
	}
	for at := 0; at < len(text); {
		next := strings.IndexByte(text[at:], '/')
		if next < 0 {
			break
		}
		at += next
		if at > maxCover {
			return false
		}
		if _, known := c[text[:at]]; known {
			return true // what follows is "/", so on segments is enough
		}
		at++
		if kind, known := c[text[:at]]; known && kind == automaton.Prefix {
			return true
		}
	}
	kind, known := c[text]
	return known && kind == automaton.Prefix
}
