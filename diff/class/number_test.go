package class

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// TestRangePattern compares the automaton of a range with the number.
func TestRangePattern(t *testing.T) {
	edges := []int64{math.MinInt64, math.MinInt64 + 1, -1000, -100, -99, -10, -9, -1, 0, 1, 9, 10, 11, 99, 100, 101, 199, 1000, math.MaxInt64 - 1, math.MaxInt64}
	in, out := 0, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		number := func() int64 {
			if r.IntN(2) == 0 {
				return edges[r.IntN(len(edges))]
			}
			return r.Int64() >> r.IntN(64) * int64(1-2*r.IntN(2))
		}
		low, high := number(), number()
		pattern, err := rangePattern(fmt.Sprint(low, " ", high))
		if err != nil {
			t.Fatal(err)
		}
		dfa, err := newPatterns(DefaultLimits.States).compile(pattern)
		if err != nil {
			t.Fatalf("[%d,%d): %v", low, high, err)
		}
		values := append([]int64{low, high}, edges...)
		for range 20 {
			values = append(values, number(), low+r.Int64N(20)-10, high+r.Int64N(20)-10)
		}
		for _, value := range values {
			for _, text := range spellings(r, value) {
				read, err := strconv.ParseInt(strings.Trim(text, " \t"), 10, 64)
				want := err == nil && low <= read && read < high
				if got := dfa.Matches(text); got != want {
					t.Fatalf("[%d,%d) and %q: %v", low, high, text, got)
				}
				if want {
					in++
				} else {
					out++
				}
			}
		}
	}
	if in == 0 || out == 0 {
		t.Error("the ranges show nothing")
	}
	for _, bounds := range []string{"", "1", "1 x", "1 99999999999999999999"} {
		if _, err := rangePattern(bounds); err == nil {
			t.Errorf("%q is taken for a range", bounds)
		}
	}
}

// spellings are a number as it can be written, and as it cannot.
func spellings(r *rand.Rand, n int64) []string {
	plain := strconv.FormatInt(n, 10)
	bare, sign := strings.TrimPrefix(plain, "-"), plain[:len(plain)-len(strings.TrimPrefix(plain, "-"))]
	signed := sign
	if n >= 0 && r.IntN(2) == 0 {
		signed = "+"
	}
	return []string{plain, " " + plain + "\t", signed + "00" + bare, plain + ".0", "", sign + " " + bare, plain + "0", "-" + bare, "--" + bare, "0x" + bare}
}
