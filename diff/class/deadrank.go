package class

import (
	"cmp"
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
// the rules only, so that lists of equal conditions share one: list is the first of them.
type ranking struct {
	*system
	list []*candidate
	// holds are the conditions of each rule, fails that they do not hold.
	holds    [][]literal
	fails    []clause
	verdicts []verdict
	err      error
}

func newRanking(vs *variables, list []*candidate) *ranking {
	r := &ranking{list: slices.Clone(list), verdicts: make([]verdict, len(list))}
	if r.system, r.err = newSystem(vs, (&decision{lists: [2][]*candidate{list, nil}}).predicates); r.err == nil {
		r.translate()
	}
	return r
}

// translate writes the conditions of the rules as literals. All have parts of one room.
func (r *ranking) translate() {
	count := 0
	for _, k := range r.list {
		count += len(k.predicates())
	}
	r.holds, r.fails = make([][]literal, len(r.list)), make([]clause, len(r.list))
	room := make([]literal, 0, 2*count)
	for i, k := range r.list {
		from := len(room)
		for _, p := range k.predicates() {
			room = append(room, r.literal(p))
		}
		r.holds[i] = room[from:len(room):len(room)]
		from = len(room)
		for _, l := range r.holds[i] {
			room = append(room, l.not())
		}
		r.fails[i] = room[from:len(room):len(room)]
	}
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
		r = newRanking(rs.variables, list)
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
	solution, _, found, err := r.answerLiterals(r.holds[i], r.ahead(i, drawn, func(*candidate) bool { return true }))
	switch {
	case err != nil:
		return verdict{kind: unsure, reason: err.Error()}
	case found && k.doubt == "":
		return verdict{kind: wins, solution: solution}
	case found:
		return verdict{kind: unsure, reason: k.doubt}
	}
	doubtful := func(k *candidate) bool { return k.doubt != "" && k.takes(drawn) }
	doubt := slices.IndexFunc(r.list[:i+1], doubtful)
	if doubt < 0 {
		return verdict{kind: loses}
	}
	surely := r.ahead(i, drawn, func(k *candidate) bool { return k.doubt == "" })
	if _, found, err := r.solveLiterals(r.free(false), r.holds[i], surely); found || err != nil {
		return verdict{kind: unsure, reason: cmp.Or(k.doubt, r.list[doubt].doubt)}
	}
	return verdict{kind: loses}
}

// ahead are the clauses that a winner at index i meets: none matches of those rules before it that take the number drawn, and that
// count.
func (r *ranking) ahead(i int, drawn uint32, counts func(*candidate) bool) []clause {
	out := make([]clause, 0, i)
	for j, k := range r.list[:i] {
		if k.takes(drawn) && counts(k) {
			out = append(out, r.fails[j])
		}
	}
	return out
}

// leaves tells whether the rule at an index matches a request that none of the rules at others match, or that is not known.
func (r *ranking) leaves(rule int, by []int) bool {
	clauses := make([]clause, len(by))
	for n, i := range by {
		clauses[n] = r.fails[i]
	}
	_, found, err := r.solveLiterals(r.free(false), r.holds[rule], clauses)
	return err != nil || found
}

// apart tells that no request meets the conditions of both rules at two indexes.
func (r *ranking) apart(i, j int) bool {
	_, found, err := r.solveLiterals(r.free(false), slices.Concat(r.holds[i], r.holds[j]), nil)
	return err == nil && !found
}
