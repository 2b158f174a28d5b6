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

// mixed sends one part to a backend and the rest to one redirect, half of which may be handled otherwise.
func mixed(backends uint64, timeout string) table.Outcome {
	redirect := table.Outcome{Kind: table.Redirected, Location: "/x", Treatment: []table.Treatment{{Name: "timeout", Value: timeout}}}
	other := redirect
	other.Treatment = nil
	backend := base().Outcome
	return table.Outcome{Kind: table.Mixed, Total: 2 + backends, Parts: []table.Part{
		{Outcome: backend, Weight: backends}, {Outcome: redirect, Weight: 1}, {Outcome: other, Weight: 1},
	}}
}

func TestTreatmentOfAPartIsNotAChoice(t *testing.T) {
	a, b := mixed(1, "15s"), mixed(1, "1s")
	if a.Key() == b.Key() || !table.SameBackends(a, b) || a.ChoiceKey() != b.ChoiceKey() {
		t.Error("a timeout of one part is not treatment alone")
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
		func(r *table.Rule) { r.Chance = &table.Chance{Numerator: 1, Denominator: 100} },
		func(r *table.Rule) { r.Chance = &table.Chance{Numerator: 1, Denominator: 10_000} },
		func(r *table.Rule) { r.Chance = &table.Chance{Numerator: 1, Denominator: 100, RuntimeKey: "k"} },
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
		func(r *table.Rule) { r.Outcome = mixed(1, "15s") },
		func(r *table.Rule) { r.Outcome = mixed(3, "15s") },
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

func TestDigestsSeeRulesAndDomains(t *testing.T) {
	host := func(domain string, paths ...string) table.Host {
		h := table.Host{Name: domain, Domains: []string{domain}}
		for _, p := range paths {
			h.Rules = append(h.Rules, table.Rule{Path: table.Path{Value: p}})
		}
		return h
	}
	tables := []table.Table{
		{},
		{Hosts: []table.Host{host("a")}},
		{Hosts: []table.Host{host("a", "/x")}},
		{Hosts: []table.Host{host("a", "/x", "/y")}},
		{Hosts: []table.Host{host("a", "/y", "/x")}},
		{Hosts: []table.Host{host("b", "/x", "/y")}},
		{Hosts: []table.Host{host("a", "/x"), host("b", "/y")}},
		{Hosts: []table.Host{host("b", "/y"), host("a", "/x")}},
	}
	seen := map[string]bool{}
	for i := range tables {
		fresh := tables[i].Digest()
		tables[i].Seal()
		if seen[fresh] || tables[i].Digest() != fresh {
			t.Errorf("table %d: not a digest of its own, or another one when sealed", i)
		}
		seen[fresh] = true
	}
	if tables[3].Hosts[0].Digest() != tables[5].Hosts[0].Digest() || tables[3].Hosts[0].Digest() == tables[4].Hosts[0].Digest() {
		t.Error("the digest of a host is not that of its rules in their order")
	}
}
