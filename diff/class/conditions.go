package class

import (
	"cmp"
	"slices"

	"github.com/routedelta/routedelta/diff/table"
)

func comparePredicates(a, b table.Predicate) int {
	return cmp.Or(
		-cmp.Compare(a.Source, b.Source), // the method first, then query, then headers
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
