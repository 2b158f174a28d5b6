package class

import "slices"

// Lemma 2 (tail collapse). Let T be the rules behind the last edited rule, the same on both sides. If no rule of T, and not
// "no route" either, sends requests where an edited rule sends them, then T can stand as one rule that takes everything and
// whose outcome is that of no edited rule, without changing which requests change nor by which edit.
//
// Proof. A request that reaches T on both sides gets the same outcome on both, whatever T does with it, and so it does from
// one rule on both sides. A request that reaches T on one side and is won by a rule ahead of T on the other: by lemma 1 that
// rule is edited, else the same rule, unedited, or one of T would win on both. Its outcome differs from that of every rule
// of T, so the request changes, and it does when T is one rule of an outcome that no edited rule has. Other requests do not
// reach T.
//
// Where a rule has a chance T is kept whole: behind a chance, what T does with a request is only a part of its outcome.
//
// T is kept up to its last rule with a backend of an edited rule. "Where it sends them" is the choice of the backend and not
// the whole outcome, so that a change to the tail is always one of backend, never of treatment.

// collapse is worth while only for tails that are longer than a reader's list of outcomes.
const keptTail = 32

// collapseTail cuts T off the lists; hidden says that the rests stand for rules.
func (c *comparison) collapseTail(lists [2][]*candidate) (_ [2][]*candidate, hidden bool) {
	tail := 0
	before, after := lists[beforeSide], lists[afterSide]
	if slices.ContainsFunc(before, (*candidate).takesPart) || slices.ContainsFunc(after, (*candidate).takesPart) {
		return lists, false
	}
	choices := map[int]bool{}
	for _, list := range lists {
		for _, k := range list {
			if k.edit >= 0 {
				choices[c.choice(k)] = true
			}
		}
	}
	at := func(list []*candidate, fromEnd int) *candidate { return list[len(list)-1-fromEnd] }
	for tail < len(before) && tail < len(after) && !isEdited(at(before, tail)) && !isEdited(at(after, tail)) {
		tail++
	}
	_, none := c.outcomes.of(noRoute.Key(), &noRoute)
	if tail <= keptTail || choices[none] {
		return lists, false
	}
	cut := 0
	for cut < tail && !choices[c.choice(at(before, cut))] && c.doubtOf(at(before, cut).rule) == "" {
		cut++
	}
	if cut <= keptTail {
		return lists, false
	}
	lists[beforeSide] = before[:len(before)-cut]
	lists[afterSide] = after[:len(after)-cut]
	return lists, true
}

func (c *comparison) choice(k *candidate) int {
	_, choice := c.outcomes.of(k.rule.OutcomeKey(), &k.rule.Outcome)
	return choice
}
