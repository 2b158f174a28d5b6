package class_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
)

// TestCrossingsAgainstEvaluator: the witness of a crossing is won by the first rule and matched by the second, their
// backends differ, and each matches a request that the other does not: otherwise one would contain the other.
func TestCrossingsAgainstEvaluator(t *testing.T) {
	found, apart := 0, 0
	for i := range *pairs {
		s := *seed + uint64(i)
		t.Run(fmt.Sprint("seed=", s), func(t *testing.T) {
			r := rand.New(rand.NewPCG(s, 23))
			tab := tabletest.RandomTable(r, tabletest.Rendered())
			evaluator := table.Compile(tab)
			requests := tabletest.Requests(r, requestsPerPair, tab)
			for _, c := range crossings(t, tab) {
				found++
				first, second := ruleAt(tab, c.First), ruleAt(tab, c.Second)
				decided := evaluator.Evaluate(c.Witness)
				arrived, ok := evaluator.Arrive(c.Witness)
				if !ok || decided.Host != c.First.Host || decided.Rule != c.First.Rule || !evaluator.Matches(second, &arrived) {
					t.Errorf("%+v is no witness of %+v: %+v", c.Witness, c, decided)
				}
				if table.SameBackends(first.Outcome, second.Outcome) {
					t.Errorf("%+v go to the same backends", c)
				}
				onlyFirst, onlySecond := differ(evaluator, first, second, requests)
				if onlyFirst && onlySecond {
					apart++
				}
			}
		})
	}
	t.Logf("%d crossings, of %d both rules match a random request that the other does not", found, apart)
	if found == 0 || apart < found/3 {
		t.Errorf("%d crossings, %d of them seen in random requests", found, apart)
	}
}

func ruleAt(t *table.Table, ref class.RuleRef) *table.Rule { return &t.Hosts[ref.Host].Rules[ref.Rule] }

func crossings(t *testing.T, tab *table.Table) []class.Crossing {
	t.Helper()
	live, err := class.Dead(context.Background(), tab, class.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	found, complete, err := live.Crossings(context.Background(), class.Limits{})
	if err != nil || !complete {
		t.Fatal(complete, err)
	}
	return found
}

func differ(e *table.Evaluator, first, second *table.Rule, requests []table.Request) (onlyFirst, onlySecond bool) {
	for _, request := range requests {
		if arrived, ok := e.Arrive(request); ok {
			a, b := e.Matches(first, &arrived), e.Matches(second, &arrived)
			onlyFirst, onlySecond = onlyFirst || a && !b, onlySecond || b && !a
		}
	}
	return onlyFirst, onlySecond
}

// TestCrossings: what is one, and what is not.
func TestCrossings(t *testing.T) {
	for name, c := range map[string]struct {
		rules string
		want  int
	}{
		"two headers":                {"prefix / x-env=a -> web\nprefix / x-user=b -> api", 1},
		"one header, two values":     {"prefix / x-env=a -> web\nprefix / x-env=b -> api", 0},
		"one backend":                {"prefix / x-env=a -> web\nprefix / x-user=b -> web", 0},
		"specific before general":    {"prefix /a x-env=a -> web\nprefix /a -> api\nprefix / -> other", 0},
		"longer path before header":  {"prefix /a -> web\nprefix / x-env=a -> api\nprefix / -> other", 1},
		"another rule for both ones": {"prefix / x-env=a x-user=b -> both\nprefix / x-env=a -> web\nprefix / x-user=b -> api", 0},
		"pattern and literal":        {"regex /a/.*b -> web\nprefix /a/x -> api\nprefix / -> other", 1},
		"pattern inside of literal":  {"regex /a/x.*b -> web\nprefix /a/x -> api\nprefix / -> other", 0},
	} {
		t.Run(name, func(t *testing.T) {
			if found := crossings(t, hosts(t, "host *\n"+c.rules)); len(found) != c.want {
				t.Errorf("found %+v, want %d", found, c.want)
			}
		})
	}
}
