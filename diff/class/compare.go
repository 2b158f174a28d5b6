package class

import (
	"context"
	"fmt"
	"slices"

	"github.com/routedelta/routedelta/diff/automaton"
	"github.com/routedelta/routedelta/diff/table"
)

// Compare finds the request classes between two tables of one place. It fails only when ctx ends; what it cannot decide is
// in the result.
//
// The order of work: hosts are divided into cells with one virtual host on each side (hosts.go). For each pair of virtual
// hosts that differ, the edited rules are found (edits.go, lemma 1), equal rules behind them are collapsed (tail.go,
// lemma 2), and what competes with edited rules is put into a tree of paths (pathtree.go, lemma 3). At each node where the
// lists differ the conditions decide which pairs of winners occur (decide.go, search.go). The changes are gathered by the
// edit behind them (gather.go), written down (cubes.go, pathterms.go, hostterms.go), and an example of each is put to the
// evaluator of both tables (witness.go). Where the options differ that change what reaches the router, all this is about the
// requests that both sides see alike (reception.go), and of the others it is said what can be (optionchange.go).
func Compare(ctx context.Context, before, after *table.Table, limits Limits) (*Result, error) {
	c := newComparison(ctx, before, after, limits.withDefaults())
	if c.sameTables() {
		return &c.result, nil
	}
	if reason := c.undecidable(); reason != "" {
		return &c.result, c.undecideAll(reason)
	}
	var err error
	if c.paths, err = commonPaths(before.Options, after.Options, c.patterns); err != nil {
		return &c.result, c.undecideAll(err.Error())
	}
	c.space = newHostSpace(before, after)
	if c.reception != nil {
		c.space.reachable = func(host string) bool {
			_, ok := sendableHost(host, before.Options, after.Options)
			return ok
		}
		c.compareOptions()
	}
	if c.space.overBudget() {
		return &c.result, c.undecideAll("too many wildcard domains that cross")
	}
	pairs := c.pairs()
	for _, p := range pairs {
		if !c.prepare(p) {
			continue
		}
		if err := c.walkTree(p); err != nil {
			return nil, fmt.Errorf("comparing routes: %w", err)
		}
	}
	if err := c.gather(pairs); err != nil {
		return nil, fmt.Errorf("comparing routes: %w", err)
	}
	c.undecideConnect()
	if err := c.findEffectless(pairs); err != nil {
		return nil, fmt.Errorf("comparing routes: %w", err)
	}
	return &c.result, nil
}

// comparison is the state of one Compare.
type comparison struct {
	ctx    context.Context
	tables [2]*table.Table
	limits Limits

	// reception is nil where the options are the same. optionRegions are the first of the undecided ones, for options that differ.
	reception     *reception
	optionRegions int

	patterns  *patterns
	variables *variables
	outcomes  *outcomes
	ruleKeys  numbers
	paths     *automaton.DFA // that reach the router
	space     *hostSpace
	judges    [2]*judge // the last of each side
	scripts   map[*hostPair][]slot

	editGroups map[editIdentity]int
	// felt are the edits that have a part in a change, unsure those behind something undecided.
	felt, unsure map[int]bool
	result       Result
}

func newComparison(ctx context.Context, before, after *table.Table, limits Limits) *comparison {
	p := newPatterns(limits.States)
	c := &comparison{
		ctx: ctx, tables: [2]*table.Table{before, after}, limits: limits,
		patterns: p, variables: newVariables(ctx, commonOptions(before.Options, after.Options), p, limits),
		outcomes: newOutcomes(), ruleKeys: numbers{}, scripts: map[*hostPair][]slot{},
		editGroups: map[editIdentity]int{}, felt: map[int]bool{}, unsure: map[int]bool{},
	}
	if !before.Options.Equal(after.Options) {
		c.reception = newReception(before, after)
	}
	return c
}

// undecidable tells why nothing can be said about the two tables, or "".
func (c *comparison) undecidable() string {
	before, after := c.tables[beforeSide].Options, c.tables[afterSide].Options
	onOneSide := func(x, y []string) int {
		return slices.IndexFunc(x, func(name string) bool { return !slices.Contains(y, name) })
	}
	if i := onOneSide(before.Rerouters, after.Rerouters); i >= 0 {
		return "a filter that may choose the route anew is there only before: " + before.Rerouters[i]
	}
	if i := onOneSide(after.Rerouters, before.Rerouters); i >= 0 {
		return "a filter that may choose the route anew is there only after: " + after.Rerouters[i]
	}
	if before.ScopedBy != after.ScopedBy {
		return fmt.Sprintf("scoped_routes tell requests apart by %q before and by %q after", before.ScopedBy, after.ScopedBy)
	}
	if unmodelled := slices.Concat(before.Unmodelled, after.Unmodelled); len(unmodelled) > 0 {
		return "not modelled: " + unmodelled[0]
	}
	return ""
}

// sameTables tells whether the two tables are the same function, whatever it is.
func (c *comparison) sameTables() bool {
	before, after := c.tables[beforeSide], c.tables[afterSide]
	return before.Options.Equal(after.Options) && before.Digest() == after.Digest()
}

// undecideAll leaves every request undecided.
func (c *comparison) undecideAll(reason string) error {
	area := Area{Hosts: anything(), Paths: anything()}
	routed := c.membership([]Area{area})
	contains := func(r table.Request) bool { return r.Method == connectMethod || routed(r) }
	if c.reception != nil {
		contains = func(table.Request) bool { return true } // even those that one side answers before it chooses a route
	}
	c.result = Result{Undecided: []Undecided{{Area: area, Reason: reason, contains: contains}}}
	return c.ctx.Err()
}

// pairs groups the cells of hosts by the virtual hosts of the two sides. Pairs with equal rules are left out.
func (c *comparison) pairs() []*hostPair {
	type key struct {
		host     [2]int
		sameName bool
	}
	index := map[key]*hostPair{}
	equal := map[[2]int]bool{}
	var unsure []int
	var out []*hostPair
	for i, cell := range c.space.cells {
		same, known := equal[cell.host]
		if !known {
			same = c.sameRulesOf(cell.host)
			equal[cell.host] = same
		}
		if same {
			continue
		}
		if found, sure := c.space.findWitness(i); !found {
			if !sure {
				unsure = append(unsure, i)
			}
			continue // no request has such a host
		}
		k := key{cell.host, cell.chosen[beforeSide] == cell.chosen[afterSide]}
		p := index[k]
		if p == nil {
			p = &hostPair{host: cell.host}
			index[k] = p
			out = append(out, p)
		}
		p.cells = append(p.cells, i)
	}
	c.undecideCells(unsure)
	return out
}

func (c *comparison) sameRulesOf(host [2]int) bool {
	return digestOf(c.tables[beforeSide], host[beforeSide]) == digestOf(c.tables[afterSide], host[afterSide])
}

// digestOf is the identity of a virtual host's rules. A host of which nothing is known has none.
func digestOf(t *table.Table, host int) string {
	if host < 0 {
		return (&table.Host{}).Digest()
	}
	return t.Hosts[host].Digest()
}
