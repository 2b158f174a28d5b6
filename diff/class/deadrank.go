package class

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// verdict is what is known of one rule in a list that competes for the same paths.
type verdict struct {
	kind verdictKind
	// solution, of a rule that wins, is a request that it wins.
	solution solution
	reason   string
}

type verdictKind uint8

const (
	notAsked verdictKind = iota
	wins
	loses  // the rules ahead surely take all that it matches
	unsure // reason says why
)

// ranking answers which rules of a list win a request of the paths that all of them match. It depends on the conditions of
// the rules only, so that lists of equal conditions share one.
type ranking struct {
	*system
	list     []*candidate
	verdicts []verdict
	err      error
}

// rankings keeps them by the conditions of the list.
type rankings struct {
	variables  *variables
	conditions map[string]uint32
	known      map[string]*ranking
	key        []byte
}

func newRankings(c *comparison) *rankings {
	return &rankings{variables: c.variables, conditions: map[string]uint32{}, known: map[string]*ranking{}}
}

// of returns the ranking of a list.
func (rs *rankings) of(list []*candidate) *ranking {
	rs.key = rs.key[:0]
	for _, k := range list {
		rs.key = binary.LittleEndian.AppendUint32(rs.key, k.key)
	}
	r := rs.known[string(rs.key)]
	if r == nil {
		r = &ranking{list: slices.Clone(list), verdicts: make([]verdict, len(list))}
		r.system, r.err = newSystem(rs.variables, (&decision{lists: [2][]*candidate{list, nil}}).predicates)
		rs.known[string(rs.key)] = r
	}
	return r
}

// number gives rules the same number when their conditions, and what is not known of them, are the same.
func (rs *rankings) number(k *candidate) uint32 {
	text := appendQuestion(nil, k.conditions(), nil)
	text = append(append(text, k.doubt...), flag(k.catchAll()))
	if k.hasChance() {
		text = fmt.Appendf(text, "%d/%d", k.rule.Chance.Numerator, k.rule.Chance.Denominator)
	}
	n, known := rs.conditions[string(text)]
	if !known {
		n = uint32(len(rs.conditions))
		rs.conditions[string(text)] = n
	}
	return n
}

// verdict of the rule at index i.
func (r *ranking) verdict(i int) *verdict {
	v := &r.verdicts[i]
	if v.kind == notAsked {
		*v = r.ask(i)
	}
	return v
}

// ask looks for a number that Envoy may draw with which the rule wins. All rules of a request see the same one.
func (r *ranking) ask(i int) verdict {
	if r.err != nil {
		return verdict{kind: unsure, reason: r.err.Error()}
	}
	out := verdict{kind: loses}
	numbers, all := draws(r.list[:i+1])
	if !all {
		out = verdict{kind: unsure, reason: "too many chances compete for one path"}
	}
	for _, drawn := range numbers {
		if !r.list[i].takes(drawn) {
			continue
		}
		switch v := r.askDrawn(i, drawn); v.kind {
		case wins:
			return v
		case unsure:
			out = v
		}
	}
	return out
}

// askDrawn looks first for a request that no rule ahead may match, then for one that none ahead surely matches.
func (r *ranking) askDrawn(i int, drawn uint32) verdict {
	k := r.list[i]
	q := question{conditions: k.conditions()}
	sure := question{conditions: q.conditions}
	doubt := k.doubt
	for _, ahead := range r.list[:i] {
		if !ahead.takes(drawn) {
			continue
		}
		q.except = append(q.except, ahead.conditions())
		if ahead.doubt == "" {
			sure.except = append(sure.except, ahead.conditions())
		} else if doubt == "" {
			doubt = ahead.doubt
		}
	}
	solution, _, found, err := r.answer(q)
	switch {
	case err != nil:
		return verdict{kind: unsure, reason: err.Error()}
	case found && k.doubt == "":
		return verdict{kind: wins, solution: solution}
	case found:
		return verdict{kind: unsure, reason: k.doubt}
	case doubt == "":
		return verdict{kind: loses}
	}
	if possible, err := r.possible(sure); possible || err != nil {
		return verdict{kind: unsure, reason: doubt}
	}
	return verdict{kind: loses}
}
