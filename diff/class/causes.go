package class

import (
	"iter"
	"math"
	"slices"
)

// Lemma 5 (smallest cause). Write the two lists of a pair of virtual hosts as one script: the rules of the common
// subsequence U once, and between two of them the edited rules as they were ahead of those as they are, one beside the other
// where an edit left a rule in its place. For a set S of edits, T(S) is the script with every edited rule as it is if its
// edit is in S and as it was if not. So T of no edit is the list before, and T of all is the list after.
//
// Of one request keep the forms of rules that match it, up to the first of U. Call needed(t) the edits whose old form stands
// ahead of t, with t's own if t is a new form, and barred(t) those whose new form stands ahead, with t's own if t is an old
// form. If needed(t) and barred(t) have no edit in common, needed(t) gives the request to t. Of all sets that give it the
// outcome o, a smallest is needed(t) of some t with outcome o.
//
// Proof. t wins in T(S) exactly if it is in it and nothing ahead of it is: if S holds needed(t) and nothing of barred(t). A
// set that gives the outcome o has a winner t with that outcome, so it is no smaller than needed(t), which gives the request
// to the same t. The set of all edits gives the outcome after, so there is such a t for it.
//
// A rule with a chance takes only a part of what it matches, so it bars nothing behind it and whether it stands ahead of t
// is free: the edits of such rules are tried in all combinations, or, where these are too many, all taken as made.

// slot is a place of a script: a rule of U on both sides, an edited rule on one, or on both if it was changed in place.
type slot struct{ on [2]*candidate }

// scriptOf is the script of a pair's lists. Every class asks for it.
func (c *comparison) scriptOf(p *hostPair) []slot {
	if c.scripts[p] == nil {
		c.scripts[p] = slices.Collect(script(p.lists))
	}
	return c.scripts[p]
}

// script yields two lists as one. The lists may lack rules of U, the same on both sides.
func script(lists [2][]*candidate) iter.Seq[slot] {
	return func(yield func(slot) bool) {
		ahead := scriptHeads{lists: lists}
		for !ahead.done() {
			rank := min(ahead.rank(beforeSide), ahead.rank(afterSide))
			for _, place := range alignEdited(ahead.edited(rank)) {
				if !yield(place) {
					return
				}
			}
			if kept := ahead.kept(rank); kept != (slot{}) && !yield(kept) {
				return
			}
		}
	}
}

// scriptHeads are what is left of two lists.
type scriptHeads struct {
	lists [2][]*candidate
	// passed are the edited rules that were taken.
	passed [2]int
}

func (h *scriptHeads) done() bool { return len(h.lists[beforeSide])+len(h.lists[afterSide]) == 0 }

// rank is how many rules of U stand ahead of the next rule of a side in its virtual host, in its lists or not.
func (h *scriptHeads) rank(s side) int {
	if len(h.lists[s]) == 0 || h.lists[s][0].rest {
		return math.MaxInt
	}
	return h.lists[s][0].position - h.passed[s]
}

// edited takes the edited rules between two of U.
func (h *scriptHeads) edited(rank int) (out [2][]*candidate) {
	for s := range h.lists {
		list, n := h.lists[s], 0
		for len(h.lists[s]) > 0 && isEdited(h.lists[s][0]) && h.rank(side(s)) == rank {
			h.lists[s] = h.lists[s][1:]
			h.passed[s]++
			n++
		}
		out[s] = list[:n]
	}
	return out
}

// kept takes the rule of U of a rank, or the rests.
func (h *scriptHeads) kept(rank int) (place slot) {
	for s, list := range h.lists {
		if len(list) > 0 && !isEdited(list[0]) && h.rank(side(s)) == rank {
			place.on[s], h.lists[s] = list[0], list[1:]
		}
	}
	return place
}

// alignEdited orders the edited rules between two of U. Those of one edit stand in one slot, as far as their order is the
// same on both sides.
func alignEdited(edited [2][]*candidate) []slot {
	if len(edited[beforeSide])+len(edited[afterSide]) == 0 {
		return nil
	}
	places := map[int][]int{} // of edits, after
	for i, k := range edited[afterSide] {
		places[k.edit] = append(places[k.edit], i)
	}
	var pairs [][2]int
	for i, k := range edited[beforeSide] {
		if at := places[k.edit]; len(at) > 0 {
			pairs = append(pairs, [2]int{i, at[0]})
			places[k.edit] = at[1:]
		}
	}
	var out []slot
	done := [2]int{}
	apart := func(s side, end int) {
		for _, k := range edited[s][done[s]:end] {
			var alone slot
			alone.on[s] = k
			out = append(out, alone)
		}
	}
	for _, p := range append(longestIncreasing(pairs), [2]int{len(edited[beforeSide]), len(edited[afterSide])}) {
		apart(beforeSide, p[beforeSide])
		apart(afterSide, p[afterSide])
		if p[beforeSide] < len(edited[beforeSide]) {
			out = append(out, slot{[2]*candidate{edited[beforeSide][p[beforeSide]], edited[afterSide][p[afterSide]]}})
		}
		done = [2]int{p[beforeSide] + 1, p[afterSide] + 1}
	}
	return out
}
