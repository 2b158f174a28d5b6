package certify_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/diff/table/tabletest"
)

// BenchmarkCheck checks the certificate of one edit in tables of each shape.
func BenchmarkCheck(b *testing.B) {
	for _, shape := range tabletest.Shapes {
		for _, rules := range []int{1_000, 10_000} {
			before := tabletest.Shaped(shape, rules)
			for _, e := range tabletest.ShapeEdits {
				after := e.Apply(1, before)
				claims := certified(b, before, after)
				b.Run(fmt.Sprintf("%s/%d/%s", shape, rules, strings.ReplaceAll(e.Name, " ", "-")), func(b *testing.B) {
					for b.Loop() {
						if result := check(b, &claims, before, after); !result.Verified() {
							b.Fatal(describe(result))
						}
					}
				})
			}
		}
	}
}
