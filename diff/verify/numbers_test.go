package verify

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/routedelta/routedelta/diff/table"
)

// TestRangesAgainstEvaluator: the pattern of a range passes just the values that the evaluator passes.
func TestRangesAgainstEvaluator(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	number := func() int64 {
		switch r.IntN(4) {
		case 0:
			return []int64{math.MinInt64, math.MaxInt64, 0, -1, 1, 9, 10, 99, 100, -10}[r.IntN(10)]
		case 1:
			return r.Int64() - r.Int64()
		}
		return r.Int64N(2400) - 1200
	}
	for range 150 {
		low, high := number(), number()
		p := table.Predicate{Source: table.Header, Name: "x", Test: table.Range, Value: fmt.Sprintf("%d %d", low, high)}
		d, err := compileTest(test{kind: table.Range, value: p.Value})
		if err != nil {
			t.Fatal(err)
		}
		e := table.Compile(&table.Table{Hosts: []table.Host{{Domains: []string{"*"}, Rules: []table.Rule{{Predicates: []table.Predicate{p}}}}}})
		for range 40 {
			n := []int64{low, high, low - 1, low + 1, high - 1, high + 1, 0, number()}[r.IntN(8)]
			value := fmt.Sprintf([]string{"%d", "%+d", " %d", "%d\t", "0%d", "%03d", "%da", "-%d", "%d0", "+00%d"}[r.IntN(10)], n)
			got := e.Evaluate(table.Request{Method: "GET", Host: "a", Path: "/", Headers: []table.Field{{Name: "x", Value: value}}}).Rule == 0
			if want := d.Matches(value); got != want {
				t.Errorf("%q in %s: the evaluator says %v, the pattern %v", value, p.Value, got, want)
			}
		}
	}
}
