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

// TestLemma2BehindChance: a tail behind a chance is kept, though it sends nothing where the edited rule does. Here the chance takes
// the very numbers that the weights behind it give to the same backend, so that its removal changes nothing but for the last rule.
func TestLemma2BehindChance(t *testing.T) {
	to := func(shares ...table.Share) table.Outcome {
		o := table.Outcome{Kind: table.ToBackends, Backends: shares}
		for _, s := range shares {
			o.Total += s.Weight
		}
		return o
	}
	share := func(name string, weight uint64) table.Share {
		return table.Share{Backend: table.Backend{Service: name}, Weight: weight}
	}
	halves := to(share("a", 1), share("b", 1))
	halves.Draw = []table.Share{share("a", 50), share("b", 50)}
	after := &table.Table{Options: tabletest.Rendered(), Hosts: []table.Host{{Domains: []string{"*"}}}}
	for i := range 2 * keptTail {
		path := table.Path{Kind: table.PathPrefix, Value: fmt.Sprintf("/%d/", i)}
		after.Hosts[0].Rules = append(after.Hosts[0].Rules, table.Rule{Path: path, Outcome: halves})
	}
	last := table.Rule{Path: table.Path{Kind: table.PathPrefix, Value: "/"}, Outcome: to(share("c", 1))}
	after.Hosts[0].Rules = append(after.Hosts[0].Rules, last)
	before := tabletest.Clone(after)
	half := table.Rule{Path: last.Path, Outcome: to(share("a", 1)), Chance: &table.Chance{Numerator: 50, Denominator: 100}}
	before.Hosts[0].Rules = append([]table.Rule{half}, before.Hosts[0].Rules...)
	before.Seal()
	after.Seal()
	result, err := Compare(context.Background(), before, after, Limits{})
	if err != nil || len(result.Classes) != 1 || len(result.Undecided) > 0 {
		t.Fatalf("%v: %+v", err, result)
	}
	for path, want := range map[string]bool{"/0/x": false, "/63/x": false, "/64/x": true, "/": true} {
		r := table.Request{Method: "GET", Host: "h", Path: path}
		changed := before.Evaluate(r).Outcome.Key() != after.Evaluate(r).Outcome.Key()
		if in := result.Classes[0].Contains(r); changed != want || in != want {
			t.Errorf("%s: changed %v, in the class %v, want %v", path, changed, in, want)
		}
	}
}
