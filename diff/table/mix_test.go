package table_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/diff/table"
)

// drawnBy is the choice of one number among the rules of a chain, as Envoy makes it.
func drawnBy(number uint64, stages []table.Stage, last table.Outcome) string {
	for _, s := range stages {
		if number%uint64(s.Chance.Denominator) < uint64(s.Chance.Numerator) {
			return drawnShare(number, s.Outcome)
		}
	}
	return drawnShare(number, last)
}

func drawnShare(number uint64, o table.Outcome) string {
	drawn, total := o.Draw, uint64(0)
	if drawn == nil {
		drawn = o.Backends
	}
	for _, s := range drawn {
		total += s.Weight
	}
	if total == 0 {
		return o.String()
	}
	at := number % total
	for _, s := range drawn {
		if at < s.Weight {
			return s.Backend.String()
		}
		at -= s.Weight
	}
	panic("unreachable")
}

// parts are the places of a mixed outcome with their weights.
func parts(o table.Outcome) map[string]uint64 {
	out := map[string]uint64{}
	switch o.Kind {
	case table.Mixed:
		for _, p := range o.Parts {
			out[p.Outcome.String()] += p.Weight
		}
	case table.ToBackends:
		for _, s := range o.Backends {
			out[s.Backend.String()] += s.Weight
		}
	default:
		out[o.String()] = 1
	}
	return out
}

// TestLemma7 draws every number below the least common multiple of all that it is divided by.
func TestLemma7(t *testing.T) {
	forms := map[table.OutcomeKind]int{}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 5))
		numbers := uint64(1)
		var stages []table.Stage
		for range 1 + r.IntN(3) {
			c := randomChance(r)
			o := randomDraw(r)
			stages = append(stages, table.Stage{Chance: c, Outcome: o})
			numbers = multiple(multiple(numbers, uint64(c.Denominator)), drawTotal(o))
		}
		last := randomDraw(r)
		numbers = multiple(numbers, drawTotal(last))
		if numbers > 100_000 {
			continue
		}
		counted := map[string]uint64{}
		for number := range numbers {
			counted[drawnBy(number, stages, last)]++
		}
		mixed := table.Mix(stages, last)
		forms[mixed.Kind]++
		stated, total := parts(mixed), uint64(0)
		for _, n := range stated {
			total += n
		}
		for place, n := range counted {
			if n*total != stated[place]*numbers {
				t.Errorf("seed %d: %s gets %d of %d, stated are %d of %d (%s)", seed, place, n, numbers, stated[place], total, mixed)
			}
		}
		if len(counted) != len(stated) {
			t.Errorf("seed %d: %v are stated as %v", seed, counted, stated)
		}
	}
	if forms[table.Mixed] == 0 || forms[table.ToBackends] == 0 || forms[table.Redirected] == 0 {
		t.Errorf("forms: %v", forms)
	}
}

func randomChance(r *rand.Rand) table.Chance {
	d := []uint32{100, 100, 10_000}[r.IntN(3)]
	return table.Chance{Numerator: []uint32{0, 1, 5, d / 2, d * 3 / 10, r.Uint32N(d), d - 1}[r.IntN(7)], Denominator: d}
}

// randomDraw is an outcome whose order of drawing is not that of its shares.
func randomDraw(r *rand.Rand) table.Outcome {
	if r.IntN(4) == 0 {
		return table.Outcome{Kind: table.Redirected, Status: 301, Location: "/moved"}
	}
	names := []string{"a", "b", "c", "d"}
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	o := table.Outcome{Kind: table.ToBackends}
	for _, name := range names[:1+r.IntN(3)] {
		o.Draw = append(o.Draw, weighing(name, 1+r.Uint64N(9)))
	}
	if r.IntN(3) == 0 {
		o.Draw = []table.Share{weighing("a", 30), weighing("b", 70)}
	}
	o.Backends, o.Total = slices.Clone(o.Draw), drawTotal(o)
	return o
}

func weighing(name string, weight uint64) table.Share {
	return table.Share{Backend: table.Backend{Cluster: name}, Weight: weight}
}

func drawTotal(o table.Outcome) (total uint64) {
	for _, s := range o.Draw {
		total += s.Weight
	}
	return max(total, 1)
}

func multiple(a, b uint64) uint64 {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x * b
}

func to(name string, treatment ...table.Treatment) table.Outcome {
	return table.Outcome{Kind: table.ToBackends, Backends: []table.Share{weighing(name, 1)}, Total: 1, Treatment: treatment}
}

func percent(n uint32) table.Chance { return table.Chance{Numerator: n, Denominator: 100} }

// TestMixWritesOneForm: a distribution has one form and so one key, from whatever rules it comes.
func TestMixWritesOneForm(t *testing.T) {
	fast, slow := table.Treatment{Name: "timeout", Value: "1s"}, table.Treatment{Name: "timeout", Value: "15s"}
	mirror := table.Treatment{Name: "mirror", Value: "all"}
	half := table.Outcome{Kind: table.ToBackends, Backends: []table.Share{weighing("a", 1), weighing("b", 1)}, Total: 2, Treatment: []table.Treatment{slow}}
	drawn := half
	drawn.Draw = []table.Share{weighing("a", 50), weighing("b", 50)}
	redirect := table.Outcome{Kind: table.Redirected, Status: 301, Location: "/"}
	for _, tt := range []struct {
		name      string
		one, same table.Outcome
	}{
		{"as weights", table.Mix([]table.Stage{{percent(50), to("a", slow)}}, to("b", slow)), half},
		{"another order", table.Mix([]table.Stage{{percent(50), to("b", slow)}}, to("a", slow)), half},
		{"weights behind half", table.Mix([]table.Stage{{percent(50), to("c")}}, drawn), table.Mix([]table.Stage{{percent(50), to("c")}}, to("b", slow))},
		{"a chance that takes nothing", table.Mix([]table.Stage{{percent(30), to("a")}, {percent(30), to("b")}}, to("c")), table.Mix([]table.Stage{{percent(30), to("a")}}, to("c"))},
		{"the same on both ways", table.Mix([]table.Stage{{percent(30), to("a", slow)}}, to("a", slow)), to("a", slow)},
		{
			"parts in another order", table.Mix([]table.Stage{{percent(20), redirect}, {percent(60), to("a")}}, to("b")),
			table.Mix([]table.Stage{{percent(40), to("b")}, {percent(60), redirect}}, to("a")),
		},
		{
			"treatment of a share", table.Mix([]table.Stage{{percent(20), to("a", mirror, slow)}}, to("b", mirror, fast)),
			table.Outcome{Kind: table.ToBackends, Total: 5, Treatment: []table.Treatment{mirror}, Backends: []table.Share{
				{Backend: table.Backend{Cluster: "b"}, Weight: 4, Treatment: []table.Treatment{fast}},
				{Backend: table.Backend{Cluster: "a"}, Weight: 1, Treatment: []table.Treatment{slow}},
			}},
		},
	} {
		if tt.one.Key() != tt.same.Key() || !table.SameBackends(tt.one, tt.same) {
			t.Errorf("%s: %+v and %+v", tt.name, tt.one, tt.same)
		}
	}
}

func TestMixTellsApart(t *testing.T) {
	redirect := table.Outcome{Kind: table.Redirected, Status: 301, Location: "/"}
	slow := table.Treatment{Name: "timeout", Value: "15s"}
	mixed := table.Mix([]table.Stage{{percent(10), redirect}}, to("a"))
	if text := mixed.String(); text != "90% a, 10% 301 /" {
		t.Error(text)
	}
	more := table.Mix([]table.Stage{{percent(11), redirect}}, to("a"))
	slower := table.Mix([]table.Stage{{percent(10), redirect}}, to("a", slow))
	overridden := percent(10)
	overridden.RuntimeKey = "canary"
	if mixed.Key() == more.Key() || table.SameBackends(mixed, more) {
		t.Error("a share of 11% is one of 10%")
	}
	if mixed.Key() == slower.Key() || !table.SameBackends(mixed, slower) {
		t.Error("a timeout of a part is no treatment")
	}
	if other := table.Mix([]table.Stage{{overridden, redirect}}, to("a")); other.Key() == mixed.Key() || !table.SameBackends(mixed, other) {
		t.Error("a runtime key is no treatment")
	}
}

// TestMixOfTotalsWithoutCommonDivisor: weights that need more than 64 bits still have a form, and one.
func TestMixOfTotalsWithoutCommonDivisor(t *testing.T) {
	var stages []table.Stage
	for i, total := range []uint64{4294967291, 4294967279, 4294967231} { // primes
		o := table.Outcome{Kind: table.ToBackends, Draw: []table.Share{weighing(fmt.Sprint("a", i), 1), weighing("b", total-1)}}
		o.Backends, o.Total = o.Draw, total
		stages = append(stages, table.Stage{Chance: table.Chance{Numerator: uint32(1+i) * 1000, Denominator: 1_000_000}, Outcome: o})
	}
	mixed := table.Mix(stages, to("c"))
	if mixed.Kind != table.ToBackends || len(mixed.Backends) != 5 || !strings.Contains(mixed.String(), "99.7% c") {
		t.Errorf("%s", mixed)
	}
	if again := table.Mix(stages, to("c")); again.Key() != mixed.Key() {
		t.Error("another key")
	}
}
