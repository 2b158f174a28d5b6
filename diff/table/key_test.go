package table_test

import (
	"math/rand/v2"
	"testing"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
)

func base() table.Rule {
	return table.Rule{
		Name: "r", Path: table.Path{Kind: table.PathExact, Value: "/a"},
		Predicates: []table.Predicate{{Source: table.Header, Name: "x", Test: table.Exact, Value: "1"}},
		Outcome: table.Outcome{
			Kind: table.ToBackends, Total: 10,
			Backends: []table.Share{
				{Backend: table.Backend{Namespace: "n", Service: "s", Port: 80}, Weight: 9},
				{Backend: table.Backend{Cluster: "c"}, Weight: 1},
			},
			Treatment: []table.Treatment{{Name: "timeout", Value: "15s"}},
		},
	}
}

func TestKeysIgnoreNames(t *testing.T) {
	a, b := base(), base()
	b.Name, b.Index, b.Origin = "other", 7, table.Origin{Kind: "HTTPRoute", Name: "n"}
	if a.Key() != b.Key() {
		t.Error("a rename changes the key")
	}
}

func TestKeysSeeEveryChange(t *testing.T) {
	matches := []func(*table.Rule){
		func(r *table.Rule) { r.Path.Kind = table.PathPrefix },
		func(r *table.Rule) { r.Path.Value = "/b" },
		func(r *table.Rule) { r.Path.IgnoreCase = true },
		func(r *table.Rule) { r.Predicates = nil },
		func(r *table.Rule) { r.Predicates[0].Source = table.Query },
		func(r *table.Rule) { r.Predicates[0].Name = "y" },
		func(r *table.Rule) { r.Predicates[0].Test = table.Prefix },
		func(r *table.Rule) { r.Predicates[0].Value = "2" },
		func(r *table.Rule) { r.Predicates[0].IgnoreCase = true },
		func(r *table.Rule) { r.Predicates[0].Invert = true },
		func(r *table.Rule) { r.Predicates[0].MissingAsEmpty = true },
		func(r *table.Rule) { r.Unmodelled = []string{"runtime_fraction 30"} },
	}
	outcomes := []func(*table.Rule){
		func(r *table.Rule) { r.Outcome.Kind = table.NoRoute },
		func(r *table.Rule) { r.Outcome.Status = 500 },
		func(r *table.Rule) { r.Outcome.Location = "/x" },
		func(r *table.Rule) { r.Outcome.Backends[0].Weight = 8 },
		func(r *table.Rule) { r.Outcome.Backends[0].Backend.Kind = "k" },
		func(r *table.Rule) { r.Outcome.Backends[0].Backend.Namespace = "m" },
		func(r *table.Rule) { r.Outcome.Backends[0].Backend.Service = "t" },
		func(r *table.Rule) { r.Outcome.Backends[0].Backend.Port = 81 },
		func(r *table.Rule) { r.Outcome.Backends[1].Backend.Cluster = "d" },
		func(r *table.Rule) { r.Outcome.Backends[1].Backend.Status = 500 },
	}
	treatments := []func(*table.Rule){
		func(r *table.Rule) { r.Outcome.Treatment[0].Name = "t" },
		func(r *table.Rule) { r.Outcome.Treatment[0].Value = "1s" },
		func(r *table.Rule) { r.Outcome.Treatment = nil },
		func(r *table.Rule) { r.Outcome.Backends[1].Treatment = []table.Treatment{{Name: "a", Value: "b"}} },
	}
	plain := base()
	seen := map[string]bool{plain.Key(): true}
	check := func(changes []func(*table.Rule), match, backends bool) {
		for i, change := range changes {
			r := base()
			change(&r)
			if seen[r.Key()] {
				t.Errorf("change %d (match %v, backends %v) has a key that was there before", i, match, backends)
			}
			seen[r.Key()] = true
			if (r.MatchKey() != plain.MatchKey()) != match || table.SameBackends(r.Outcome, plain.Outcome) == backends || (r.OutcomeKey() == plain.OutcomeKey()) != match {
				t.Errorf("change %d: match key changes %v, same backends %v", i, r.MatchKey() != plain.MatchKey(), table.SameBackends(r.Outcome, plain.Outcome))
			}
		}
	}
	check(matches, true, false)
	check(outcomes, false, true)
	check(treatments, false, false)
}

// No route is a 404 without a body, and a client cannot tell it from one that is written.
func TestNoRouteIsA404(t *testing.T) {
	none, answered := table.Outcome{Kind: table.NoRoute}, table.Outcome{Kind: table.Answered, Status: 404}
	if none.Key() != answered.Key() || !table.SameBackends(none, answered) {
		t.Error("they differ")
	}
}

func TestSealedKeysAreTheComputedOnes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	sealed := tabletest.RandomTable(random, tabletest.Rendered())
	for _, host := range sealed.Hosts {
		for _, rule := range host.Rules {
			fresh := table.Rule{Path: rule.Path, Predicates: rule.Predicates, Outcome: rule.Outcome}
			if rule.Key() != fresh.Key() || rule.OutcomeKey() != rule.Outcome.Key() {
				t.Errorf("rule %s", rule.Name)
			}
		}
	}
}
