package class

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
)

// TestLemma2 compares pairs with long equal tails with the evaluator: a request changes exactly when it is in one
// class, whether its tail was collapsed or not.
func TestLemma2(t *testing.T) {
	hidden := 0
	for s := range uint64(40) {
		r := rand.New(rand.NewPCG(s, 3))
		before, after := longTails(r)
		c := newComparison(context.Background(), before, after, DefaultLimits)
		c.space = newHostSpace(before, after)
		for _, p := range c.pairs() {
			if c.hiddenTail(c.edit(p)) > 0 {
				hidden++
			}
		}
		result, err := Compare(context.Background(), before, after, Limits{})
		if err != nil || len(result.Undecided) > 0 {
			t.Fatalf("seed %d: %v, undecided %v", s, err, result.Undecided)
		}
		x, y := table.Compile(before), table.Compile(after)
		for _, request := range tabletest.Requests(r, 200, before, after) {
			n := 0
			for i := range result.Classes {
				if result.Classes[i].Contains(request) {
					n++
				}
			}
			changed := x.Evaluate(request).Outcome.Key() != y.Evaluate(request).Outcome.Key()
			if changed != (n == 1) || n > 1 {
				t.Fatalf("seed %d, %+v: changed %v, in %d classes", s, request, changed, n)
			}
		}
	}
	if hidden == 0 {
		t.Error("no tail was collapsed")
	}
}

// longTails has a few rules that are edited in front of many that are not, mostly with backends of their own.
func longTails(r *rand.Rand) (before, after *table.Table) {
	options := tabletest.Rendered()
	front := &table.Table{Options: options, Hosts: []table.Host{{Domains: []string{"*"}}}}
	for range 3 {
		front.Hosts[0].Rules = append(front.Hosts[0].Rules, tabletest.RandomRule(r, options))
	}
	front.Seal()
	before, after = tabletest.Clone(front), tabletest.Edit(r, front)
	var tail []table.Rule
	for i := range 2 * keptTail {
		rule := tabletest.RandomRule(r, options)
		if r.IntN(40) > 0 {
			share := table.Share{Backend: table.Backend{Service: fmt.Sprint("tail", i)}, Weight: 1}
			rule.Outcome = table.Outcome{Kind: table.ToBackends, Total: 1, Backends: []table.Share{share}}
		}
		tail = append(tail, rule)
	}
	for _, t := range []*table.Table{before, after} {
		if len(t.Hosts) > 0 {
			t.Hosts[0].Rules = append(t.Hosts[0].Rules, tail...)
		}
		t.Seal()
	}
	return before, after
}
