package class_test

import (
	"context"
	"slices"
	"testing"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
)

// TestEveryEditOfTwoRules: of all tables of two rules of a small pool, and every edit of one rule, each request of a small universe
// changes exactly when it is in one class.
func TestEveryEditOfTwoRules(t *testing.T) {
	pool := smallPool()
	requests := smallUniverse()
	compared, changed := 0, 0
	for i := range pool {
		for j := range pool {
			before := []table.Rule{pool[i], pool[j]}
			for _, after := range everyEdit(before, pool) {
				compared++
				changed += compareSmall(t, before, after, requests)
			}
		}
	}
	t.Logf("%d pairs of tables, %d requests each: %d changed", compared, len(requests), changed)
	if changed == 0 || changed == compared*len(requests) {
		t.Error("the pairs show nothing")
	}
}

// compareSmall checks one pair of lists, and counts the requests that change.
func compareSmall(t *testing.T, before, after []table.Rule, requests []table.Request) (changed int) {
	t.Helper()
	tables := [2]*table.Table{smallTable(before), smallTable(after)}
	result, err := class.Compare(context.Background(), tables[0], tables[1], class.Limits{})
	if err != nil || len(result.Undecided) > 0 {
		t.Fatalf("%v: %s", err, words(result))
	}
	evaluators := [2]*table.Evaluator{table.Compile(tables[0]), table.Compile(tables[1])}
	for _, request := range requests {
		if checkRequest(t, evaluators, result, request) {
			changed++
		}
	}
	if t.Failed() {
		t.Fatalf("between\n%+v\nand\n%+v:\n%s", before, after, words(result))
	}
	return changed
}

func smallTable(rules []table.Rule) *table.Table {
	made := &table.Table{Options: tabletest.Rendered(), Hosts: []table.Host{{Domains: []string{"*"}, Rules: slices.Clone(rules)}}}
	made.Seal()
	return made
}

// smallPool has each kind of path, conditions that cover or cross each other, chances, and weights.
func smallPool() []table.Rule {
	all, a := table.Path{Kind: table.PathPrefix, Value: "/"}, table.Path{Kind: table.PathSegments, Value: "/a"}
	present := table.Predicate{Name: "x", Test: table.Present}
	one := table.Predicate{Name: "x", Test: table.Exact, Value: "1"}
	notOne := one
	notOne.Invert = true
	half := &table.Chance{Numerator: 50, Denominator: 100}
	split := table.Split(share("v1", 50), share("v2", 50))
	return []table.Rule{
		{Path: all, Outcome: backend("web")},
		{Path: all, Predicates: []table.Predicate{present}, Outcome: backend("web")},
		{Path: all, Predicates: []table.Predicate{notOne}, Outcome: backend("orders")},
		{Path: a, Outcome: split},
		{Path: a, Predicates: []table.Predicate{one}, Outcome: backend("orders")},
		{Path: a, Chance: half, Outcome: backend("orders")},
		{Path: all, Predicates: []table.Predicate{present}, Chance: half, Outcome: backend("web")},
		{Path: table.Path{Kind: table.PathExact, Value: "/a"}, Outcome: backend("orders")},
		{Path: table.Path{Kind: table.PathRegex, Value: "/[ab]"}, Outcome: backend("web")},
	}
}

func smallUniverse() []table.Request {
	headers := [][]table.Field{nil, {{Name: "x", Value: "1"}}, {{Name: "x", Value: "2"}}, {{Name: "x", Value: "1"}, {Name: "x", Value: "2"}}}
	var out []table.Request
	for _, path := range []string{"/", "/a", "/a/b", "/ab", "/b"} {
		for _, fields := range headers {
			out = append(out, table.Request{Method: "GET", Scheme: "http", Host: "example.com", Path: path, Headers: fields})
		}
	}
	return out
}

// everyEdit takes away, adds, replaces or swaps rules.
func everyEdit(rules, pool []table.Rule) [][]table.Rule {
	out := [][]table.Rule{{rules[1], rules[0]}}
	for at := range len(rules) + 1 {
		for _, r := range pool {
			out = append(out, slices.Insert(slices.Clone(rules), at, r))
		}
	}
	for at := range rules {
		out = append(out, slices.Delete(slices.Clone(rules), at, at+1))
		for _, r := range pool {
			out = append(out, slices.Concat(rules[:at], []table.Rule{r}, rules[at+1:]))
		}
	}
	return out
}
