package class_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
)

// mark makes some rules of a table unmodelled; equal rules stay equal.
func mark(t *table.Table) {
	for h := range t.Hosts {
		for i := range t.Hosts[h].Rules {
			r := &t.Hosts[h].Rules[i]
			if len(r.Path.Value)%4 == 1 && len(r.Predicates) < 2 {
				r.Unmodelled = []string{"runtime_fraction"}
			}
		}
	}
	t.Seal()
}

// TestUndecidedAgainstEvaluator: with rules that are not modelled, a request that both sides decide and that is outside the
// undecided regions still changes exactly when it is in one class; and a request whose outcome is not known on a side is in
// no class.
func TestUndecidedAgainstEvaluator(t *testing.T) {
	undecided, changed, samples := 0, 0, 0
	for i := range *pairs / 2 {
		s := *seed + uint64(i)
		r, before, after := randomPair(s)
		mark(before)
		mark(after)
		result, err := class.Compare(context.Background(), before, after, class.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		evaluators := [2]*table.Evaluator{table.Compile(before), table.Compile(after)}
		for _, request := range tabletest.Requests(r, 100, before, after) {
			b, a := evaluators[0].Evaluate(request), evaluators[1].Evaluate(request)
			in := countClasses(result, request)
			open := inUndecided(result, request)
			switch unknown := b.Undecided != "" || a.Undecided != ""; {
			case unknown && in > 0:
				t.Errorf("seed %d, %+v: not known, but in a class", s, request)
			case unknown && b.Undecided == "" || unknown && a.Undecided == "":
				if !open {
					t.Errorf("seed %d, %+v: known on one side only, but not undecided", s, request)
				}
			case !unknown && !open:
				if (b.Outcome.Key() != a.Outcome.Key()) != (in == 1) {
					t.Errorf("seed %d, %+v: %s -> %s in %d classes", s, request, b.Outcome, a.Outcome, in)
				}
				changed += in
			}
			if open && in > 0 {
				t.Errorf("seed %d, %+v: undecided, and in a class", s, request)
			}
			if open {
				undecided++
			}
			for _, u := range result.Undecided {
				samples += len(u.Samples)
			}
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	t.Logf("%d requests in undecided regions, %d changed", undecided, changed)
	if undecided == 0 || changed == 0 || samples == 0 {
		t.Error("the pairs show nothing")
	}
}

func countClasses(r *class.Result, request table.Request) (n int) {
	for i := range r.Classes {
		if r.Classes[i].Contains(request) {
			n++
		}
	}
	return n
}

func inUndecided(r *class.Result, request table.Request) bool {
	for i := range r.Undecided {
		if r.Undecided[i].Contains(request) {
			return true
		}
	}
	return false
}

// TestUnmodelledAlikeIsNoChange: a rule that is not modelled, the same on both sides, leaves the rest decided.
func TestUnmodelledAlikeIsNoChange(t *testing.T) {
	text := `host shop.example
		segments /grpc -> grpc
		segments /orders -> orders
		prefix / -> web`
	before, after := hosts(t, text), hosts(t, text)
	for _, x := range []*table.Table{before, after} {
		x.Hosts[0].Rules[0].Unmodelled = []string{"grpc"}
		x.Seal()
	}
	after.Hosts[0].Rules[1].Outcome = backend("elsewhere")
	after.Seal()
	result, err := class.Compare(context.Background(), before, after, class.Limits{})
	if err != nil || len(result.Undecided) > 0 || len(result.Classes) != 1 {
		t.Errorf("%v: %s", err, words(result))
	}
	// Behind the unmodelled rule the edit may be felt or not.
	after.Hosts[0].Rules[2].Outcome = backend("elsewhere")
	after.Seal()
	result, err = class.Compare(context.Background(), before, after, class.Limits{})
	if err != nil || len(result.Undecided) != 1 || !strings.Contains(words(result), "undecided: not modelled: grpc\n  =shop.example /grpc/") {
		t.Errorf("%v: %s", err, words(result))
	}
}

// TestUndecidedWithTooManyConditions: a region that is written wider than it is leaves to a class what that says.
func TestUndecidedWithTooManyConditions(t *testing.T) {
	before := hosts(t, "host *\nprefix /a -> web")
	var unknown []table.Rule
	for i := range 60 {
		rule := before.Hosts[0].Rules[0]
		rule.Unmodelled = []string{"filter"}
		rule.Predicates = []table.Predicate{{Source: table.Header, Name: fmt.Sprint("x-", i), Test: table.Present}}
		unknown = append(unknown, rule)
	}
	before.Hosts[0].Rules = append(unknown, before.Hosts[0].Rules...)
	before.Seal()
	after := tabletest.Clone(before)
	after.Hosts[0].Rules[60].Outcome = backend("new")
	after.Seal()
	result, err := class.Compare(context.Background(), before, after, class.Limits{})
	if err != nil || len(result.Classes) != 1 || len(result.Undecided) != 1 || len(result.Undecided[0].Area.Conditions) > 0 {
		t.Fatalf("%v: %s", err, words(result))
	}
	for _, test := range []struct {
		request table.Request
		decided bool
	}{
		{table.Request{Method: "GET", Host: "h", Path: "/a"}, true},
		{table.Request{Method: "GET", Host: "h", Path: "/a", Headers: []table.Field{{Name: "x-7", Value: ""}}}, false},
	} {
		if in, open := countClasses(result, test.request), inUndecided(result, test.request); (in == 1) != test.decided || open == test.decided {
			t.Errorf("%+v: in %d classes, undecided %v", test.request, in, open)
		}
	}
}

func TestOptionsThatDiffer(t *testing.T) {
	before, after := hosts(t, "host *\nprefix / -> web"), hosts(t, "host *\nprefix / -> web")
	after.Options.MergeSlashes = false
	result, err := class.Compare(context.Background(), before, after, class.Limits{})
	contains := func(path string) bool {
		return result.Undecided[0].Contains(table.Request{Method: "GET", Host: "a", Path: path})
	}
	if err != nil || len(result.Undecided) != 1 || contains("/") || contains("/a/b?c=//") || !contains("/a//b") {
		t.Errorf("%v: %s", err, words(result))
	}
	before.Options.Unmodelled = []string{"lua"}
	after.Options = before.Options
	if result, err = class.Compare(context.Background(), before, after, class.Limits{}); err != nil || words(result) != "" {
		t.Errorf("equal tables behind a filter: %v: %s", err, words(result))
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	before, after := manyConditions()
	if _, err := class.Compare(ctx, before, after, class.Limits{}); err == nil {
		t.Error("a cancelled comparison ends without an error")
	}
}
