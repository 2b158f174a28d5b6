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
	solution state
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

// decideCause asks for every rule of the other side whether it and the edited rule at index i win a request together.
func (d *decision) decideCause(s side, i int) {
	cause := d.lists[s][i]
	if cause.doubt != "" {
		d.addDoubt(cause.conditions(), d.surelyAhead(s, i), cause.doubt)
		return
	}
	d.doubtsAhead(s, i)
	found, err := d.possible(question{cause.conditions(), d.ahead(s, i)})
	if err == nil && found {
		err = d.decidePairs(s, i)
	}
	if err != nil {
		d.giveUp(cause, err)
	}
}

// decidePairs asks about each pair. Where both rules are edited the later side's turn has asked already. A pair of which one
// rule stands, equal, ahead of the other is impossible; most pairs are, so they are not asked about.
func (d *decision) decidePairs(s side, i int) error {
	ahead := map[uint32]bool{}
	for _, k := range d.lists[s][:i] {
		ahead[k.key] = true
	}
	passed := false // the cause's equal on the other side
	for j, other := range d.lists[s.other()] {
		if !other.rest && ahead[other.key] && other.doubt == "" || passed {
			continue
		}
		passed = !other.rest && other.key == d.lists[s][i].key
		if s == beforeSide && other.edit >= 0 && other.doubt == "" && !d.gaveUp[other] {
			continue
		}
		if err := d.decidePair(s, i, j); err != nil {
			return err
		}
	}
	return nil
}

func (d *decision) decidePair(s side, i, j int) error {
	cause, other := d.lists[s][i], d.lists[s.other()][j]
	pair := winners{before: cause, after: other}
	if s == afterSide {
		pair = winners{before: other, after: cause}
	}
	q := question{
		conditions: slices.Concat(cause.conditions(), other.conditions()),
		except:     slices.Concat(d.ahead(s, i), d.ahead(s.other(), j)),
	}
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
	d.changes = slices.DeleteFunc(d.changes, func(c change) bool { return c.cause() == cause })
}
