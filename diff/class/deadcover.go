package class

import (
	"slices"

	"github.com/routedelta/routedelta/diff/automaton"
)

// maxCoverWork bounds the nodes that are visited, and the lists that are asked about, in one virtual host to find what covers
// its dead rules.
const maxCoverWork = 200_000

// coverSearch says of the dead rules of a virtual host why they are dead.
type coverSearch struct {
	*hostWalk
	work int
}

// explain finds the reason: the paths, the conditions, or the rules ahead.
func (s *coverSearch) explain(k *candidate) (deadRule, error) {
	d := deadRule{rule: k.position, reason: DeadCovered}
	if err := s.ctx.Err(); err != nil {
		return d, err
	}
	if k.hasChance() && k.rule.Chance.Numerator == 0 {
		d.reason = DeadChance
		return d, nil
	}
	path, reached, err := s.reach(k)
	if err != nil {
		return d, nil // that it is dead is known, from each part of the paths
	}
	if !reached {
		d.reason = DeadPath
		return d, nil
	}
	alone := s.of([]*candidate{k})
	if alone.err != nil {
		return d, nil
	}
	solution, _, found, err := alone.answer(question{conditions: k.conditions()})
	if err != nil {
		return d, nil
	}
	if !found {
		d.reason = DeadConditions
		return d, nil
	}
	c := &coverers{coverSearch: s, rule: k}
	if c.covered(k.node, c.inherited(k.node)) {
		d.coverers = c.positions()
		d.example = &win{path: path, system: alone.system, solution: solution}
	}
	return d, nil
}

// reach finds a path that a rule matches and that reaches the router.
func (s *coverSearch) reach(k *candidate) (path string, reached bool, err error) {
	e := automaton.Exploration{Base: k.form.literal, Language: s.paths, Limit: s.limits.Product}
	if k.pattern < 0 {
		e.Enough = 1
	} else {
		if err := s.build(k.pattern); err != nil {
			return "", false, err
		}
		e.Tests = append(e.Tests, s.tree.patterns[k.pattern].dfa)
	}
	found, err := e.Run()
	if err != nil {
		return "", false, err
	}
	for _, v := range found {
		if k.pattern < 0 || v.Truth[0] {
			return v.Witness, true, nil
		}
	}
	return "", false, nil
}

// coverers are the rules that together take what one rule matches.
type coverers struct {
	*coverSearch
	rule *candidate
	by   []*candidate
}

func (c *coverers) positions() []int {
	out := make([]int, len(c.by))
	for i, k := range c.by {
		out[i] = k.position
	}
	slices.Sort(out)
	return out
}

// inherited is the list at the parent of a node.
func (c *coverers) inherited(node int) []*candidate {
	parent := c.tree.nodes[node].parent
	if parent < 0 {
		return nil
	}
	return mergeLists(c.inherited(parent), c.tree.nodes[parent].own[afterSide])
}

// covered finds coverers at a node and below it; false when the search was given up.
func (c *coverers) covered(node int, inherited []*candidate) bool {
	if c.work++; c.work > maxCoverWork || c.ctx.Err() != nil {
		return false
	}
	list := mergeLists(inherited, c.tree.nodes[node].own[afterSide])
	ahead := aheadOf(list, c.rule)
	if c.coveredBy(slices.DeleteFunc(slices.Clone(ahead), func(k *candidate) bool {
		return k.pattern >= 0 && k.pattern != c.rule.pattern
	})) {
		return true // at every node below, too
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

// aheadOf is the part of a list before a rule: all of it where something ahead took the rule off the list.
func aheadOf(list []*candidate, k *candidate) []*candidate {
	if i := slices.Index(list, k); i >= 0 {
		return list[:i]
	}
	return list
}

// coveredInParts finds coverers in each part of a node's own paths.
func (c *coverers) coveredInParts(node int, list []*candidate) bool {
	patterns := patternsIn([2][]*candidate{list, {c.rule}})
	for _, p := range patterns {
		if c.build(p) != nil {
			return false
		}
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
		if !c.coveredBy(aheadOf(matching(list, matched), c.rule)) {
			return false
		}
	}
	return true
}

// maxMinimised bounds the coverers of which each is asked whether it is needed.
const maxMinimised = 64

// coveredBy tells whether the rules ahead take all that the rule matches, whatever number Envoy draws, and keeps as few of
// them as it finds. Those that are dead themselves are not needed: what they match is taken ahead of them.
func (c *coverers) coveredBy(ahead []*candidate) bool {
	ahead = slices.DeleteFunc(slices.Clone(ahead), c.dead)
	numbers, _ := draws(append(slices.Clone(ahead), c.rule))
	for _, drawn := range numbers {
		if c.rule.takes(drawn) && !c.coveredWhen(drawn, ahead) {
			return false
		}
	}
	return true
}

// dead tells whether a rule is known to win nothing.
func (c *coverers) dead(k *candidate) bool {
	return c.wins[k.position] == nil && c.doubt[k.position] == ""
}

// coveredWhen is coveredBy for one number. It keeps those that are kept already, if they do, else the first.
func (c *coverers) coveredWhen(drawn uint32, ahead []*candidate) bool {
	if c.work++; c.work > maxCoverWork {
		return false
	}
	r := c.of(append(slices.Clone(ahead), c.rule))
	if r.err != nil {
		return false
	}
	leaves := func(by []*candidate) bool {
		q := question{conditions: c.rule.conditions()}
		for _, k := range by {
			q.except = append(q.except, k.conditions())
		}
		found, err := r.possible(q)
		return err != nil || found
	}
	needed := slices.DeleteFunc(slices.Clone(ahead), func(k *candidate) bool {
		if k.doubt != "" || !k.takes(drawn) {
			return true
		}
		meet, err := r.possible(question{conditions: slices.Concat(c.rule.conditions(), k.conditions())})
		return err == nil && !meet
	})
	if leaves(needed) {
		return false
	}
	kept := slices.DeleteFunc(slices.Clone(needed), func(k *candidate) bool { return !slices.Contains(c.by, k) })
	if !leaves(kept) {
		return true
	}
	for i := len(needed) - 1; i >= 0 && len(needed) <= maxMinimised; i-- {
		if fewer := slices.Concat(needed[:i], needed[i+1:]); !leaves(fewer) {
			needed = fewer
		}
	}
	for _, k := range needed {
		if !slices.Contains(c.by, k) {
			c.by = append(c.by, k)
		}
	}
	return true
}
