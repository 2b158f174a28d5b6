package class

import (
	"slices"

	"github.com/routedelta/routedelta/diff/automaton"
)

const (
	// coverChunk is how many dead rules share what one of them does not need of maxCoverWork. It does not depend on the machine, so
	// that no answer does.
	coverChunk = 256
	// leastCoverWork is for each rule, however many are dead.
	leastCoverWork = 20
)

// coverSearch says of some dead rules why they are dead.
type coverSearch struct {
	*hostWalk
	// work left.
	work int
}

// explainAll says why rules are dead, of those of a large virtual host on all processors.
func (w *hostWalk) explainAll(rules []*candidate) ([]deadRule, error) {
	chunks := slices.Collect(slices.Chunk(rules, coverChunk))
	found := make([][]deadRule, len(chunks))
	explain := func(part *hostWalk, i int) (err error) {
		s := &coverSearch{part, max(leastCoverWork*coverChunk, maxCoverWork/len(chunks))}
		found[i], err = s.explainChunk(chunks[i])
		return err
	}
	var err error
	if len(w.list) >= w.splitFrom {
		err = inParallel(len(chunks), w.copy, explain)
	} else {
		for i := 0; i < len(chunks) && err == nil; i++ {
			err = explain(w, i)
		}
	}
	return slices.Concat(found...), err
}

func (s *coverSearch) explainChunk(rules []*candidate) ([]deadRule, error) {
	var out []deadRule
	for _, k := range rules {
		d, err := s.explain(k)
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}

// explain finds the reason why a rule is dead: the paths, the conditions, or the rules ahead.
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
	solution, _, found, err := alone.answerLiterals(alone.holds[0], nil)
	if err != nil {
		return d, nil
	}
	if !found {
		d.reason = DeadConditions
		return d, nil
	}
	c := &coverers{walk: s.walk, rule: k, rank: s.of, needless: s.isDead, work: s.work}
	by, found := c.find()
	s.work = c.work
	if found {
		for _, k := range by {
			d.coverers = append(d.coverers, k.position)
		}
		d.example = &win{path: path, system: alone.system, solution: solution}
	}
	return d, nil
}

// isDead tells whether a rule is known to win nothing. What it matches is taken ahead of it.
func (w *hostWalk) isDead(k *candidate) bool {
	return w.wins[k.position] == nil && w.doubt[k.position] == ""
}

// reach finds a path that a rule matches and that reaches the router: its literal, or one that a search finds.
func (w *hostWalk) reach(k *candidate) (path string, reached bool, err error) {
	e := automaton.Exploration{Base: k.form.literal, Language: w.paths, Limit: w.limits.Product}
	if k.pattern < 0 {
		if text := k.form.literal.Text; w.paths.Matches(text) {
			return text, true, nil
		}
		e.Enough = 1
	} else {
		if err := w.compilePattern(k.pattern); err != nil {
			return "", false, err
		}
		e.Tests = append(e.Tests, w.tree.patterns[k.pattern].dfa)
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
