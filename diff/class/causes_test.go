package class

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
)

// TestLemma5 applies every set of edits to the table before: of those that give the witness of a class its outcome after,
// none is smaller than the edits that the class names, and these are one.
func TestLemma5(t *testing.T) {
	for name, more := range map[string]tabletest.Dimensions{"plain": {}, "chances": {Chances: true}} {
		t.Run(name, func(t *testing.T) { causesOfRandomTables(t, more) })
	}
}

func causesOfRandomTables(t *testing.T, more tabletest.Dimensions) {
	sizes, mixed := map[int]int{}, 0
	for seed := range uint64(70) {
		r := rand.New(rand.NewPCG(seed, 23))
		before := tabletest.RandomWideTable(r, tabletest.Rendered(), more)
		after := tabletest.EditWide(r, tabletest.EditWide(r, before, more), more)
		result, err := Compare(context.Background(), before, after, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		scripts := scriptsOf(t, before, after)
		for i := range result.Classes {
			k := &result.Classes[i]
			if checkCause(t, before, after, scripts, k); t.Failed() {
				t.Fatalf("seed %d: %+v", seed, k.Witness)
			}
			sizes[len(k.Edits)]++
			if k.Before[0].Kind == table.Mixed || k.After[0].Kind == table.Mixed {
				mixed++
			}
		}
	}
	t.Logf("classes by number of edits: %v; %d with a chance", sizes, mixed)
	if sizes[1] == 0 || sizes[2] == 0 || more.Chances && mixed == 0 {
		t.Error("the pairs show nothing")
	}
}

// scriptsOf are the scripts of all rules, by the virtual hosts and whether both sides choose them by one domain.
func scriptsOf(t *testing.T, before, after *table.Table) map[[2]int][][]slot {
	t.Helper()
	c := newComparison(context.Background(), before, after, DefaultLimits)
	c.space = newHostSpace(before, after)
	out := map[[2]int][][]slot{}
	for _, p := range c.pairs() {
		e := c.edit(p)
		var lists [2][]*candidate
		for s := range lists {
			lists[s] = c.candidates(p, side(s), e, places(e.rules[s]), nil)
		}
		whole := slices.Collect(script([2][]*candidate{slices.Clone(lists[beforeSide]), slices.Clone(lists[afterSide])}))
		for s, list := range lists {
			var on []*candidate
			for _, place := range whole {
				if k := place.on[s]; k != nil {
					on = append(on, k)
				}
			}
			if !slices.Equal(on, list) {
				t.Fatal("a script does not hold the lists in their order")
			}
		}
		out[p.host] = append(out[p.host], whole)
	}
	return out
}

func places(rules []table.Rule) []int {
	out := make([]int, len(rules))
	for i := range out {
		out[i] = i
	}
	return out
}

// checkCause looks for the smallest set by trying all.
func checkCause(t *testing.T, before, after *table.Table, scripts map[[2]int][][]slot, k *Class) {
	t.Helper()
	hosts := [2]int{before.Evaluate(k.Witness).Host, after.Evaluate(k.Witness).Host}
	goal := after.Evaluate(k.Witness).Outcome.Key()
	named, checked := false, 0
	for _, whole := range scripts[hosts] {
		edits := editsOf(whole)
		if !slices.Contains(edits, k.Edit) {
			continue // a pair of the same hosts by other domains
		}
		checked++
		if len(edits) > 9 {
			return // 2^9 tables are enough
		}
		for n := range 1 << len(edits) {
			set := subset(edits, n)
			if apply(before, whole, set).Evaluate(k.Witness).Outcome.Key() != goal {
				continue
			}
			if bits.OnesCount(uint(n)) < len(k.Edits) {
				t.Errorf("named are %v, but %v is enough", k.Edits, set)
			}
			named = named || equalSets(set, k.Edits)
		}
		if !named {
			t.Errorf("%v alone do not give the outcome", k.Edits)
		}
	}
	if checked == 0 {
		t.Errorf("no pair of virtual hosts %v has edit %d", hosts, k.Edit)
	}
}

func editsOf(whole []slot) []int {
	var out []int
	for _, place := range whole {
		for _, k := range place.on {
			if k != nil && k.edit >= 0 && !slices.Contains(out, k.edit) {
				out = append(out, k.edit)
			}
		}
	}
	return out
}

func subset(edits []int, n int) []int {
	var out []int
	for i, edit := range edits {
		if n>>i&1 == 1 {
			out = append(out, edit)
		}
	}
	return out
}

func equalSets(a, b []int) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// apply is T(S): a table of one virtual host that every request reaches.
func apply(t *table.Table, whole []slot, set []int) *table.Table {
	host := table.Host{Domains: []string{"*"}}
	for _, place := range whole {
		for s, k := range place.on {
			kept := k != nil && k.edit < 0 && side(s) == beforeSide
			edited := k != nil && k.edit >= 0 && slices.Contains(set, k.edit) == (side(s) == afterSide)
			if kept || edited {
				host.Rules = append(host.Rules, *k.rule)
			}
		}
	}
	return &table.Table{Options: t.Options, Hosts: []table.Host{host}}
}
