package class

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
)

// TestLemma4: of every request that meets a random set of the conditions, the first of the expanded list
// that it meets is made of the rules that take a part of it in the list.
func TestLemma4(t *testing.T) {
	conditions := []string{"a", "b", "c"}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 6))
		c := newComparison(context.Background(), &table.Table{}, &table.Table{}, DefaultLimits)
		var list []*candidate
		for i := range 1 + r.IntN(6) {
			rule := &table.Rule{Outcome: tabletest.RandomOutcome(r)}
			if r.IntN(2) == 0 {
				rule.Chance = &table.Chance{Numerator: uint32(r.IntN(4)) * 30, Denominator: 100}
			}
			for _, name := range conditions {
				if r.IntN(3) == 0 {
					rule.Predicates = append(rule.Predicates, table.Predicate{Source: table.Free, Name: name})
				}
			}
			list = append(list, &candidate{rule: rule, position: i, key: uint32(i), edit: -1, pattern: -1})
		}
		list = append(list, c.restOf(beforeSide, false))
		expanded, err := c.expand(list)
		if err != nil {
			t.Fatal(err)
		}
		for set := range 1 << len(conditions) {
			meets := func(k *candidate) bool {
				for _, p := range k.predicates() {
					if set>>(p.Name[0]-'a')&1 == 0 {
						return false
					}
				}
				return true
			}
			wanted, got := c.takenBy(list, meets), firstOf(expanded, meets)
			if len(wanted) != len(got) {
				t.Fatalf("seed %d, set %b: %d rules instead of %d", seed, set, len(got), len(wanted))
			}
			for i := range wanted {
				if wanted[i] != got[i] {
					t.Fatalf("seed %d, set %b: another rule at %d", seed, set, i)
				}
			}
		}
	}
}

// takenBy are the rules that take a part of a request, in order.
func (c *comparison) takenBy(list []*candidate, meets func(*candidate) bool) []*candidate {
	var out []*candidate
	for _, k := range list {
		never := k.hasChance() && k.rule.Chance.Numerator == 0
		if never || !meets(k) {
			continue
		}
		if out = append(out, k); !k.hasChance() {
			break
		}
	}
	return out
}

func firstOf(list []*candidate, meets func(*candidate) bool) []*candidate {
	for _, k := range list {
		if meets(k) {
			return k.rules()
		}
	}
	return nil
}

// TestExpandEnds: chances with conditions of their own double the list, which has a bound.
func TestExpandEnds(t *testing.T) {
	c := newComparison(context.Background(), &table.Table{}, &table.Table{}, DefaultLimits)
	var list []*candidate
	for i := range 40 {
		rule := &table.Rule{Chance: &table.Chance{Numerator: 1, Denominator: 100}}
		rule.Predicates = []table.Predicate{{Source: table.Free, Name: string(rune('a' + i))}}
		list = append(list, &candidate{rule: rule, position: i, key: uint32(i), edit: -1, pattern: -1})
	}
	if _, err := c.expand(append(list, c.restOf(beforeSide, false))); !errors.Is(err, errChains) {
		t.Errorf("40 chances: %v", err)
	}
}

// TestLemma1OfChains: of two lists and every set of conditions, chains without an edited rule are the same.
func TestLemma1OfChains(t *testing.T) {
	same := 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 8))
		before := randomChances(r, 2+r.IntN(5))
		after := slices.Clone(before)
		for range 1 + r.IntN(2) {
			at, to := r.IntN(len(after)), r.IntN(len(after))
			after[at], after[to] = after[to], after[at]
			after = slices.Insert(after, r.IntN(len(after)), randomChances(r, 1)...)
			after = slices.Delete(after, at, at+1)
		}
		keyOf := table.KeyBetween(before, after)
		marks := kept(before, after, keyOf)
		for set := range 1 << len(freeNames) {
			was, keptBefore := chainOf(before, marks[beforeSide], set, keyOf)
			is, keptAfter := chainOf(after, marks[afterSide], set, keyOf)
			if !keptBefore || !keptAfter {
				continue
			}
			if same += len(was); !slices.Equal(was, is) {
				t.Fatalf("seed %d, set %b: kept chains of %d and %d rules differ", seed, set, len(was), len(is))
			}
		}
	}
	if same == 0 {
		t.Error("no chain is kept")
	}
}

var freeNames = []string{"a", "b", "c"}

func randomChances(r *rand.Rand, n int) []table.Rule {
	rules := make([]table.Rule, n)
	for i := range rules {
		rules[i].Outcome = tabletest.RandomOutcome(r)
		if r.IntN(2) == 0 {
			rules[i].Chance = &table.Chance{Numerator: 30, Denominator: 100}
		}
		for _, name := range freeNames {
			if r.IntN(3) == 0 {
				rules[i].Predicates = append(rules[i].Predicates, table.Predicate{Source: table.Free, Name: name})
			}
		}
	}
	return rules
}

// chainOf are the keys of the rules that take a request which meets a set of the conditions, and whether all of them are kept.
func chainOf(rules []table.Rule, marks []bool, set int, keyOf func(*table.Rule) string) (chain []string, allKept bool) {
	allKept = true
	for i := range rules {
		meets := !slices.ContainsFunc(rules[i].Predicates, func(p table.Predicate) bool { return set>>(p.Name[0]-'a')&1 == 0 })
		if !meets {
			continue
		}
		chain = append(chain, keyOf(&rules[i]))
		allKept = allKept && marks[i]
		if rules[i].Chance == nil {
			break
		}
	}
	return chain, allKept
}
