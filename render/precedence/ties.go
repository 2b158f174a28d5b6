package precedence

import (
	"cmp"
	"slices"
	"strconv"

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
	key := appendTexts(make([]byte, 0, 64), string(m.PathKind), m.PathValue, m.Method)
	for _, values := range [][]model.ValueMatch{m.Headers, m.Query} {
		key = append(key, 1)
		for _, v := range sortedValues(values) {
			key = strconv.AppendBool(appendTexts(key, v.Name, v.Value), v.Regex)
		}
	}
	return string(key)
}

// appendTexts ends each text with a byte that none of them holds.
func appendTexts(key []byte, texts ...string) []byte {
	for _, text := range texts {
		key = append(append(key, text...), 0)
	}
	return key
}

func sortedValues(values []model.ValueMatch) []model.ValueMatch {
	if len(values) < 2 {
		return values
	}
	return slices.SortedFunc(slices.Values(values), func(a, b model.ValueMatch) int { return cmp.Compare(a.Name, b.Name) })
}
