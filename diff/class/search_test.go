package class

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
)

// TestLemma11 asks random questions over two headers of two values, and compares with all requests.
func TestLemma11(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	evaluator := table.Compile(&table.Table{Options: tabletest.Rendered()})
	requests := allRequests()
	answered := map[bool]int{}
	for range 3000 {
		var rules []table.Rule
		for range 1 + r.IntN(6) {
			rules = append(rules, randomConditions(r))
		}
		sys, err := newSystem(newVariables(context.Background(), tabletest.Rendered(), newPatterns(1000), DefaultLimits), func(yield func(table.Predicate) bool) {
			for _, rule := range rules {
				for _, p := range rule.Predicates {
					if !yield(p) {
						return
					}
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		q := question{conditions: holding(rules[0].Predicates)}
		for _, rule := range rules[1:] {
			q.except = append(q.except, holding(rule.Predicates))
		}
		want := slices.ContainsFunc(requests, func(request table.Request) bool {
			arrived, _ := evaluator.Arrive(request)
			return evaluator.Matches(&rules[0], &arrived) &&
				!slices.ContainsFunc(rules[1:], func(rule table.Rule) bool { return evaluator.Matches(&rule, &arrived) })
		})
		got, err := sys.possible(q)
		if err != nil || got != want {
			t.Fatalf("%+v: %v, %v, want %v", rules, got, err, want)
		}
		answered[got]++
	}
	if answered[true] == 0 || answered[false] == 0 {
		t.Errorf("answers %v show nothing", answered)
	}
}

// allRequests have every set of values of an ordinary header and every value of one with one slot.
func allRequests() []table.Request {
	var out []table.Request
	values := []string{"", "1", "2", "1x", "2x", "x"}
	for set := range 1 << len(values) {
		for slot := range len(values) + 1 {
			r := table.Request{Method: "GET", Host: "h", Path: "/"}
			for i, v := range values {
				if set>>i&1 == 1 {
					r.Headers = append(r.Headers, table.Field{Name: "x-h", Value: v})
				}
			}
			if slot > 0 {
				r.Headers = append(r.Headers, table.Field{Name: "accept", Value: values[slot-1]})
			}
			out = append(out, r)
		}
	}
	return out
}

// randomConditions have tests (present, exact, prefix) of which allRequests shows every combination of results.
func randomConditions(r *rand.Rand) table.Rule {
	var rule table.Rule
	for range 1 + r.IntN(3) {
		p := table.Predicate{Name: []string{"x-h", "accept"}[r.IntN(2)], Test: table.Test(r.IntN(3)), Value: fmt.Sprint(1 + r.IntN(2))}
		if p.Test == table.Present {
			p.Value = ""
		}
		p.Invert, p.MissingAsEmpty = r.IntN(3) == 0, r.IntN(4) == 0
		rule.Predicates = append(rule.Predicates, p)
	}
	return rule
}

func TestSearchBudget(t *testing.T) {
	sys := &system{variables: []*variable{{several: true, absent: true, atoms: []string{"a", "b"}}}, limit: 1}
	all := clause{{mode: anyValue}, {mode: noneAtAll, absent: true}}
	_, _, err := (&search{limit: sys.limit, effort: &effort{ctx: context.Background(), left: 100}}).solve(sys.free(false), []clause{all})
	if !errors.Is(err, errSteps) {
		t.Errorf("a question beyond the budget: %v", err)
	}
}
