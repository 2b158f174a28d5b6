package class

import (
	"slices"

	"github.com/routedelta/routedelta/diff/table"
)

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

// hiddenTail is how many rules of T a rest stands for on each side, 0 where all are kept.
func (c *comparison) hiddenTail(e *pairScript) int {
	before, after := e.kept[beforeSide], e.kept[afterSide]
	tail := 0
	for tail < min(len(before), len(after)) && before[len(before)-1-tail] && after[len(after)-1-tail] {
		tail++
	}
	if tail <= keptTail || e.hasChance() {
		return 0
	}
	edited := newChoices(e.eachEdited)
	if edited.has(&noRoute) {
		return 0
	}
	rules, cut := e.rules[beforeSide], 0
	for cut < tail {
		r := &rules[len(rules)-1-cut]
		if edited.has(&r.Outcome) || c.doubtOf(r) != "" {
			break
		}
		cut++
	}
	if cut <= keptTail {
		return 0
	}
	return cut
}

// hasChance tells whether a rule of either side takes only a part of its requests.
func (e *pairScript) hasChance() bool {
	for _, rules := range e.rules {
		for i := range rules {
			if chance := rules[i].Chance; chance != nil && chance.Numerator > 0 {
				return true
			}
		}
	}
	return false
}

// choices is a set of choices of backends: a few are compared one by one, many are looked up.
type choices struct {
	few  []*table.Outcome
	many map[string]bool
}

// maxFew is where comparing begins to cost more than looking up.
const maxFew = 8

func newChoices(rules func(yield func(*table.Rule) bool)) *choices {
	c := &choices{many: map[string]bool{}}
	for r := range rules {
		if key := r.Outcome.ChoiceKey(); !c.many[key] {
			c.many[key] = true
			c.few = append(c.few, &r.Outcome)
		}
	}
	return c
}

func (c *choices) has(o *table.Outcome) bool {
	if len(c.few) > maxFew {
		return c.many[o.ChoiceKey()]
	}
	return slices.ContainsFunc(c.few, func(known *table.Outcome) bool { return table.SameBackends(*known, *o) })
}
