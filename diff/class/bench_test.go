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

// BenchmarkCompare compares two loaded tables of each shape after one edit. Each round edits another rule.
func BenchmarkCompare(b *testing.B) {
	for _, shape := range tabletest.Shapes {
		for _, rules := range []int{1_000, 10_000, 100_000} {
			before := tabletest.Shaped(shape, rules)
			for _, e := range tabletest.ShapeEdits {
				b.Run(fmt.Sprintf("%s/%d/%s", shape, rules, strings.ReplaceAll(e.Name, " ", "-")), func(b *testing.B) {
					const variants = 3
					var after [variants]*table.Table
					for i := range after {
						after[i] = e.Apply(uint64(i), before)
					}
					tabletest.ReportProcessorTime(b, func(round int) { compareShaped(b, before, after[round%variants]) })
				})
			}
		}
	}
}

// BenchmarkSeal hashes all rules of a table.
func BenchmarkSeal(b *testing.B) {
	for _, shape := range tabletest.Shapes {
		for _, rules := range []int{1_000, 10_000, 100_000} {
			t := tabletest.Shaped(shape, rules)
			b.Run(fmt.Sprintf("%s/%d", shape, rules), func(b *testing.B) {
				tabletest.ReportProcessorTime(b, func(int) { t.Seal() })
			})
		}
	}
}

func compareShaped(b *testing.B, before, after *table.Table) *class.Result {
	result, err := class.Compare(context.Background(), before, after, class.Limits{})
	if err != nil || len(result.Undecided) > 0 {
		b.Fatalf("undecided %+v, %v", result.Undecided, err)
	}
	return result
}

// BenchmarkPeakMemory is the most memory that two tables of 100,000 rules and their comparison take, or one and the search for dead
// rules.
func BenchmarkPeakMemory(b *testing.B) {
	for _, shape := range tabletest.Shapes {
		before := tabletest.Shaped(shape, 100_000)
		for _, e := range tabletest.ShapeEdits {
			b.Run(shape+"/"+strings.ReplaceAll(e.Name, " ", "-"), func(b *testing.B) {
				after := e.Apply(1, before)
				tabletest.ReportPeakMemory(b, func() { compareShaped(b, before, after) })
			})
		}
		b.Run(shape+"/dead", func(b *testing.B) {
			tabletest.ReportPeakMemory(b, func() { benchmarkDead(b, new(class.LivenessCache), before) })
		})
	}
}

func backend(name string) table.Outcome {
	return table.Outcome{
		Kind: table.ToBackends, Total: 1,
		Backends: []table.Share{{Backend: table.Backend{Namespace: "shop", Service: name, Port: 80}, Weight: 1}},
	}
}

func catchAll() table.Rule {
	return table.Rule{Path: table.Path{Kind: table.PathPrefix, Value: "/"}, Outcome: backend("web")}
}
