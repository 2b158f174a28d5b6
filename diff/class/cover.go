package class

import "slices"

// maxCoverWork bounds the nodes that are visited, and the lists that are asked about, to find what covers the rules of one virtual
// host, or the edits of one comparison.
const maxCoverWork = 200_000

// maxMinimised bounds the coverers of which each is asked whether it is needed.
const maxMinimised = 64

// coverers are the rules that together take what one rule matches. They are gathered along the tree of paths: where rules that match
// every path of a node leave the rule nothing, they do so below it, too; else each part of the node's own paths is asked, and what
// is below.
type coverers struct {
	*walk
	rule *candidate
	// rank gives the ranking of a list, or of one with equal conditions.
	rank func(list []*candidate) *ranking
	// needless rules take nothing that others do not take ahead of them.
	needless func(*candidate) bool
	// work left.
	work int
	by   []*candidate
}

// find tells whether the rule is covered, and by which rules; false also when the search was given up.
func (c *coverers) find() ([]*candidate, bool) {
	if !c.covered(c.rule.node, c.inherited(c.rule.node)) {
		return nil, false
	}
	slices.SortFunc(c.by, func(a, b *candidate) int { return a.position - b.position })
	return c.by, true
}

// inherited is the list at the parent of a node.
func (c *coverers) inherited(node int) []*candidate {
	parent := c.tree.nodes[node].parent
	if parent < 0 {
		return nil
	}
	return mergeLists(c.inherited(parent), c.tree.nodes[parent].own[c.rule.side])
}

// covered finds coverers at a node and below it.
func (c *coverers) covered(node int, inherited []*candidate) bool {
	if c.work--; c.work < 0 || c.ctx.Err() != nil {
		return false
	}
	list := mergeLists(inherited, c.tree.nodes[node].own[c.rule.side])
	if c.coveredBy(slices.DeleteFunc(c.ahead(list), func(k *candidate) bool {
		return k.pattern >= 0 && k.pattern != c.rule.pattern
	})) {
		return true
	}
	if !c.coveredInParts(node, list) {
		return false
	}
	for _, child := range c.tree.nodes[node].children {
		if !c.covered(child, list) {
			return false
		}
	}
	return true
}

// ahead copies the part of a list before the rule: all of it where something ahead took the rule off the list.
func (c *coverers) ahead(list []*candidate) []*candidate {
	if i := slices.Index(list, c.rule); i >= 0 {
		list = list[:i]
	}
	return slices.Clone(list)
}

// coveredInParts finds coverers in each part of a node's own paths. What a pattern matches that cannot be compiled is not known, so
// a rule with it covers nothing.
func (c *coverers) coveredInParts(node int, list []*candidate) bool {
	patterns := slices.DeleteFunc(patternsIn([2][]*candidate{list, {c.rule}}), func(p int) bool { return c.compilePattern(p) != nil })
	if c.rule.pattern >= 0 && !slices.Contains(patterns, c.rule.pattern) {
		return false
	}
	parts, err := c.exploration(node, patterns, 0)
	if err != nil {
		return false
	}
	for _, part := range parts {
		matched := matchedPatterns(part, patterns)
		if c.rule.pattern >= 0 && !slices.Contains(matched, c.rule.pattern) {
			continue
		}
		if !c.coveredBy(c.ahead(matching(list, matched))) {
			return false
		}
	}
	return true
}

// coveredBy tells whether the rules ahead take all that the rule matches, whatever number Envoy draws, and keeps as few of
// them as it finds.
func (c *coverers) coveredBy(ahead []*candidate) bool {
	ahead = slices.DeleteFunc(ahead, c.needless)
	list := append(slices.Clip(ahead), c.rule)
	r := c.rank(list)
	if r.err != nil {
		return false
	}
	numbers, _ := draws(list)
	for _, drawn := range slices.Backward(numbers) { // the fewest take the last; who does mostly takes the others
		if c.rule.takes(drawn) && !c.coveredWhen(drawn, r, ahead) {
			return false
		}
	}
	return true
}

// coveredWhen is coveredBy for one number, with the ranking of the rules ahead and the rule behind them. It keeps those that are kept
// already, if they do, else the first.
func (c *coverers) coveredWhen(drawn uint32, r *ranking, ahead []*candidate) bool {
	if c.work--; c.work < 0 {
		return false
	}
	rule := len(ahead)
	var needed, kept []int
	for i, k := range ahead {
		if k.doubt != "" || !k.takes(drawn) || r.apart(rule, i) {
			continue
		}
		needed = append(needed, i)
		if slices.Contains(c.by, k) {
			kept = append(kept, i)
		}
	}
	if r.leaves(rule, needed) {
		return false
	}
	if !r.leaves(rule, kept) {
		return true
	}
	for i := len(needed) - 1; i >= 0 && len(needed) <= maxMinimised; i-- {
		if fewer := slices.Concat(needed[:i], needed[i+1:]); !r.leaves(rule, fewer) {
			needed = fewer
		}
	}
	for _, i := range needed {
		if !slices.Contains(c.by, ahead[i]) {
			c.by = append(c.by, ahead[i])
		}
	}
	return true
}
