package class

import (
	"slices"

	"github.com/routedelta/routedelta/diff/table"
)

// decision is what is known of the requests to one set of paths: which pairs of winners occur, and what of it is a change.
type decision struct {
	*system
	lists   [2][]*candidate
	changes []change
	// pairs are all pairs of winners that occur with an edited rule on one side, changes or not.
	pairs []winners
	// undecided are the conditions under which nothing is known.
	undecided []doubt
	// gaveUp are the edited rules about which a budget ended the questions.
	gaveUp map[*candidate]bool
	// texts of the conditions of the lists, once they are needed.
	texts [2][]string
}

// winners are the rules that win a request before and after.
type winners struct{ before, after *candidate }

func (w winners) on(s side) *candidate {
	if s == beforeSide {
		return w.before
	}
	return w.after
}

// cause is the edited one of the two: that of the later side where both are.
func (w winners) cause() *candidate {
	if w.after.edit >= 0 {
		return w.after
	}
	return w.before
}

// changed tells whether the two do different things. A rest that hides rules differs from every edited rule (lemma 2).
func (w winners) changed() bool { return w.before.outcome != w.after.outcome }

func (w winners) facet() Facet {
	if w.before.choice != w.after.choice {
		return FacetBackend
	}
	return FacetTreatment
}

// change is a pair of winners with different outcomes, and a request that they win.
type change struct {
	winners
	// once: a request that sends no header twice does; solution is then such a request.
	once     bool
	solution solution
}

// doubt is a question whose requests are undecided.
type doubt struct {
	question
	reason string
}

// decide finds the pairs of winners of two lists. Both end with a candidate that takes every request. By lemma 1 one winner
// of a change is edited, so it is enough to ask about pairs with an edited rule.
func (c *comparison) decide(lists [2][]*candidate) *decision {
	d := &decision{lists: lists, gaveUp: map[*candidate]bool{}}
	var err error
	for s, list := range lists {
		if lists[s], err = c.expand(list); err != nil {
			d.undecided = append(d.undecided, doubt{reason: err.Error()})
			return d
		}
	}
	d.lists = lists
	if d.system, err = newSystem(c.variables, d.predicates); err != nil {
		d.undecided = append(d.undecided, doubt{reason: err.Error()})
		return d
	}
	for _, s := range []side{afterSide, beforeSide} {
		for i, k := range lists[s] {
			if k.edit >= 0 {
				d.decideCause(s, i)
			}
		}
	}
	return d
}

// predicates yields the predicates of both lists.
func (d *decision) predicates(yield func(table.Predicate) bool) {
	for _, list := range d.lists {
		for _, k := range list {
			for _, p := range k.predicates() {
				if !yield(p) {
					return
				}
			}
		}
	}
}

// decideCause asks for every rule of the other side whether it and the edited rule at index i win a request together. Where
// several may, it asks first whether the edited rule wins any.
func (d *decision) decideCause(s side, i int) {
	cause := d.lists[s][i]
	if cause.doubt != "" {
		d.addDoubt(cause.conditions(), d.surelyAhead(s, i), cause.doubt)
		return
	}
	d.doubtsAhead(s, i)
	partners := d.partners(s, i)
	wins, err := len(partners) > 0, error(nil)
	if len(partners) > 1 {
		wins, err = d.possible(question{cause.conditions(), d.ahead(s, i)})
	}
	for _, j := range partners {
		if err == nil && wins {
			err = d.decidePair(s, i, j)
		}
	}
	if err != nil {
		d.giveUp(cause, err)
	}
}

// partners are the rules of the other side that may win a request together with the edited rule at index i. Where both rules
// are edited the later side's turn has asked already. A pair is impossible if ahead of one of the two stands a rule with the
// conditions of the other; most pairs are.
func (d *decision) partners(s side, i int) []int {
	texts := d.conditionTexts(s)
	ahead := map[string]bool{}
	for j, k := range d.lists[s][:i] {
		if k.doubt == "" {
			ahead[texts[j]] = true
		}
	}
	var out []int
	for j, other := range d.lists[s.other()] {
		text := d.conditionTexts(s.other())[j]
		asked := s == beforeSide && other.edit >= 0 && other.doubt == "" && !d.gaveUp[other]
		if !ahead[text] && !asked {
			out = append(out, j)
		}
		if other.doubt == "" && text == texts[i] {
			break // it takes all that the cause matches
		}
	}
	return out
}

// conditionTexts are texts for the rules of a list that are equal where their conditions are.
func (d *decision) conditionTexts(s side) []string {
	if d.texts[s] == nil {
		for _, k := range d.lists[s] {
			d.texts[s] = append(d.texts[s], string(appendQuestion(nil, compactConditions(k.conditions()), nil)))
		}
	}
	return d.texts[s]
}

func (d *decision) decidePair(s side, i, j int) error {
	cause, other := d.lists[s][i], d.lists[s.other()][j]
	pair := winners{before: cause, after: other}
	if s == afterSide {
		pair = winners{before: other, after: cause}
	}
	q := question{conditions: slices.Concat(cause.conditions(), other.conditions()), except: d.aheadOfBoth(s, i, j)}
	solution, once, found, err := d.answer(q)
	if err != nil || !found {
		return err
	}
	d.pairs = append(d.pairs, pair)
	switch {
	case other.doubt != "":
		d.addDoubt(q.conditions, slices.Concat(d.surelyAhead(s, i), d.surelyAhead(s.other(), j)), other.doubt)
	case pair.changed() && !d.gaveUp[other]:
		d.changes = append(d.changes, change{pair, once, solution})
	}
	return nil
}

// ahead are the conjunctions that a winner at index i must not match: those of all rules before it.
func (d *decision) ahead(s side, i int) [][]Condition {
	out := make([][]Condition, 0, i)
	for _, k := range d.lists[s][:i] {
		out = append(out, k.conditions())
	}
	return out
}

// aheadOfBoth are those of the rules before index i of one side and before j of the other, each once.
func (d *decision) aheadOfBoth(s side, i, j int) [][]Condition {
	out := d.ahead(s, i)
	said := make(map[string]bool, i)
	for _, text := range d.conditionTexts(s)[:i] {
		said[text] = true
	}
	for at, k := range d.lists[s.other()][:j] {
		if !said[d.conditionTexts(s.other())[at]] {
			out = append(out, k.conditions())
		}
	}
	return out
}

// surelyAhead leaves out rules of which it is not known whether they match.
func (d *decision) surelyAhead(s side, i int) [][]Condition {
	var out [][]Condition
	for _, k := range d.lists[s][:i] {
		if k.doubt == "" {
			out = append(out, k.conditions())
		}
	}
	return out
}

// doubtsAhead: where a rule that may match stands ahead of an edited one, the edited one may win or not.
func (d *decision) doubtsAhead(s side, i int) {
	for _, k := range d.lists[s][:i] {
		if k.doubt != "" {
			d.addDoubt(slices.Concat(d.lists[s][i].conditions(), k.conditions()), d.surelyAhead(s, i), k.doubt)
		}
	}
}

// addDoubt records a question that cannot be answered, if any request meets it.
func (d *decision) addDoubt(conditions []Condition, except [][]Condition, reason string) {
	q := question{conditions, except}
	if found, err := d.possible(q); found || err != nil {
		d.undecided = append(d.undecided, doubt{q, reason})
	}
}

// giveUp leaves everything that an edited rule matches undecided.
func (d *decision) giveUp(cause *candidate, err error) {
	d.gaveUp[cause] = true
	d.undecided = append(d.undecided, doubt{question{conditions: cause.conditions()}, err.Error()})
	d.changes = slices.DeleteFunc(d.changes, func(c change) bool { return c.before == cause || c.after == cause })
}
