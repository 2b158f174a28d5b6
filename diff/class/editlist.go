package class

import (
	"fmt"

	"github.com/routedelta/routedelta/diff/table"
)

// edit finds the edits between the rule lists of a pair, and lists the candidates with them. Where the two sides choose by
// different domains, the edit is that of the domain: that a host has rules of its own now, or no longer.
func (c *comparison) edit(p *hostPair) [2][]*candidate {
	keys := [2][]uint32{c.keysOf(beforeSide, p.host[beforeSide]), c.keysOf(afterSide, p.host[afterSide])}
	var kept [2][]bool
	kept[beforeSide], kept[afterSide] = commonRules(keys[beforeSide], keys[afterSide])
	var edits [2]func(int) int
	if hostEdit, ok := c.hostEdit(p, keys); ok {
		edits[beforeSide] = func(int) int { return hostEdit }
		edits[afterSide] = edits[beforeSide]
	} else {
		edits = c.ruleEdits(p, kept)
	}
	var lists [2][]*candidate
	for s := range lists {
		lists[s] = c.candidates(side(s), p.host[s], kept[s], edits[s])
	}
	return lists
}

func (c *comparison) keysOf(s side, host int) []uint32 {
	rules := rulesOf(c.tables[s], host)
	out := make([]uint32, len(rules))
	for i := range rules {
		out[i] = c.ruleKey(&rules[i])
	}
	return out
}

// hostEdit returns the edit of a pair whose hosts have another domain on each side: the better one, which came or went.
func (c *comparison) hostEdit(p *hostPair, keys [2][]uint32) (int, bool) {
	cell := c.space.cells[p.cells[0]]
	if cell.chosen[beforeSide] == cell.chosen[afterSide] {
		return 0, false
	}
	edit := Edit{Kind: HostAdded, Domain: cell.domain}
	if _, gone := c.space.sides[beforeSide][cell.domain]; gone {
		edit.Kind = HostRemoved
	}
	// Virtual hosts with the same rules came with one route.
	id := editIdentity{kind: edit.Kind, before: fmt.Sprint(keys[beforeSide]), after: fmt.Sprint(keys[afterSide])}
	return c.addEdit(edit, id), true
}

// ruleEdits pairs the rules outside the common subsequence.
func (c *comparison) ruleEdits(p *hostPair, kept [2][]bool) [2]func(int) int {
	var open [2][]int
	for s := range kept {
		for i, k := range kept[s] {
			if !k {
				open[s] = append(open[s], i)
			}
		}
	}
	m := &editMatcher{comparison: c, pair: p, open: open, found: [2]map[int]int{{}, {}}}
	m.match(func(b, a *table.Rule) bool { return b.Key() == a.Key() })
	m.match(sameMatch)
	m.match(func(b, a *table.Rule) bool { return sameOrigin(b, a) && b.OutcomeKey() == a.OutcomeKey() })
	m.match(sameOrigin)
	m.rest()
	return [2]func(int) int{
		func(i int) int { return m.found[beforeSide][i] },
		func(i int) int { return m.found[afterSide][i] },
	}
}

// sameOrigin tells whether two rules come from one rule of one object.
func sameOrigin(b, a *table.Rule) bool { return b.Origin == a.Origin && b.Origin != table.Origin{} }

// sameMatch tells whether two rules have the same conditions and may come from one rule: without metadata nothing speaks
// against it.
func sameMatch(b, a *table.Rule) bool { return b.Origin == a.Origin && b.MatchKey() == a.MatchKey() }

// editMatcher pairs what was removed with what was added.
type editMatcher struct {
	*comparison
	pair  *hostPair
	open  [2][]int
	found [2]map[int]int // rule to edit
}

func (m *editMatcher) rule(s side, i int) *table.Rule {
	return &rulesOf(m.tables[s], m.pair.host[s])[i]
}

// match pairs each open rule before with the first open rule after that is alike.
func (m *editMatcher) match(alike func(b, a *table.Rule) bool) {
	if len(m.open[beforeSide])*len(m.open[afterSide]) > maxPairings {
		return // an unpaired edit is one removed and one added rule, which is as true
	}
	var left []int
	for _, b := range m.open[beforeSide] {
		paired := false
		for i, a := range m.open[afterSide] {
			if alike(m.rule(beforeSide, b), m.rule(afterSide, a)) {
				m.pairUp(b, a)
				m.open[afterSide] = append(m.open[afterSide][:i:i], m.open[afterSide][i+1:]...)
				paired = true
				break
			}
		}
		if !paired {
			left = append(left, b)
		}
	}
	m.open[beforeSide] = left
}

// maxPairings bounds the comparisons for one way of pairing.
const maxPairings = 4_000_000

func (m *editMatcher) pairUp(b, a int) {
	before, after := m.rule(beforeSide, b), m.rule(afterSide, a)
	e := Edit{
		Kind: Changed, Before: &RuleRef{m.pair.host[beforeSide], b}, After: &RuleRef{m.pair.host[afterSide], a},
		MatchChanged:   before.MatchKey() != after.MatchKey(),
		OutcomeChanged: !table.SameBackends(before.Outcome, after.Outcome),
	}
	e.TreatmentChanged = !e.OutcomeChanged && before.OutcomeKey() != after.OutcomeKey()
	if before.Key() == after.Key() {
		e.Kind = Moved
	}
	id := m.addEdit(e, editIdentity{
		kind: e.Kind, before: before.Key(), after: after.Key(), originBefore: before.Origin, originAfter: after.Origin,
	})
	m.found[beforeSide][b], m.found[afterSide][a] = id, id
}

// rest are the rules that no rule of the other side is like.
func (m *editMatcher) rest() {
	for _, b := range m.open[beforeSide] {
		r := m.rule(beforeSide, b)
		m.found[beforeSide][b] = m.addEdit(Edit{Kind: Removed, Before: &RuleRef{m.pair.host[beforeSide], b}},
			editIdentity{kind: Removed, before: r.Key(), originBefore: r.Origin})
	}
	for _, a := range m.open[afterSide] {
		r := m.rule(afterSide, a)
		m.found[afterSide][a] = m.addEdit(Edit{Kind: Added, After: &RuleRef{m.pair.host[afterSide], a}},
			editIdentity{kind: Added, after: r.Key(), originAfter: r.Origin})
	}
}

// editIdentity tells edits of several virtual hosts that are one edit of a manifest: a route with two hostnames puts each
// of its rules into two virtual hosts.
type editIdentity struct {
	kind                      EditKind
	before, after             string
	originBefore, originAfter table.Origin
}

// addEdit records an edit and returns its group's first index; all edits of one identity are one cause.
func (c *comparison) addEdit(e Edit, id editIdentity) int {
	index := len(c.result.Edits)
	first, ok := c.editGroups[id]
	if !ok {
		first = index
		c.editGroups[id] = index
	}
	e.group = first
	c.result.Edits = append(c.result.Edits, e)
	return first
}
