package tabletest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/table"
)

// Shapes are the forms in which route configurations grow: 50 rules for each of many hosts, all rules in one virtual host in
// the order of the Gateway API, and for few paths 100 rules each with another value of a header.
var Shapes = []string{"hosts", "one", "tenant"}

// Shaped is a sealed table of about so many rules. The same arguments give the same table.
func Shaped(shape string, rules int) *table.Table {
	r := rand.New(rand.NewPCG(1, uint64(rules)))
	t := &table.Table{Options: Rendered()}
	switch shape {
	case "hosts":
		for h := range max(1, rules/50) {
			domain := fmt.Sprintf("host%d.example", h)
			if h%10 == 0 {
				domain = "*." + domain
			}
			t.Hosts = append(t.Hosts, table.Host{Name: domain, Domains: []string{domain}, Rules: shapedRules(r, min(50, rules))})
		}
	case "tenant":
		t.Hosts = []table.Host{{Name: "all", Domains: []string{"*"}, Rules: tenantRules(rules)}}
	default:
		t.Hosts = []table.Host{{Name: "all", Domains: []string{"*"}, Rules: shapedRules(r, rules)}}
	}
	for h := range t.Hosts {
		t.Hosts[h].Rules = inOrder(t.Hosts[h].Rules)
	}
	number(t)
	return t
}

// inOrder copies rules so that they lie in memory as those of a reader do: one after the other.
func inOrder(rules []table.Rule) []table.Rule {
	rules = slices.Clone(rules)
	for i := range rules {
		rule := &rules[i]
		rule.Path.Value = strings.Clone(rule.Path.Value)
		rule.Predicates = slices.Clone(rule.Predicates)
		rule.Outcome.Backends = slices.Clone(rule.Outcome.Backends)
		for s := range rule.Outcome.Backends {
			backend := &rule.Outcome.Backends[s].Backend
			backend.Service = strings.Clone(backend.Service)
		}
	}
	return rules
}

// shapedRules are 55% on segments, 25% exact, 10% on prefixes and 10% regular expressions, three of these without a literal
// to begin with; a third have conditions, one in twenty a split of weights. The last takes everything.
func shapedRules(r *rand.Rand, n int) []table.Rule {
	rules := make([]table.Rule, n-1)
	for i := range rules {
		rules[i] = shapedRule(r, n)
	}
	for i, pattern := range []string{`.*\.(png|jpg|css|js)`, `/[^/]+/healthz`, `.*/\.well-known/.*`} {
		rules[i%len(rules)].Path = table.Path{Kind: table.PathRegex, Value: pattern}
	}
	rank := map[table.PathKind]int{table.PathExact: 0, table.PathRegex: 1, table.PathSegments: 2, table.PathPrefix: 2}
	slices.SortStableFunc(rules, func(a, b table.Rule) int {
		return cmp.Or(
			cmp.Compare(rank[a.Path.Kind], rank[b.Path.Kind]),
			cmp.Compare(len(b.Path.Value), len(a.Path.Value)),
			cmp.Compare(a.Path.Value, b.Path.Value),
			cmp.Compare(len(b.Predicates), len(a.Predicates)),
		)
	})
	return append(rules, table.Rule{Path: table.Path{Kind: table.PathPrefix, Value: "/"}, Outcome: toService("web")})
}

func shapedRule(r *rand.Rand, n int) table.Rule {
	path := fmt.Sprintf("/team-%d", r.IntN(n/200+3))
	if !chance(r, 8) {
		path += fmt.Sprintf("/svc-%d", r.IntN(40))
		if !chance(r, 3) {
			path += fmt.Sprintf("/res-%d", r.IntN(30))
		}
	}
	rule := table.Rule{Outcome: toService(fmt.Sprint("service", r.IntN(n/4+2)))}
	switch x := r.IntN(100); {
	case x < 55:
		rule.Path = table.Path{Kind: table.PathSegments, Value: path}
	case x < 80:
		rule.Path = table.Path{Kind: table.PathExact, Value: path + fmt.Sprintf("/x%d", r.IntN(20))}
	case x < 90:
		rule.Path = table.Path{Kind: table.PathPrefix, Value: path + "/"}
	default:
		below := pick(r, `/v[0-9]+/users/[^/]+`, `/(orders|carts)/.*`, `/items/\d+(/.*)?`, `/[a-z]{2}(-[A-Z]{2})?/.*`)
		rule.Path = table.Path{Kind: table.PathRegex, Value: path + below}
	}
	if r.IntN(100) < 35 {
		rule.Predicates = shapedPredicates(r)
	}
	if chance(r, 20) {
		stable, canary := rule.Outcome.Backends[0], toService("canary").Backends[0]
		stable.Weight = 9
		rule.Outcome.Total, rule.Outcome.Backends = 10, []table.Share{stable, canary}
	}
	return rule
}

func shapedPredicates(r *rand.Rand) []table.Predicate {
	predicates := []table.Predicate{
		{Source: table.Method, Test: table.Exact, Value: pick(r, "GET", "POST", "PUT", "DELETE")},
		{Source: table.Header, Name: "x-env", Test: table.Exact, Value: pick(r, "canary", "beta", "staging"), Invert: chance(r, 10)},
		{Source: table.Header, Name: "x-tenant", Test: pick(r, table.Exact, table.Prefix, table.Regex), Value: fmt.Sprint("t", r.IntN(50))},
		{Source: table.Query, Name: "v", Test: table.Exact, Value: "2"},
	}
	r.Shuffle(len(predicates), func(i, j int) { predicates[i], predicates[j] = predicates[j], predicates[i] })
	predicates = predicates[:1+r.IntN(2)]
	slices.SortFunc(predicates, func(a, b table.Predicate) int {
		return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Name, b.Name))
	})
	return predicates
}

// tenantRules are for each path 99 rules with a value of one header and one for all other requests.
func tenantRules(n int) []table.Rule {
	var rules []table.Rule
	for p := range n / 100 {
		path := table.Path{Kind: table.PathSegments, Value: fmt.Sprintf("/svc-%d", p)}
		for i := range 99 {
			tenant := table.Predicate{Source: table.Header, Name: "x-tenant", Test: table.Exact, Value: fmt.Sprint("t", i)}
			rules = append(rules, table.Rule{
				Path: path, Predicates: []table.Predicate{tenant}, Outcome: toService(fmt.Sprintf("svc-%d-t%d", p, i)),
			})
		}
		rules = append(rules, table.Rule{Path: path, Outcome: toService(fmt.Sprintf("svc-%d", p))})
	}
	return rules
}

func toService(name string) table.Outcome {
	return table.Outcome{
		Kind: table.ToBackends, Total: 1,
		Backends: []table.Share{{Backend: table.Backend{Namespace: "shop", Service: name, Port: 80}, Weight: 1}},
	}
}
