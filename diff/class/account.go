package class

import (
	"slices"

	"github.com/routedelta/routedelta/diff/table"
)

// KeptRules is the part of the argument behind a Result that lemma 1 rests on: the common subsequence of a pair of virtual hosts.
type KeptRules struct {
	// Before and After are indexes into Table.Hosts, -1 for none.
	Before, After int
	// Kept are the rules of the subsequence as runs: before, after, length.
	Kept [][3]int
}

// Account gives the common subsequences of all pairs of virtual hosts that some host may lead to, in order. It is nil where there
// are more pairs than Compare looks at.
func Account(before, after *table.Table) []KeptRules {
	keys := numbers{}
	seen := map[[2]int]bool{}
	var out []KeptRules
	for _, cell := range newHostSpace(before, after).cells {
		if seen[cell.host] {
			continue
		}
		seen[cell.host] = true
		kept := KeptRules{Before: cell.host[beforeSide], After: cell.host[afterSide]}
		kept.Kept = runs(commonRules(keys.ofRules(rulesOf(before, kept.Before), rulesOf(after, kept.After))))
		out = append(out, kept)
	}
	slices.SortFunc(out, func(a, b KeptRules) int {
		return slices.Compare([]int{a.Before, a.After}, []int{b.Before, b.After})
	})
	return out
}

// ofRules numbers the rules of two lists: equal rules with the same number.
func (n numbers) ofRules(before, after []table.Rule) (numberedBefore, numberedAfter []uint32) {
	keyOf := table.KeyBetween(before, after)
	numbered := func(rules []table.Rule) []uint32 {
		out := make([]uint32, len(rules))
		for i := range rules {
			out[i] = uint32(n.of(keyOf(&rules[i])))
		}
		return out
	}
	return numbered(before), numbered(after)
}

// runs writes marked rules, as many on each side, as runs.
func runs(before, after []bool) [][3]int {
	var out [][3]int
	a := -1
	for b := range before {
		if !before[b] {
			continue
		}
		for a++; !after[a]; a++ {
		}
		if n := len(out) - 1; n >= 0 && out[n][0]+out[n][2] == b && out[n][1]+out[n][2] == a {
			out[n][2]++
			continue
		}
		out = append(out, [3]int{b, a, 1})
	}
	return out
}
