package certify_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/routedelta/routedelta/diff"
	"github.com/routedelta/routedelta/diff/certificate"
	"github.com/routedelta/routedelta/diff/certify"
	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
	"github.com/routedelta/routedelta/diff/verify"
)

var (
	seed  = flag.Uint64("seed", 1, "first seed of the random pairs of tables")
	pairs = flag.Int("pairs", 60, "number of random pairs of tables")
)

// TestRandomPairs: what the classes claim of random tables is shown by the check, and what they do not claim is not.
func TestRandomPairs(t *testing.T) {
	changed, same, refused := 0, 0, 0
	for i := range *pairs {
		s := *seed + uint64(i)
		r, before, after := randomPair(s)
		claims := certified(t, before, after)
		result := check(t, &claims, before, after)
		if !result.Verified() {
			t.Errorf("seed %d: %s", s, describe(result))
			continue
		}
		if len(claims.Classes) > 0 {
			changed++
		} else {
			same++
		}
		refused += falsify(t, r, s, claims, before, after)
	}
	t.Logf("%d pairs that change, %d that do not; %d false certificates refused", changed, same, refused)
	if changed == 0 || same == 0 || refused == 0 {
		t.Error("the pairs show nothing")
	}
}

func randomPair(s uint64) (*rand.Rand, *table.Table, *table.Table) {
	r := rand.New(rand.NewPCG(s, 23))
	options := tabletest.Rendered()
	if r.IntN(3) == 0 {
		options = tabletest.RandomOptions(r)
	}
	before := tabletest.RandomTable(r, options)
	if r.IntN(3) == 0 {
		return r, before, refactored(r, before)
	}
	if r.IntN(10) == 0 {
		return r, before, tabletest.RandomTable(r, options)
	}
	return r, before, tabletest.Edit(r, before)
}

// refactored changes the order of rules that cannot meet, and writes rules twice: no request changes.
func refactored(r *rand.Rand, t *table.Table) *table.Table {
	out := tabletest.Clone(t)
	for h := range out.Hosts {
		host := &out.Hosts[h]
		for i := range host.Rules {
			if again := host.Rules[i]; r.IntN(2) == 0 {
				host.Rules = append(host.Rules, again) // behind itself it wins nothing, but for a chance
				if again.Chance != nil {
					host.Rules = host.Rules[:len(host.Rules)-1]
				}
			}
		}
		for i := 1; i < len(host.Rules); i++ {
			a, b := &host.Rules[i-1], &host.Rules[i]
			if a.Path.Kind == table.PathExact && b.Path.Kind == table.PathExact && a.Path.Value != b.Path.Value && !a.Path.IgnoreCase && !b.Path.IgnoreCase {
				*a, *b = *b, *a
			}
		}
		host.Name += "-renamed"
	}
	out.Seal()
	return out
}

func certified(t testing.TB, before, after *table.Table) certificate.Place {
	t.Helper()
	result, err := class.Compare(t.Context(), before, after, class.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return certify.Place(&diff.ComparedPlace{ServerNames: []string{""}, Before: before, After: after, Result: result})
}

func check(t testing.TB, claims *certificate.Place, before, after *table.Table) *verify.Result {
	t.Helper()
	result, err := verify.CheckPlace(t.Context(), claims, before, after, verify.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func describe(r *verify.Result) string {
	return fmt.Sprintf("wrong %+v, open %+v, left out %d", r.Wrong, r.Open, r.LeftOut)
}

// falsify makes false claims of true ones, and wants each refused.
func falsify(t *testing.T, r *rand.Rand, s uint64, claims certificate.Place, before, after *table.Table) (refused int) {
	t.Helper()
	for name, alter := range falsehoods {
		altered, ok := alter(r, claims)
		if !ok {
			continue
		}
		if result := check(t, &altered, before, after); result.Verified() {
			t.Errorf("seed %d: %s: verified", s, name)
		} else {
			refused++
		}
	}
	return refused
}
