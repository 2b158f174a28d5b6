package class_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
)

// TestLemma6: a rule that is reported dead wins no request near the literals, one that is not reported wins
// its witness, and what a covered rule takes its coverers take.
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

// gets tells whether a rule gets a part of the requests that are decided so: whether some number is drawn of which it is the
// first to take the request.
func gets(tab *table.Table, d table.Decision, rule int) bool {
	if len(d.Chances) == 0 {
		return d.Rule == rule
	}
	for drawn := range uint32(1_000_000) {
		first := d.Rule
		for _, i := range d.Chances {
			if c := tab.Hosts[d.Host].Rules[i].Chance; drawn%c.Denominator < c.Numerator {
				first = i
				break
			}
		}
		if first == rule {
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
		if d, is := dead[class.RuleRef{Host: decided.Host, Rule: decided.Rule}]; is && gets(tab, decided, decided.Rule) {
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
				if decided := evaluator.Evaluate(witness); decided.Host != h || !gets(tab, decided, i) {
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
	if d.Example == nil || len(d.Coverers) == 0 {
		t.Errorf("nothing is said to cover %+v", d)
		return
	}
	decided := evaluator.Evaluate(*d.Example)
	arrived, ok := evaluator.Arrive(*d.Example)
	if !ok || decided.Host != d.Host || decided.Rule < 0 && len(decided.Chances) == 0 || gets(tab, decided, d.Rule) || !evaluator.Matches(&tab.Hosts[d.Host].Rules[d.Rule], &arrived) {
		t.Errorf("%+v is no example of a request that %+v matches and another rule wins: %+v", *d.Example, d, decided)
	}
}

// checkDeadCoverers: what a covered rule takes, one of its coverers takes, which stand ahead of it.
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
			if d.Reason == class.DeadChance {
				continue
			}
			var matching []*table.Rule
			for _, by := range d.Coverers {
				if by.Rule < i && evaluator.Matches(&rules[by.Rule], &arrived) {
					matching = append(matching, &rules[by.Rule])
				}
			}
			if !takeAll(matching, &rules[i]) {
				t.Errorf("%+v: rule matches, but none of what is said to cover it: %+v", request, d)
			}
		}
	}
}

// takeAll tells whether for each number that may be drawn one of the rules takes what another one takes.
func takeAll(rules []*table.Rule, other *table.Rule) bool {
	takes := func(r *table.Rule, drawn uint32) bool {
		return r.Chance == nil || drawn%r.Chance.Denominator < r.Chance.Numerator
	}
	if slices.ContainsFunc(rules, func(r *table.Rule) bool { return r.Chance == nil }) {
		return true
	}
	for drawn := range uint32(1_000_000) {
		if takes(other, drawn) && !slices.ContainsFunc(rules, func(r *table.Rule) bool { return takes(r, drawn) }) {
			return false
		}
	}
	return true
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

// TestDeadReasons: why a rule never wins, and by whose doing.
func TestDeadReasons(t *testing.T) {
	const connect, half, most, tenth, none = "connect", "half", "most", "tenth", "none"
	chances := map[string]table.Chance{
		half: {Numerator: 50, Denominator: 100}, most: {Numerator: 9_950, Denominator: 10_000},
		tenth: {Numerator: 10, Denominator: 100}, none: {Numerator: 0, Denominator: 100},
	}
	type dead struct {
		rule     int
		reason   class.DeadReason
		coverers []int
	}
	for name, test := range map[string]struct {
		text string
		// marks of rules: a chance, or that it is for CONNECT.
		marks  map[int]string
		dead   []dead
		unsure []int
	}{
		"a dead rule covers nothing": {
			text: "regex /foo((/).*)? -> web\nprefix /foo/bar -> api\nprefix /foo/ -> cart",
			dead: []dead{{1, class.DeadCovered, []int{0}}, {2, class.DeadCovered, []int{0}}},
		},
		"a smaller chance is inside a larger one": {
			text: "prefix / -> web\nprefix / -> api\nprefix / -> cart", marks: map[int]string{0: half, 1: tenth},
			dead: []dead{{1, class.DeadCovered, []int{0}}},
		},
		"chances of other denominators": {
			text: "prefix / -> web\nprefix / -> api\nprefix / -> cart", marks: map[int]string{0: most, 1: half},
			dead: []dead{{1, class.DeadCovered, []int{0}}},
		},
		"a chance is no cover": {
			text: "prefix / -> web\nprefix / -> api\nprefix /foo -> cart", marks: map[int]string{0: half},
			dead: []dead{{2, class.DeadCovered, []int{1}}},
		},
		"a chance of 0%":     {text: "prefix / -> web\nprefix / -> api", marks: map[int]string{0: none}, dead: []dead{{0, class.DeadChance, nil}}},
		"a rule for CONNECT": {text: "prefix / -> web\nprefix / -> api", marks: map[int]string{0: connect}, unsure: []int{0}},
	} {
		tab := hosts(t, "host *\n"+test.text)
		rules := tab.Hosts[0].Rules
		for i, mark := range test.marks {
			if c, ok := chances[mark]; ok {
				rules[i].Chance = &c
				continue
			}
			rules[i].Connect, rules[i].Unmodelled = true, []string{"connect_matcher {}"}
			rules[i].Predicates = []table.Predicate{{Source: table.Method, Test: table.Exact, Value: "CONNECT"}}
		}
		tab.Seal()
		found, err := class.Dead(context.Background(), tab, class.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var got []dead
		for _, d := range found.Dead {
			out := dead{d.Rule, d.Reason, nil}
			for _, by := range d.Coverers {
				out.coverers = append(out.coverers, by.Rule)
			}
			got = append(got, out)
		}
		var unsure []int
		for _, u := range found.Unsure {
			unsure = append(unsure, u.Rule)
		}
		if !reflect.DeepEqual(got, test.dead) || !slices.Equal(unsure, test.unsure) {
			t.Errorf("%s: dead %v, want %v; not known %v, want %v", name, got, test.dead, unsure, test.unsure)
		}
	}
}

// TestDeadManyChances: where not every number can be tried, a rule that wins with none of those tried is not called dead.
func TestDeadManyChances(t *testing.T) {
	tab := hosts(t, "host *\n"+strings.Repeat("prefix / -> web\n", 13))
	rules := tab.Hosts[0].Rules
	for i := range rules[:12] {
		rules[i].Chance = &table.Chance{Numerator: uint32(i)*70_301 + 1, Denominator: 1_000_000}
	}
	rules[12].Chance = &table.Chance{Numerator: 900_000, Denominator: 1_000_000}
	tab.Seal()
	found, err := class.Dead(context.Background(), tab, class.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range rules {
		if ref := (class.RuleRef{Rule: i}); !found.Alive(ref) && !slices.ContainsFunc(found.Unsure, func(u class.UnsureRule) bool { return u.RuleRef == ref }) {
			t.Errorf("rule %d wins some numbers and is called dead", i)
		}
	}
}

// BenchmarkDead looks for dead rules in a whole table, and again in one of which one virtual host has changed.
func BenchmarkDead(b *testing.B) {
	for _, shape := range tabletest.Shapes {
		for _, rules := range []int{10_000, 100_000} {
			t := tabletest.Shaped(shape, rules)
			b.Run(fmt.Sprintf("%s/%d/all", shape, rules), func(b *testing.B) {
				tabletest.ReportProcessorTime(b, func(int) { benchmarkDead(b, new(class.LivenessCache), t) })
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
				tabletest.ReportProcessorTime(b, func(round int) { benchmarkDead(b, &cache, changed[round%variants]) })
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
