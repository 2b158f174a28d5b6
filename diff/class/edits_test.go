package class

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestLemma1: what is kept is a common subsequence, and equal ends are always kept.
func TestLemma1(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 5000 {
		before := make([]uint32, r.IntN(12))
		for i := range before {
			before[i] = uint32(r.IntN(8))
		}
		after := slices.Clone(before)
		for range r.IntN(4) {
			at := r.IntN(len(after) + 1)
			if at < len(after) && r.IntN(2) == 0 {
				after = slices.Delete(after, at, at+1)
			} else {
				after = slices.Insert(after, at, uint32(r.IntN(10)))
			}
		}
		keptBefore, keptAfter := commonRules(before, after)
		x, y := selected(before, keptBefore), selected(after, keptAfter)
		if !slices.Equal(x, y) {
			t.Fatalf("%v, %v: kept %v and %v", before, after, x, y)
		}
		if slices.Equal(before, after) && len(x) != len(before) {
			t.Fatalf("%v: equal lists, kept %v", before, x)
		}
	}
}

func selected(list []uint32, kept []bool) []uint32 {
	out := []uint32{}
	for i, k := range kept {
		if k {
			out = append(out, list[i])
		}
	}
	return out
}

func TestOneInsertionIsOneEdit(t *testing.T) {
	before := []uint32{1, 2, 2, 3, 4, 2, 5}
	for at := range len(before) + 1 {
		after := slices.Insert(slices.Clone(before), at, 9)
		keptBefore, keptAfter := commonRules(before, after)
		if slices.Contains(keptBefore, false) || len(selected(after, keptAfter)) != len(before) {
			t.Errorf("9 inserted at %d: kept %v, %v", at, keptBefore, keptAfter)
		}
	}
}
