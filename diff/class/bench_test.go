package class_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
)

// The shapes in which route configurations grow.
var shapes = []struct {
	name string
	make func(rules int) *table.Table
}{
	{"hosts", hostsShape},
	{"one", oneShape},
	{"tenant", tenantShape},
}

func backend(name string) table.Outcome {
	return table.Outcome{
		Kind: table.ToBackends, Total: 1,
		Backends: []table.Share{{Backend: table.Backend{Namespace: "shop", Service: name, Port: 80}, Weight: 1}},
	}
}

// hostsShape has 50 rules for each host.
func hostsShape(rules int) *table.Table {
	t := &table.Table{Options: tabletest.Rendered()}
	for h := 0; h*50 < rules; h++ {
		host := table.Host{Domains: []string{fmt.Sprintf("host%d.example", h)}}
		for i := range 49 {
			host.Rules = append(host.Rules, shapedRule(i))
		}
		t.Hosts = append(t.Hosts, table.Host{Domains: host.Domains, Rules: append(host.Rules, catchAll())})
	}
	t.Seal()
	return t
}

// oneShape has all rules in one virtual host, in the order of the Gateway API: exact paths, then prefixes.
func oneShape(rules int) *table.Table {
	host := table.Host{Domains: []string{"*"}}
	for i := range rules - 1 {
		host.Rules = append(host.Rules, shapedRule(i))
	}
	rank := map[table.PathKind]int{table.PathExact: 0, table.PathRegex: 1, table.PathSegments: 2, table.PathPrefix: 2}
	slices.SortStableFunc(host.Rules, func(a, b table.Rule) int { return rank[a.Path.Kind] - rank[b.Path.Kind] })
	host.Rules = append(host.Rules, catchAll())
	t := &table.Table{Options: tabletest.Rendered(), Hosts: []table.Host{host}}
	t.Seal()
	return t
}

// shapedRule is the i-th rule of a virtual host: 60% on segments, 30% exact, 10% regular expressions, a third with a
// condition.
func shapedRule(i int) table.Rule {
	path := fmt.Sprintf("/team%d/service%d", i%97, i)
	r := table.Rule{Path: table.Path{Kind: table.PathSegments, Value: path}, Outcome: backend(fmt.Sprint("service", i))}
	switch i % 10 {
	case 0, 1, 2:
		r.Path.Kind = table.PathExact
	case 3:
		r.Path = table.Path{Kind: table.PathRegex, Value: path + `/v[0-9]+/items(/.*)?`}
	}
	switch i % 6 {
	case 1:
		r.Predicates = []table.Predicate{{Source: table.Method, Test: table.Exact, Value: "POST"}}
	case 4:
		r.Predicates = []table.Predicate{{Source: table.Header, Name: "x-env", Test: table.Exact, Value: "canary"}}
	}
	return r
}

// tenantShape has 100 rules with a header for each path.
func tenantShape(rules int) *table.Table {
	host := table.Host{Domains: []string{"api.example"}}
	for p := 0; p*100 < rules; p++ {
		path := table.Path{Kind: table.PathSegments, Value: fmt.Sprintf("/service%d", p)}
		for i := range 99 {
			host.Rules = append(host.Rules, table.Rule{
				Path:       path,
				Predicates: []table.Predicate{{Source: table.Header, Name: "x-tenant", Test: table.Exact, Value: fmt.Sprint("t", i)}},
				Outcome:    backend(fmt.Sprintf("service%d-t%d", p, i)),
			})
		}
		host.Rules = append(host.Rules, table.Rule{Path: path, Outcome: backend(fmt.Sprint("service", p))})
	}
	t := &table.Table{Options: tabletest.Rendered(), Hosts: []table.Host{host}}
	t.Seal()
	return t
}

func catchAll() table.Rule {
	return table.Rule{Path: table.Path{Kind: table.PathPrefix, Value: "/"}, Outcome: backend("web")}
}

// benchmarkEdits are one edit each, of the last virtual host.
var benchmarkEdits = []struct {
	name string
	edit func(h *table.Host)
}{
	{"none", func(*table.Host) {}},
	{"backend", func(h *table.Host) { h.Rules[len(h.Rules)/2].Outcome = backend("elsewhere") }},
	{"delete", func(h *table.Host) { h.Rules = slices.Delete(h.Rules, len(h.Rules)/2, len(h.Rules)/2+1) }},
	{"canary", func(h *table.Host) {
		r := table.Rule{
			Path: h.Rules[len(h.Rules)/2].Path, Outcome: backend("canary"),
			Predicates: []table.Predicate{{Source: table.Header, Name: "x-version", Test: table.Exact, Value: "2"}},
		}
		h.Rules = slices.Insert(h.Rules, 0, r)
	}},
	{"catch-all", func(h *table.Host) { h.Rules[len(h.Rules)-1].Outcome = backend("elsewhere") }},
	{"regex on top", func(h *table.Host) {
		r := table.Rule{Path: table.Path{Kind: table.PathRegex, Value: `.*/admin(/.*)?`}, Outcome: backend("admin")}
		h.Rules = slices.Insert(h.Rules, 0, r)
	}},
	{"header on top", func(h *table.Host) {
		r := catchAll()
		r.Outcome = backend("canary")
		r.Predicates = []table.Predicate{{Source: table.Header, Name: "x-version", Test: table.Exact, Value: "2"}}
		h.Rules = slices.Insert(h.Rules, 0, r)
	}},
}

func BenchmarkCompare(b *testing.B) {
	for _, shape := range shapes {
		for _, rules := range []int{1_000, 10_000} {
			before := shape.make(rules)
			for _, e := range benchmarkEdits {
				after := tabletest.Clone(before)
				e.edit(&after.Hosts[len(after.Hosts)-1])
				after.Seal()
				b.Run(fmt.Sprintf("%s/%d/%s", shape.name, rules, e.name), func(b *testing.B) {
					for b.Loop() {
						benchmarkCompare(b, before, after, e.name != "none")
					}
				})
			}
		}
	}
}

func benchmarkCompare(b *testing.B, before, after *table.Table, changes bool) {
	result, err := class.Compare(context.Background(), before, after, class.Limits{})
	if err != nil || len(result.Undecided) > 0 || (len(result.Classes) > 0) != changes {
		b.Fatalf("%d classes, undecided %+v, %v", len(result.Classes), result.Undecided, err)
	}
}
