package class

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
)

// TestLemma15 edits the ends of long lists, and compares what is left of them with the whole ones: of every request the evaluator
// must say that it changes in both or in none. In one class are those that change.
func TestLemma15(t *testing.T) {
	leftOut, changed := 0, 0
	for s := range uint64(150) {
		r := rand.New(rand.NewPCG(s, 5))
		before, after := longFronts(r)
		small := [2]*table.Table{tabletest.Clone(before), tabletest.Clone(after)}
		leftOut += leaveOutBelow(before, after, small)
		result, err := Compare(context.Background(), before, after, Limits{})
		if err != nil || len(result.Undecided) > 0 {
			t.Fatalf("seed %d: %v, undecided %v", s, err, result.Undecided)
		}
		differ := func(x, y *table.Table) func(table.Request) bool {
			was, is := table.Compile(x), table.Compile(y)
			return func(r table.Request) bool { return was.Evaluate(r).Outcome.Key() != is.Evaluate(r).Outcome.Key() }
		}
		whole, rest := differ(before, after), differ(small[beforeSide], small[afterSide])
		for _, request := range tabletest.Requests(r, 150, before, after) {
			classes := 0
			for i := range result.Classes {
				if result.Classes[i].Contains(request) {
					classes++
				}
			}
			if whole(request) != rest(request) || whole(request) != (classes == 1) || classes > 1 {
				t.Fatalf("seed %d, %+v: changed %v, of what is left %v, in %d classes", s, request, whole(request), rest(request), classes)
			}
			if whole(request) {
				changed++
			}
		}
	}
	if leftOut == 0 || changed == 0 {
		t.Errorf("%d rules were left out, %d requests changed", leftOut, changed)
	}
}

// longFronts has many rules that are not edited in front of a few that are.
func longFronts(r *rand.Rand) (before, after *table.Table) {
	options := tabletest.Rendered()
	end := &table.Table{Options: options, Hosts: []table.Host{{Domains: []string{"*"}}}}
	for range 1 + r.IntN(3) {
		end.Hosts[0].Rules = append(end.Hosts[0].Rules, tabletest.RandomRule(r, options))
	}
	end.Seal()
	before, after = tabletest.Clone(end), tabletest.Edit(r, end)
	var front []table.Rule
	for range 25 {
		front = append(front, tabletest.RandomRule(r, options))
	}
	for _, t := range []*table.Table{before, after} {
		if len(t.Hosts) > 0 {
			t.Hosts[0].Rules = append(front[:len(front):len(front)], t.Hosts[0].Rules...)
		}
		t.Seal()
	}
	return before, after
}

// leaveOutBelow leaves the rules below covers out of small copies of two tables, and counts them.
func leaveOutBelow(before, after *table.Table, small [2]*table.Table) (leftOut int) {
	c := newComparison(context.Background(), before, after, DefaultLimits)
	c.space = newHostSpace(before, after)
	pairs := c.pairs()
	if len(pairs) != 1 || pairs[0].host[beforeSide] < 0 || pairs[0].host[afterSide] < 0 {
		return 0
	}
	e := c.edit(pairs[0])
	edited := map[string]bool{}
	for r := range e.eachEdited {
		edited[c.patterns.literalText(r.Path)] = true
	}
	all := [2][]int{places(e.rules[beforeSide]), places(e.rules[afterSide])}
	for s, left := range e.leaveOut(all, e.literals(c.patterns), newLiteralTexts(edited)) {
		var rules []table.Rule
		for _, i := range left {
			rules = append(rules, e.rules[s][i])
		}
		leftOut += len(e.rules[s]) - len(rules)
		small[s].Hosts[pairs[0].host[s]].Rules = rules
		small[s].Seal()
	}
	return leftOut
}
