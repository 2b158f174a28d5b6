package class

// findEffectless lists the edits that change no request, each with the rules that cover it. An edit that stands before
// something undecided is not among them: it may have an effect.
func (c *comparison) findEffectless(pairs []*hostPair) error {
	if c.reception != nil {
		c.mentionUnfelt() // any edit may have an effect on the requests that the two sides do not see alike
		return nil
	}
	s := &effectlessSearch{comparison: c, pairs: pairs, work: maxCoverWork}
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
		c.result.Effectless = append(c.result.Effectless, Effectless{Edit: edit, Coverers: s.coverers(edit)})
	}
	return nil
}

// effectlessSearch says of edits without effect why they have none.
type effectlessSearch struct {
	*comparison
	pairs []*hostPair
	// work left.
	work int
}

// coverers finds the rules that take every request of an edited rule, on the later side where the rule is there; nil when it wins
// a request, or that could not be decided.
func (s *effectlessSearch) coverers(edit int) []RuleRef {
	e := &s.result.Edits[edit]
	if e.Kind == HostAdded || e.Kind == HostRemoved {
		return nil
	}
	on, ref := afterSide, e.After
	if ref == nil {
		on, ref = beforeSide, e.Before
	}
	for _, p := range s.pairs {
		for _, k := range p.lists[on] {
			if k.edit == edit && k.ref == *ref {
				return s.coverersIn(p, k)
			}
		}
	}
	return nil
}

func (s *effectlessSearch) coverersIn(p *hostPair, k *candidate) []RuleRef {
	c := &coverers{
		walk: &walk{comparison: s.comparison, hostPair: p}, rule: k, work: s.work,
		rank:     func(list []*candidate) *ranking { return newRanking(s.variables, list) },
		needless: func(*candidate) bool { return false },
	}
	by, found := c.find()
	s.work = c.work
	if !found {
		return nil
	}
	var refs []RuleRef
	for _, k := range by {
		refs = append(refs, k.ref)
	}
	return refs
}
