package precedence

import (
	"slices"

	"github.com/routedelta/routedelta/render/model"
)

// Compare tells which of two rules of one host is tried first (below 0: a) and which rung decided. It is 0, with an empty
// rung, only for a rule and itself.
func (d Dialect) Compare(a, b *model.Rule) (int, Rung) {
	for _, rung := range d.ladder(a, b) {
		if order := rung.order(a, b); order != 0 {
			return order, rung
		}
	}
	return 0, Rung{}
}

// ladder is that of the kind of the two rules. "Merging MUST not be done between GRPCRoutes and HTTPRoutes" (GRPCRouteRule.matches): one
// host has rules of one kind; were it otherwise, they would stand apart.
func (d Dialect) ladder(a, b *model.Rule) []Rung {
	switch {
	case (a.Match.GRPC == nil) != (b.Match.GRPC == nil):
		return []Rung{routeKind}
	case a.Match.GRPC != nil:
		return d.GRPC
	}
	return d.Rungs
}

// Sort brings the rules of one host into the order in which they are tried.
func (d Dialect) Sort(rules []model.Rule) {
	// A rule is a large value, so indexes are sorted, and each rule is moved once.
	order := make([]int, len(rules))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		result, _ := d.Compare(&rules[a], &rules[b])
		return result
	})
	arrange(rules, order)
}

// arrange moves to each index the rule that order names for it, along the cycles of the order, which it uses up.
func arrange(rules []model.Rule, order []int) {
	for start := range order {
		if order[start] == start {
			continue
		}
		first, at := rules[start], start
		for order[at] != start {
			from := order[at]
			rules[at] = rules[from]
			order[at], at = at, from
		}
		rules[at], order[at] = first, at
	}
}

// Explanation says in words why one rule is tried before another.
type Explanation struct {
	// Rung is the criterion: "number of headers".
	Rung string
	// Detail is how it came out, the winner first: "1 > 0".
	Detail string
}

// Explain says why the rule that stands first of the two does. Both are empty for a rule and itself.
func (d Dialect) Explain(a, b *model.Rule) Explanation {
	order, rung := d.Compare(a, b)
	switch {
	case order == 0:
		return Explanation{}
	case order > 0:
		a, b = b, a
	}
	return Explanation{Rung: rung.Name, Detail: rung.detail(a, b)}
}
