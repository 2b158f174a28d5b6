package class

import (
	"slices"

	"github.com/routedelta/routedelta/diff/table"
)

// pairScript is what became of the rules of a pair of virtual hosts.
type pairScript struct {
	rules [2][]table.Rule
	// keyOf is the key by which they are compared.
	keyOf func(*table.Rule) string
	// kept marks the rules of the common subsequence; edited are the others, with their edits.
	kept   [2][]bool
	edited [2][]int
	edit   [2]func(rule int) int
}

// edit finds the edits between the rule lists of a pair. Where the two sides choose by different domains, the edit is that of the
// domain: that a host has rules of its own now, or no longer.
func (c *comparison) edit(p *hostPair) *pairScript {
	e := &pairScript{}
	for s := range e.rules {
		e.rules[s] = rulesOf(c.tables[s], p.host[s])
	}
	e.keyOf = table.KeyBetween(e.rules[beforeSide], e.rules[afterSide])
	e.kept = kept(e.rules[beforeSide], e.rules[afterSide], e.keyOf)
	for s := range e.kept {
		for i, k := range e.kept[s] {
			if !k {
				e.edited[s] = append(e.edited[s], i)
			}
		}
	}
	if hostEdit, ok := c.hostEdit(p); ok {
		e.edit[beforeSide] = func(int) int { return hostEdit }
		e.edit[afterSide] = e.edit[beforeSide]
	} else {
		e.edit = c.ruleEdits(p, e.edited, e.keyOf)
	}
	return e
}

// none tells that the two lists are the same.
func (e *pairScript) none() bool { return len(e.edited[beforeSide])+len(e.edited[afterSide]) == 0 }

// eachEdited yields the edited rules of both sides.
func (e *pairScript) eachEdited(yield func(*table.Rule) bool) {
	for s := range e.edited {
		for _, i := range e.edited[s] {
			if !yield(&e.rules[s][i]) {
				return
			}
		}
	}
}

// hostEdit returns the edit of a pair whose hosts have another domain on each side: the better one, which came or went.
func (c *comparison) hostEdit(p *hostPair) (int, bool) {
	cell := c.space.cells[p.cells[0]]
	if cell.chosen[beforeSide] == cell.chosen[afterSide] {
		return 0, false
	}
	edit := Edit{Kind: HostAdded, Domain: cell.domain}
	if _, gone := c.space.sides[beforeSide][cell.domain]; gone {
		edit.Kind = HostRemoved
	}
	// Virtual hosts with the same rules came with one route.
	id := editIdentity{
		kind:   edit.Kind,
		before: digestOf(c.tables[beforeSide], p.host[beforeSide]),
		after:  digestOf(c.tables[afterSide], p.host[afterSide]),
	}
	return c.addEdit(edit, id), true
}

// ruleEdits pairs the rules outside the common subsequence.
func (c *comparison) ruleEdits(p *hostPair, edited [2][]int, keyOf func(*table.Rule) string) [2]func(int) int {
	open := [2][]int{slices.Clone(edited[beforeSide]), slices.Clone(edited[afterSide])}
	m := &editMatcher{comparison: c, pair: p, keyOf: keyOf, open: open, found: [2]map[int]int{{}, {}}}
	m.match(func(r *table.Rule) likeness { return likeness{key: m.keyOf(r)} })
	m.match(func(r *table.Rule) likeness { return likeness{r.Origin, r.MatchKey()} }) // without metadata nothing speaks against it
	m.match(func(r *table.Rule) likeness { return ofOrigin(r, r.OutcomeKey()) })
	m.match(func(r *table.Rule) likeness { return ofOrigin(r, "rule") })
	m.match(m.byName())
	m.match(m.byPlace(edited))
	m.rest()
	return [2]func(int) int{
		func(i int) int { return m.found[beforeSide][i] },
		func(i int) int { return m.found[afterSide][i] },
	}
}

// likeness is what two rules share that are one rule before and after an edit. Rules with the zero likeness share nothing.
type likeness struct {
	origin table.Origin
	key    string
}

// ofOrigin is the likeness of rules that come from one rule of one object.
func ofOrigin(r *table.Rule, key string) likeness {
	if r.Origin == (table.Origin{}) {
		return likeness{}
	}
	return likeness{r.Origin, key}
}

// editMatcher pairs what was removed with what was added.
type editMatcher struct {
	*comparison
	pair  *hostPair
	keyOf func(*table.Rule) string
	open  [2][]int
	found [2]map[int]int // rule to edit
}

func (m *editMatcher) rule(s side, i int) *table.Rule {
	return &rulesOf(m.tables[s], m.pair.host[s])[i]
}

// match pairs each open rule before with the first open rule after that is alike.
func (m *editMatcher) match(of func(*table.Rule) likeness) {
	if len(m.open[beforeSide]) == 0 || len(m.open[afterSide]) == 0 {
		return
	}
	after := make(map[likeness][]int, len(m.open[afterSide]))
	for _, a := range m.open[afterSide] {
		if l := of(m.rule(afterSide, a)); l != (likeness{}) {
			after[l] = append(after[l], a)
		}
	}
	paired := map[int]bool{}
	m.open[beforeSide] = slices.DeleteFunc(m.open[beforeSide], func(b int) bool {
		l := of(m.rule(beforeSide, b))
		found := after[l]
		if len(found) == 0 {
			return false
		}
		m.pairUp(b, found[0])
		paired[found[0]] = true
		after[l] = found[1:]
		return true
	})
	m.open[afterSide] = slices.DeleteFunc(m.open[afterSide], func(a int) bool { return paired[a] })
}

func (m *editMatcher) pairUp(b, a int) {
	before, after := m.rule(beforeSide, b), m.rule(afterSide, a)
	e := Edit{
		Kind: Changed, Before: &RuleRef{m.pair.host[beforeSide], b}, After: &RuleRef{m.pair.host[afterSide], a},
		MatchChanged:   before.MatchKey() != after.MatchKey(),
		OutcomeChanged: !table.SameBackends(before.Outcome, after.Outcome),
	}
	e.TreatmentChanged = !e.OutcomeChanged && before.OutcomeKey() != after.OutcomeKey()
	if m.keyOf(before) == m.keyOf(after) {
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
