package class_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
)

// TestChancesAndTheOrderOfWeights: the number that decides about a chance is the one that decides about weights, so their order
// counts behind a chance, and only there.
func TestChancesAndTheOrderOfWeights(t *testing.T) {
	forth := table.Split(share("v1", 50), share("v2", 50))
	back := table.Split(share("v2", 50), share("v1", 50))
	some, half := &table.Chance{Numerator: 5, Denominator: 100}, &table.Chance{Numerator: 50, Denominator: 100}
	for _, tt := range []struct {
		name          string
		before, after *table.Table
		edits         int
		want          string
	}{
		{"a chance comes", drawn(nil, back), drawn(some, back), 1, `
added, backend: [50% v1, 50% v2] -> [50% v1, 45% v2, 5% canary:80]
  GET example.com/
  any any
`},
		{"a chance goes", drawn(some, back), drawn(nil, back), 1, `
removed, backend: [50% v1, 45% v2, 5% canary:80] -> [50% v1, 50% v2]
  GET example.com/
  any any
`},
		{"another order behind a chance", drawn(half, forth), drawn(half, back), 1, `
changed, backend: [50% v2, 50% canary:80] -> [50% v1, 50% canary:80]
  GET example.com/
  any any
`},
		{"another order without a chance", drawn(nil, forth), drawn(nil, back), 0, "\n"},
		{"another total behind a chance", drawn(half, forth), drawn(half, table.Split(share("v1", 100), share("v2", 100))), 1, `
changed, backend: [50% v2, 50% canary:80] -> [50% canary:80, 25% v1, 25% v2]
  GET example.com/
  any any
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			result, err := class.Compare(context.Background(), tt.before, tt.after, class.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, "\n"+words(result)); diff != "" || len(result.Edits) != tt.edits {
				t.Errorf("%d edits, want %d: %s", len(result.Edits), tt.edits, diff)
			}
		})
	}
}

// drawn is a table of weights, with a chance ahead of them if there is one.
func drawn(c *table.Chance, weights table.Outcome) *table.Table {
	rules := []table.Rule{{Path: table.Path{Kind: table.PathPrefix, Value: "/"}, Outcome: weights}}
	if c != nil {
		canary := rules[0]
		canary.Outcome, canary.Chance = backend("canary"), c
		rules = []table.Rule{canary, rules[0]}
	}
	made := &table.Table{Options: tabletest.Rendered(), Hosts: []table.Host{{Domains: []string{"*"}, Rules: rules}}}
	made.Seal()
	return made
}

func share(service string, weight uint64) table.Share {
	return table.Share{Backend: table.Backend{Service: service}, Weight: weight}
}
