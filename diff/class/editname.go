package class

import (
	"fmt"

	"github.com/routedelta/routedelta/diff/table"
)

// Rules of files that say nothing of manifests are told by what such files have: the name of a route, and its place.

// byName is the likeness of rules that have a name which no other rule of their virtual host has. Rules of manifests are told by
// their origin; the names that we give them count matches, so another rule has the name after an edit.
func (m *editMatcher) byName() func(*table.Rule) likeness {
	counts := map[string][2]int{}
	for s := range m.open {
		for _, i := range m.open[s] {
			if name := nameOf(m.rule(side(s), i)); name != "" {
				counts[name] = [2]int{}
			}
		}
	}
	if len(counts) > 0 {
		for s := range m.open {
			rules := rulesOf(m.tables[s], m.pair.host[s])
			for i := range rules {
				if n, asked := counts[nameOf(&rules[i])]; asked {
					n[s]++
					counts[rules[i].Name] = n
				}
			}
		}
	}
	return func(r *table.Rule) likeness {
		if name := nameOf(r); name != "" && counts[name] == [2]int{1, 1} {
			return likeness{key: name}
		}
		return likeness{}
	}
}

// nameOf a rule without an origin.
func nameOf(r *table.Rule) string {
	if r.Origin != (table.Origin{}) {
		return ""
	}
	return r.Name
}

// byPlace is the likeness of rules without an origin that stand between the same rules of the common subsequence and do the same,
// where both sides have as many of them: then only what they match was edited, and their order says which is which.
func (m *editMatcher) byPlace(edited [2][]int) func(*table.Rule) likeness {
	places := map[*table.Rule]string{}
	counts := map[string][2]int{}
	for s := range edited {
		gap := gapsOf(edited[s])
		for _, i := range m.open[s] {
			r := m.rule(side(s), i)
			if r.Origin != (table.Origin{}) {
				continue
			}
			place := fmt.Sprintf("%d %s", gap[i], r.OutcomeKey())
			places[r] = place
			n := counts[place]
			n[s]++
			counts[place] = n
		}
	}
	return func(r *table.Rule) likeness {
		if n := counts[places[r]]; n[beforeSide] == n[afterSide] {
			return likeness{key: places[r]}
		}
		return likeness{}
	}
}

// gapsOf says how many kept rules stand ahead of each edited one: the same number is the same gap on both sides.
func gapsOf(edited []int) map[int]int {
	gap := make(map[int]int, len(edited))
	for n, i := range edited {
		gap[i] = i - n
	}
	return gap
}
