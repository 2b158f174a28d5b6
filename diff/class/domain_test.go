package class

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
)

// headerOf is a header with all predicates of a few tests, and the sets of values that a request can hold.
func headerOf(t *testing.T, r *rand.Rand) (*variable, []table.Predicate, []table.Request) {
	t.Helper()
	var predicates []table.Predicate
	var tests []test
	for range 1 + r.IntN(3) {
		p := table.Predicate{Name: "x-h", Test: table.Test(r.IntN(3)), Value: fmt.Sprint(1 + r.IntN(2))}
		if p.Test == table.Present {
			p.Value = ""
		} else {
			tests = append(tests, testOf(p))
		}
		for n := range 4 {
			p.Invert, p.MissingAsEmpty = n&1 == 1, n&2 == 2
			predicates = append(predicates, p)
		}
	}
	vs := newVariables(context.Background(), tabletest.Rendered(), newPatterns(1000), DefaultLimits)
	v, err := vs.get(variableKey{table.Header, "x-h"}, tests)
	if err != nil {
		t.Fatal(err)
	}
	var requests []table.Request
	for set := range 1 << len(v.atoms) {
		request := table.Request{Method: "GET", Host: "h", Path: "/"}
		for i, value := range v.atoms {
			if set>>i&1 == 1 {
				request.Headers = append(request.Headers, table.Field{Name: "x-h", Value: value})
			}
		}
		requests = append(requests, request)
	}
	return v, predicates, requests
}

// holdsFor reads a literal.
func holdsFor(l literal, v *variable, request table.Request) bool {
	if len(request.Headers) == 0 {
		return l.absent
	}
	some := false
	for _, f := range request.Headers {
		for i, atom := range v.atoms {
			some = some || l.set != nil && atom == f.Value && l.set.has(i)
		}
	}
	return map[mode]bool{anyValue: true, noneAtAll: false, somePass: some, nonePass: !some}[l.mode]
}

// TestLemma9: a predicate's literal holds where the predicate does, and its negation where it does not.
func TestLemma9(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	evaluator := table.Compile(&table.Table{Options: tabletest.Rendered()})
	for range 200 {
		v, predicates, requests := headerOf(t, r)
		for _, p := range predicates {
			l := literalOf(p, 0, v)
			for _, request := range requests {
				arrived, _ := evaluator.Arrive(request)
				want := evaluator.Matches(&table.Rule{Predicates: []table.Predicate{p}}, &arrived)
				if got, not := holdsFor(l, v, request), holdsFor(l.not(), v, request); got != want || not == want {
					t.Fatalf("%+v of %+v: %v, and its negation %v, want %v", p, request, got, not, want)
				}
			}
		}
	}
}

// TestLemma9OfCookies: a cookie has one value, and one that is not there passes an inverted test.
func TestLemma9OfCookies(t *testing.T) {
	evaluator := table.Compile(&table.Table{Options: tabletest.Rendered()})
	for _, kind := range []table.Test{table.Exact, table.Prefix} {
		p := table.Predicate{Source: table.Cookie, Name: "s", Test: kind, Value: "a"}
		vs := newVariables(context.Background(), tabletest.Rendered(), newPatterns(1000), DefaultLimits)
		v, err := vs.get(variableKey{table.Cookie, "s"}, []test{testOf(p)})
		if err != nil {
			t.Fatal(err)
		}
		for _, p.Invert = range []bool{false, true} {
			l := literalOf(p, 0, v)
			for i := -1; i < len(v.atoms); i++ {
				request, value := table.Request{Method: "GET", Host: "h", Path: "/"}, table.Request{}
				if i >= 0 {
					request.Headers = []table.Field{{Name: "cookie", Value: "s=" + v.atoms[i]}}
					value.Headers = []table.Field{{Value: v.atoms[i]}}
				}
				arrived, _ := evaluator.Arrive(request)
				want := evaluator.Matches(&table.Rule{Predicates: []table.Predicate{p}}, &arrived)
				if got, not := holdsFor(l, v, value), holdsFor(l.not(), v, value); got != want || not == want {
					t.Errorf("%+v of %+v: %v, and its negation %v, want %v", p, request, got, not, want)
				}
			}
		}
	}
}

// TestLemma10: a domain under literals is possible exactly if a request meets them all.
func TestLemma10(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 10))
	answered := map[bool]int{}
	for range 3000 {
		v, predicates, requests := headerOf(t, r)
		d := domain{several: true, absent: true, allowed: v.all()}
		var literals []literal
		for range 1 + r.IntN(4) {
			l := literalOf(predicates[r.IntN(len(predicates))], 0, v)
			literals = append(literals, l)
			d = d.assert(l)
		}
		want := false
		for _, request := range requests {
			all := true
			for _, l := range literals {
				all = all && holdsFor(l, v, request)
			}
			want = want || all
		}
		if d.possible() != want {
			t.Fatalf("%+v of %v: possible %v, want %v", literals, v.atoms, d.possible(), want)
		}
		answered[want]++
	}
	if answered[true] == 0 || answered[false] == 0 {
		t.Errorf("answers %v show nothing", answered)
	}
}
