package class

import "slices"

// findEffectless lists the edits that change no request, each with the rules that cover it. An edit that stands before
// something undecided is not among them: it may have an effect.
func (c *comparison) findEffectless(pairs []*hostPair) error {
	if c.reception != nil {
		c.mentionUnfelt() // any edit may have an effect on the requests that the two sides do not see alike
		return nil
	}
	done := map[int]bool{}
	for i := range c.result.Edits {
		edit := c.result.Edits[i].group
		if c.felt[edit] || c.unsure[edit] || done[edit] {
			continue
		}
		if err := c.ctx.Err(); err != nil {
			return err
		}
		done[edit] = true
		c.result.Effectless = append(c.result.Effectless, Effectless{Edit: edit, Coverers: c.coverers(pairs, edit)})
	}
	return nil
}

// coverers finds the rules that take every request of an edited rule, on the later side where the rule is there.
func (c *comparison) coverers(pairs []*hostPair, edit int) []RuleRef {
	e := &c.result.Edits[edit]
	if e.Kind == HostAdded || e.Kind == HostRemoved {
		return nil
	}
	s, ref := afterSide, e.After
	if ref == nil {
		s, ref = beforeSide, e.Before
	}
	for _, p := range pairs {
		for _, k := range p.lists[s] {
			if k.edit == edit && k.ref == *ref {
				return c.coverage(p, k)
			}
		}
	}
	return nil
}

// cover looks for a request that a rule wins, and gathers the rules that take the others.
type cover struct {
	*comparison
	*hostPair
	rule *candidate
	by   []*candidate
}

// coverage returns the coverers of a rule; nil when it wins a request, or that could not be decided.
func (c *comparison) coverage(p *hostPair, k *candidate) []RuleRef {
	v := &cover{comparison: c, hostPair: p, rule: k}
	if !v.covered(k.node, v.inherited(k.node)) {
		return nil
	}
	var refs []RuleRef
	for _, by := range v.by {
		refs = append(refs, by.ref)
	}
	slices.SortFunc(refs, func(a, b RuleRef) int { return a.Rule - b.Rule })
	return refs
}

// inherited is the list at the parent of a node.
func (v *cover) inherited(node int) []*candidate {
	parent := v.tree.nodes[node].parent
	if parent < 0 {
		return nil
	}
	return mergeLists(v.inherited(parent), v.tree.nodes[parent].own[v.rule.side])
}

// covered walks the nodes whose paths the rule can match.
func (v *cover) covered(node int, inherited []*candidate) bool {
	list := mergeLists(inherited, v.tree.nodes[node].own[v.rule.side])
	if last := list[len(list)-1]; !slices.Contains(list, v.rule) && last.catchAll() && last.pattern < 0 {
		v.add(last) // it takes all paths here and below
		return true
	}
	if !v.coveredAt(node, list) {
		return false
	}
	for _, child := range v.tree.nodes[node].children {
		if !v.covered(child, list) {
			return false
		}
	}
	return true
}

// coveredAt asks about the own part of a node.
func (v *cover) coveredAt(node int, list []*candidate) bool {
	w := &walk{comparison: v.comparison, hostPair: v.hostPair}
	w.resolve(list)
	patterns := patternsIn([2][]*candidate{list, nil})
	parts, err := w.exploration(node, patterns, 0)
	if err != nil {
		return false
	}
	for _, part := range parts {
		matched := matchedPatterns(part, patterns)
		if v.rule.pattern >= 0 && !slices.Contains(matched, v.rule.pattern) {
			continue
		}
		if !v.coveredBy(matching(list, matched)) {
			return false
		}
	}
	return true
}

// coveredBy asks whether the rules ahead in one list leave nothing, and keeps those that are needed for it.
func (v *cover) coveredBy(list []*candidate) bool {
	if i := slices.Index(list, v.rule); i >= 0 {
		list = list[:i]
	}
	sys, err := newSystem(v.variables, (&decision{lists: [2][]*candidate{list, {v.rule}}}).predicates)
	if err != nil {
		return false
	}
	enough := func(by []*candidate) bool {
		q := question{conditions: v.rule.conditions()}
		for _, k := range by {
			q.except = append(q.except, k.conditions())
		}
		found, err := sys.possible(q)
		return err == nil && !found
	}
	needed := slices.DeleteFunc(slices.Clone(list), func(k *candidate) bool { return k.doubt != "" || k.hasChance() })
	if !enough(needed) {
		return false
	}
	known := slices.DeleteFunc(slices.Clone(needed), func(k *candidate) bool { return !slices.Contains(v.by, k) })
	if enough(known) {
		return true
	}
	for i := len(needed) - 1; i >= 0; i-- {
		if fewer := slices.Concat(needed[:i], needed[i+1:]); enough(fewer) {
			needed = fewer
		}
	}
	for _, k := range needed {
		v.add(k)
	}
	return true
}

func (v *cover) add(k *candidate) {
	if !slices.Contains(v.by, k) {
		v.by = append(v.by, k)
	}
}
