package precedence

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/render/model"
)

// Tie is a rule that can never win because a rule with the same match stands before it.
type Tie struct {
	// Winner and Loser are indexes into the rules.
	Winner, Loser int
	// Rung decided between the two.
	Rung Rung
}

// Ties finds the rules of a sorted host whose match another rule ahead of them has as well, in order of the losers. Where
// three rules share a match, the first wins over each of the others.
func (d Dialect) Ties(rules []model.Rule) []Tie {
	var ties []Tie
	first := make(map[string]int, len(rules))
	for i := range rules {
		key := matchKey(&rules[i].Match)
		winner, seen := first[key]
		if !seen {
			first[key] = i
			continue
		}
		_, rung := d.Compare(&rules[winner], &rules[i])
		ties = append(ties, Tie{Winner: winner, Loser: i, Rung: rung})
	}
	return ties
}

// matchKey is equal for matches that the same requests meet because they say the same; the order of headers and query
// parameters is not part of it.
func matchKey(m *model.Match) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\x00%s\x00%s", m.PathKind, m.PathValue, m.Method)
	for _, values := range [][]model.ValueMatch{m.Headers, m.Query} {
		b.WriteString("\x01")
		for _, v := range sortedValues(values) {
			fmt.Fprintf(&b, "%s\x00%t\x00%s\x00", v.Name, v.Regex, v.Value)
		}
	}
	return b.String()
}

func sortedValues(values []model.ValueMatch) []model.ValueMatch {
	if len(values) < 2 {
		return values
	}
	return slices.SortedFunc(slices.Values(values), func(a, b model.ValueMatch) int { return cmp.Compare(a.Name, b.Name) })
}
