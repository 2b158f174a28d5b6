package class_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
)

// TestLemma6: a rule that is reported dead wins no request near the literals, one that is not reported wins
// its witness, and what a covered rule matches its coverers match.
func TestLemma6(t *testing.T) {
	counts := map[string]int{}
	for i := range *pairs {
		s := *seed + uint64(i)
		t.Run(fmt.Sprint("seed=", s), func(t *testing.T) {
			r := rand.New(rand.NewPCG(s, 19))
			options := tabletest.Rendered()
			if r.IntN(3) == 0 {
				options = tabletest.RandomOptions(r)
			}
			tab := withChances(r, tabletest.RandomTable(r, options))
			requests := tabletest.Requests(r, requestsPerPair, tab)
			checkDead(t, new(class.LivenessCache), tab, requests, counts)
			checkDead(t, class.SplittingCache(), tab, requests, map[string]int{})
		})
	}
	t.Logf("%v", counts)
	for _, want := range []string{"alive", string(class.DeadCovered), string(class.DeadPath), string(class.DeadConditions), "won"} {
		if counts[want] == 0 {
			t.Errorf("the tables show nothing of %q: %v", want, counts)
		}
	}
}

// withChances gives a part of the rules a chance, in one table of four.
func withChances(r *rand.Rand, t *table.Table) *table.Table {
	if r.IntN(4) > 0 {
		return t
	}
	for h := range t.Hosts {
		for i := range t.Hosts[h].Rules {
			if r.IntN(3) == 0 {
				chances := []table.Chance{{Numerator: 50, Denominator: 100}, {Numerator: 20, Denominator: 100}, {Denominator: 100}, {Numerator: 9_999, Denominator: 10_000}, {Numerator: 500_050, Denominator: 1_000_000}}
				t.Hosts[h].Rules[i].Chance = &chances[r.IntN(len(chances))]
			}
		}
	}
	t.Seal()
	return t
}

// takesRest tells whether the last rule of a decision gets a part of the requests behind those with a chance: whether some
// number is drawn that none of them takes.
func takesRest(tab *table.Table, d table.Decision) bool {
	for drawn := range uint32(1_000_000) {
		taken := slices.ContainsFunc(d.Chances, func(i int) bool {
			c := tab.Hosts[d.Host].Rules[i].Chance
			return drawn%c.Denominator < c.Numerator
		})
		if !taken {
			return true
		}
	}
	return false
}

func checkDead(t *testing.T, cache *class.LivenessCache, tab *table.Table, requests []table.Request, counts map[string]int) {
	t.Helper()
	found, err := cache.Dead(context.Background(), tab, class.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if found.Undecided != "" {
		t.Errorf("undecided: %s", found.Undecided)
	}
	for _, u := range found.Unsure {
		t.Errorf("rule %v: not known: %s", u.RuleRef, u.Reason)
	}
	dead := map[class.RuleRef]class.DeadRule{}
	for _, d := range found.Dead {
		dead[d.RuleRef] = d
		counts[string(d.Reason)]++
	}
	evaluator := table.Compile(tab)
	checkWitnesses(t, tab, evaluator, found, dead, counts)
	for _, request := range requests {
		decided := evaluator.Evaluate(request)
		if decided.Rule < 0 {
			continue
		}
		counts["won"]++
		if d, is := dead[class.RuleRef{Host: decided.Host, Rule: decided.Rule}]; is && takesRest(tab, decided) {
			t.Errorf("%+v is won by a rule that is said to be dead: %+v", request, d)
		}
	}
	checkDeadCoverers(t, tab, evaluator, dead, requests)
}

// checkWitnesses puts the witness of every living rule and the example of every dead one to the evaluator.
func checkWitnesses(t *testing.T, tab *table.Table, evaluator *table.Evaluator, found *class.Liveness, dead map[class.RuleRef]class.DeadRule, counts map[string]int) {
	t.Helper()
	for h := range tab.Hosts {
		for i := range tab.Hosts[h].Rules {
			ref := class.RuleRef{Host: h, Rule: i}
			d, isDead := dead[ref]
			witness, alive := found.Witness(ref)
			if alive == isDead {
				t.Errorf("rule %v: dead %v, alive %v", ref, isDead, alive)
			}
			if alive {
				counts["alive"]++
				if decided := evaluator.Evaluate(witness); decided.Host != h || decided.Rule != i && !slices.Contains(decided.Chances, i) {
					t.Errorf("rule %v does not win its witness %+v, but %+v does", ref, witness, decided)
				}
			}
			if isDead && d.Reason == class.DeadCovered {
				checkExample(t, tab, evaluator, d)
			}
		}
	}
}

func checkExample(t *testing.T, tab *table.Table, evaluator *table.Evaluator, d class.DeadRule) {
	t.Helper()
	if d.Example == nil && ruleAt(tab, d.RuleRef).Chance != nil {
		return // several chances together cover it
	}
	if d.Example == nil || len(d.Coverers) == 0 {
		t.Errorf("nothing is said to cover %+v", d)
		return
	}
	decided := evaluator.Evaluate(*d.Example)
	arrived, ok := evaluator.Arrive(*d.Example)
	if !ok || decided.Host != d.Host || decided.Rule < 0 || decided.Rule >= d.Rule || !evaluator.Matches(&tab.Hosts[d.Host].Rules[d.Rule], &arrived) {
		t.Errorf("%+v is no example of a request that %+v matches and another rule wins: %+v", *d.Example, d, decided)
	}
}

// checkDeadCoverers: what a covered rule matches, one of its coverers matches, which stand ahead of it.
func checkDeadCoverers(t *testing.T, tab *table.Table, evaluator *table.Evaluator, dead map[class.RuleRef]class.DeadRule, requests []table.Request) {
	t.Helper()
	for _, request := range requests {
		decided := evaluator.Evaluate(request)
		arrived, ok := evaluator.Arrive(request)
		if !ok || decided.Host < 0 {
			continue
		}
		rules := tab.Hosts[decided.Host].Rules
		for i := range rules {
			d, isDead := dead[class.RuleRef{Host: decided.Host, Rule: i}]
			if !isDead || !evaluator.Matches(&rules[i], &arrived) {
				continue
			}
			if rules[i].Chance != nil && len(d.Coverers) == 0 {
				continue // several chances together cover it, or it has none
			}
			covered := slices.ContainsFunc(d.Coverers, func(by class.RuleRef) bool {
				return by.Rule < i && evaluator.Matches(&rules[by.Rule], &arrived)
			})
			if !covered {
				t.Errorf("%+v: rule matches, but none of what is said to cover it: %+v", request, d)
			}
		}
	}
}

// TestDeadCache: equal virtual hosts are looked at once, and another answer for one does not touch the others.
func TestDeadCache(t *testing.T) {
	before := hosts(t, "host a.example\nexact /x -> web\nprefix / -> web\nexact /y -> api\nhost b.example\nprefix / -> web")
	after := tabletest.Clone(before)
	after.Hosts[1].Rules = append(after.Hosts[1].Rules, before.Hosts[0].Rules[0])
	after.Seal()
	var cache class.LivenessCache
	for _, c := range []struct {
		table *table.Table
		want  []class.RuleRef
	}{
		{before, []class.RuleRef{{Host: 0, Rule: 2}}},
		{after, []class.RuleRef{{Host: 0, Rule: 2}, {Host: 1, Rule: 1}}},
		{before, []class.RuleRef{{Host: 0, Rule: 2}}},
	} {
		found, err := cache.Dead(context.Background(), c.table, class.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var got []class.RuleRef
		for _, d := range found.Dead {
			got = append(got, d.RuleRef)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("dead: %v, want %v", got, c.want)
		}
	}
}

// TestDeadEnds: where budgets end the search the rule is not decided, and never dead.
func TestDeadEnds(t *testing.T) {
	tab := hosts(t, `host a.example
regex .*a.{18} -> web
regex .*b.{18} -> api
prefix /x -> web`)
	found, err := class.Dead(context.Background(), tab, class.Limits{States: 100, Product: 100})
	if err != nil || len(found.Dead) > 0 {
		t.Errorf("%v, dead: %v", err, found.Dead)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := class.Dead(ctx, tab, class.Limits{}); err == nil {
		t.Error("an ended context is no error")
	}
}

// BenchmarkDead looks for dead rules in a whole table, and again in one of which one virtual host has changed.
func BenchmarkDead(b *testing.B) {
	for _, shape := range tabletest.Shapes {
		for _, rules := range []int{10_000, 100_000} {
			t := tabletest.Shaped(shape, rules)
			b.Run(fmt.Sprintf("%s/%d/all", shape, rules), func(b *testing.B) {
				reportProcessorTime(b, func(int) { benchmarkDead(b, new(class.LivenessCache), t) })
			})
			if len(t.Hosts) == 1 {
				continue
			}
			var cache class.LivenessCache
			benchmarkDead(b, &cache, t)
			b.Run(fmt.Sprintf("%s/%d/one-changed", shape, rules), func(b *testing.B) {
				const variants = 16
				var changed [variants]*table.Table
				for i := range changed {
					changed[i] = tabletest.Clone(t)
					host := &changed[i].Hosts[i]
					host.Rules = host.Rules[1:]
					changed[i].Seal()
				}
				reportProcessorTime(b, func(round int) { benchmarkDead(b, &cache, changed[round%variants]) })
			})
		}
	}
}

func benchmarkDead(b *testing.B, cache *class.LivenessCache, t *table.Table) {
	found, err := cache.Dead(context.Background(), t, class.Limits{})
	if err != nil || found.Undecided != "" || len(found.Unsure) > 0 {
		b.Fatalf("%v, %+v", err, found)
	}
	b.ReportMetric(float64(len(found.Dead)), "dead")
}
