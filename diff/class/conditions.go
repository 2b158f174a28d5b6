package class

import (
	"cmp"
	"slices"

	"github.com/routedelta/routedelta/diff/table"
)

// sourceOrder is the order in which conditions are written.
var sourceOrder = [...]int{table.Method: 0, table.Query: 1, table.Header: 2, table.Cookie: 3, table.Free: 4}

func comparePredicates(a, b table.Predicate) int {
	return cmp.Or(
		cmp.Compare(sourceOrder[a.Source], sourceOrder[b.Source]),
		cmp.Compare(a.Name, b.Name),
		cmp.Compare(a.Test, b.Test),
		cmp.Compare(a.Value, b.Value),
		cmp.Compare(flag(a.IgnoreCase), flag(b.IgnoreCase)),
		cmp.Compare(flag(a.Invert), flag(b.Invert)),
		cmp.Compare(flag(a.MissingAsEmpty), flag(b.MissingAsEmpty)),
	)
}

func compareConditions(a, b Condition) int {
	return cmp.Or(cmp.Compare(flag(a.Not), flag(b.Not)), comparePredicates(a.Predicate, b.Predicate))
}

// compactConditions returns the conditions in order, each once.
func compactConditions(conditions []Condition) []Condition {
	out := slices.Clone(conditions)
	slices.SortFunc(out, compareConditions)
	return slices.Compact(out)
}
