package class

import (
	"slices"
	"sort"

	"github.com/routedelta/routedelta/diff/table"
)

// Lemma 1 (common subsequence). Let U be a common subsequence of two rule lists: the same rules in the same order. If a
// request is won by a rule of U on both sides, it is won by the same rule.
//
// Proof. Let u win before and v win after, both of U, both matching the request. Were v behind u in U, then u would stand
// ahead of v after the edit as well and match, so v could not win. In the same way u is not behind v. So u = v.
//
// Hence every request that changes is won by an edited rule, one outside U, on at least one side; only what edited rules
// match has to be looked at. Any U is right. A longer one is less work and names fewer edits, so equal ends are trimmed and
// the middle is matched by the longest increasing run of the rules that occur once on each side (patience).

// kept marks the rules of two virtual hosts that belong to U. Only rules that do not stand at one place of both lists, counted from
// the start or from the end, are numbered.
func kept(before, after []table.Rule, keyOf func(*table.Rule) string) [2][]bool {
	start, end := 0, 0
	shorter := min(len(before), len(after))
	for start < shorter && keyOf(&before[start]) == keyOf(&after[start]) {
		start++
	}
	for end < shorter-start && keyOf(&before[len(before)-1-end]) == keyOf(&after[len(after)-1-end]) {
		end++
	}
	middle := [2][]table.Rule{before[start : len(before)-end], after[start : len(after)-end]}
	out := [2][]bool{slices.Repeat([]bool{true}, len(before)), slices.Repeat([]bool{true}, len(after))}
	for _, gap := range gaps(middle, keyOf) {
		keptBefore, keptAfter := commonRules(numbered(gap.of(middle), keyOf))
		copy(out[beforeSide][start+gap.start:], keptBefore)
		copy(out[afterSide][start+gap.start:], keptAfter)
	}
	return out
}

// gap is a part of two lists between rules that are kept.
type gap struct{ start, endBefore, endAfter int }

func (g gap) of(lists [2][]table.Rule) [2][]table.Rule {
	return [2][]table.Rule{lists[beforeSide][g.start:g.endBefore], lists[afterSide][g.start:g.endAfter]}
}

// fewMoved is the share of rules in other places up to which those in the same place are kept without looking further, as behind
// a swap of two rules far from each other.
const fewMoved = 16

// gaps are the parts of two lists where rules do not stand in the same places; all in one where these are many.
func gaps(lists [2][]table.Rule, keyOf func(*table.Rule) string) []gap {
	before, after := lists[beforeSide], lists[afterSide]
	whole := []gap{{0, len(before), len(after)}}
	if len(before) != len(after) {
		return whole
	}
	var out []gap
	moved := 0
	for i := range before {
		if keyOf(&before[i]) == keyOf(&after[i]) {
			continue
		}
		if moved++; moved > len(before)/fewMoved {
			return whole
		}
		if last := len(out) - 1; last >= 0 && out[last].endBefore == i {
			out[last].endBefore, out[last].endAfter = i+1, i+1
		} else {
			out = append(out, gap{i, i + 1, i + 1})
		}
	}
	return out
}

// numbered writes the keys of two lists as small numbers.
func numbered(lists [2][]table.Rule, keyOf func(*table.Rule) string) (before, after []uint32) {
	keys := make(numbers, len(lists[beforeSide]))
	of := func(rules []table.Rule) []uint32 {
		out := make([]uint32, len(rules))
		for i := range rules {
			out[i] = uint32(keys.of(keyOf(&rules[i])))
		}
		return out
	}
	return of(lists[beforeSide]), of(lists[afterSide])
}

// commonRules marks the rules of two lists of keys that belong to U. Keys number the rules.
func commonRules(before, after []uint32) (keptBefore, keptAfter []bool) {
	keptBefore, keptAfter = make([]bool, len(before)), make([]bool, len(after))
	keep := func(b, a int) { keptBefore[b], keptAfter[a] = true, true }
	start := 0
	for start < len(before) && start < len(after) && before[start] == after[start] {
		keep(start, start)
		start++
	}
	endBefore, endAfter := len(before), len(after)
	for endBefore > start && endAfter > start && before[endBefore-1] == after[endAfter-1] {
		endBefore--
		endAfter--
		keep(endBefore, endAfter)
	}
	patience(before, after, start, endBefore, endAfter, keep)
	return keptBefore, keptAfter
}

// patience keeps a longest increasing run of the keys that are unique on both sides between start and the ends, and then
// the equal neighbours of what it kept, which is where repeated keys stand.
func patience(before, after []uint32, start, endBefore, endAfter int, keep func(b, a int)) {
	if start == endBefore || start == endAfter {
		return
	}
	pairs := uniquePairs(before[start:endBefore], after[start:endAfter])
	last := [2]int{start - 1, start - 1}
	extend := func(b, a int) {
		for x, y := last[0]+1, last[1]+1; x < b && y < a && before[x] == after[y]; x, y = x+1, y+1 {
			keep(x, y)
			last = [2]int{x, y}
		}
		for x, y := b-1, a-1; x > last[0] && y > last[1] && before[x] == after[y]; x, y = x-1, y-1 {
			keep(x, y)
		}
	}
	for _, p := range longestIncreasing(pairs) {
		b, a := p[0]+start, p[1]+start
		extend(b, a)
		keep(b, a)
		last = [2]int{b, a}
	}
	extend(endBefore, endAfter)
}

// uniquePairs are the positions of the keys that occur once on each side, in the order of the first. Keys are small numbers.
func uniquePairs(before, after []uint32) [][2]int {
	type place struct{ at, count int32 }
	keys := max(slices.Max(before), slices.Max(after)) + 1
	places := func(list []uint32) []place {
		out := make([]place, keys)
		for i, k := range list {
			out[k] = place{int32(i), out[k].count + 1}
		}
		return out
	}
	inBefore, inAfter := places(before), places(after)
	var pairs [][2]int
	for i, k := range before {
		if a := inAfter[k]; a.count == 1 && inBefore[k].count == 1 {
			pairs = append(pairs, [2]int{i, int(a.at)})
		}
	}
	return pairs
}

// longestIncreasing returns a longest run whose second numbers increase as the first do.
func longestIncreasing(pairs [][2]int) [][2]int {
	var ends []int // ends[n] is the pair with the least second number that ends a run of n+1
	previous := make([]int, len(pairs))
	for i, p := range pairs {
		n := sort.Search(len(ends), func(n int) bool { return pairs[ends[n]][1] >= p[1] })
		previous[i] = -1
		if n > 0 {
			previous[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	var run [][2]int
	if len(ends) > 0 {
		for i := ends[len(ends)-1]; i >= 0; i = previous[i] {
			run = append(run, pairs[i])
		}
	}
	slices.Reverse(run)
	return run
}
