package class

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/automaton"
	"github.com/routedelta/routedelta/diff/table"
)

// Crossing is a pair of rules that overlap while neither contains the other, and that send requests to different backends.
// What both match goes to First; who wrote Second may not know. A specific rule ahead of a general one is no crossing.
type Crossing struct {
	First, Second RuleRef
	// Witness is a request that both match and First wins. It sends no header twice.
	Witness table.Request
	// More counts further pairs that cross in the same way: the wider of their paths and the names in their conditions are
	// the same. No more than maxCrossingsCounted are counted.
	More int
}

const (
	// maxCrossingPairs bounds the pairs looked at in one virtual host.
	maxCrossingPairs = 2_000_000
	// maxCrossingPaths bounds the searches for a path that two patterns match, in one virtual host.
	maxCrossingPaths = 2_000
	// maxCrossingsCounted bounds the pairs of one kind.
	maxCrossingsCounted = 100
)

// Crossings finds the pairs among the rules that are known to win requests. complete is false when a budget ended the search.
// A pair is found where it shows on a path that lies in no narrower rule's path; those are the pairs that a reader of the two
// rules has in mind. It fails only when ctx ends.
func (l *Liveness) Crossings(ctx context.Context, limits Limits) (found []Crossing, complete bool, err error) {
	if l.Undecided != "" {
		return nil, false, ctx.Err()
	}
	s := newSurvey(ctx, l.table, limits)
	byHost := make([]*crossWalk, len(l.hosts))
	err = s.each(func(w *worker, host, cell int) error {
		if cell < 0 {
			return nil
		}
		c := &crossWalk{hostWalk: newHostWalk(w, host), wins: l.hosts[host].wins, kinds: map[string]*crossing{}, relations: map[[2]uint32]relation{}}
		byHost[host] = c
		if err := c.visit(0, nil, nil); err != nil {
			return fmt.Errorf("looking for rules that cross: %w", err)
		}
		return nil
	})
	complete = true
	for host, c := range byHost {
		if c == nil {
			continue
		}
		complete = complete && !c.gaveUp
		for _, x := range c.order {
			found = append(found, Crossing{First: x.first.ref, Second: x.second.ref, Witness: l.request(host, &x.win), More: x.more})
		}
	}
	return found, complete, err
}

// crossing is a kind of pairs with its first example.
type crossing struct {
	first, second *candidate
	win
	more int
}

// crossWalk goes through the tree of one virtual host and compares the rules of each node with those above it.
type crossWalk struct {
	*hostWalk
	wins      []*win
	kinds     map[string]*crossing
	order     []*crossing
	relations map[[2]uint32]relation
	pairs     int
	searches  int
	gaveUp    bool
}

// visit compares the rules of a node with those of the node and above it that do not take everything there.
func (c *crossWalk) visit(node int, inherited, above []*candidate) error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	own := c.tree.nodes[node].own[afterSide]
	list := mergeLists(inherited, own)
	above = slices.Clip(above)
	for _, k := range own {
		if c.wins[k.position] == nil || k.hasChance() {
			continue
		}
		for _, other := range above {
			if c.pairs++; c.pairs > maxCrossingPairs {
				c.gaveUp = true
				return nil
			}
			c.compare(node, list, other, k)
		}
		if k.pattern >= 0 || !k.catchAll() {
			above = append(above, k)
		}
	}
	for _, child := range c.tree.nodes[node].children {
		if err := c.visit(child, list, above); err != nil || c.gaveUp {
			return err
		}
	}
	return nil
}

// compare looks at a pair, of which the first has the wider literal.
func (c *crossWalk) compare(node int, list []*candidate, wide, narrow *candidate) {
	first, second := wide, narrow
	if first.position > second.position {
		first, second = second, first
	}
	if c.choice(first) == c.choice(second) {
		return
	}
	kind := c.kinds[kindOf(wide, narrow)]
	if kind != nil && kind.more >= maxCrossingsCounted {
		return
	}
	values := c.relation(first, second)
	if !values.meet {
		return
	}
	path := c.commonPath(node, first, second)
	if path == "" || c.contains(first, second, values) {
		return
	}
	w := c.wonByFirst(list, path, first, second)
	switch {
	case w == nil:
	case kind != nil:
		kind.more++
	default:
		x := &crossing{first: first, second: second, win: *w}
		c.kinds[kindOf(wide, narrow)] = x
		c.order = append(c.order, x)
	}
}

// kindOf is the same for pairs that a reader sees as one thing.
func kindOf(wide, narrow *candidate) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%v %q %t", wide.form, wide.form.pattern, wide.position < narrow.position)
	for _, k := range []*candidate{wide, narrow} {
		out.WriteString(";")
		for _, p := range k.predicates() {
			fmt.Fprintf(&out, "%d%q", p.Source, p.Name)
		}
	}
	return out.String()
}

// relation is how the conditions of two rules stand to each other. Requests that send a header twice are left out.
type relation struct{ meet, firstInside, secondInside bool }

func (c *crossWalk) relation(first, second *candidate) relation {
	key := [2]uint32{first.key, second.key}
	r, known := c.relations[key]
	if !known {
		r = c.relate(first, second)
		c.relations[key] = r
	}
	return r
}

func (c *crossWalk) relate(first, second *candidate) relation {
	pair := c.of([]*candidate{first, second})
	if pair.err != nil {
		return relation{}
	}
	possible := func(q question) bool {
		_, found, err := pair.solve(pair.free(true), q)
		return found && err == nil
	}
	one, other := first.conditions(), second.conditions()
	return relation{
		meet:         possible(question{conditions: slices.Concat(one, other)}),
		firstInside:  !possible(question{one, [][]Condition{other}}),
		secondInside: !possible(question{other, [][]Condition{one}}),
	}
}

// commonPath is a path of the node's own part that both match, "" for none.
func (c *crossWalk) commonPath(node int, first, second *candidate) string {
	var paths []string
	for _, k := range []*candidate{first, second} {
		if k.pattern >= 0 {
			paths = slices.AppendSeq(paths, c.splits[k.pattern].samplePaths)
		}
	}
	paths = append(paths, c.tree.nodes[node].literal.Text)
	for _, path := range paths {
		if c.inOwnPart(node, path) && c.matchesPath(first, path) && c.matchesPath(second, path) {
			return path
		}
	}
	if first.pattern < 0 && second.pattern < 0 {
		return ""
	}
	return c.searchPath(node, first, second)
}

// searchPath looks for a common path by the automata of the patterns.
func (c *crossWalk) searchPath(node int, first, second *candidate) string {
	if c.searches++; c.searches > maxCrossingPaths {
		c.gaveUp = true
		return ""
	}
	patterns := patternsIn([2][]*candidate{{first}, {second}})
	for _, p := range patterns {
		if c.compilePattern(p) != nil {
			return ""
		}
	}
	found, err := c.exploration(node, patterns, 0)
	if err != nil {
		return ""
	}
	for _, v := range found {
		if !slices.Contains(v.Truth, false) {
			return v.Witness
		}
	}
	return ""
}

func (c *crossWalk) matchesPath(k *candidate, path string) bool {
	return k.pattern < 0 || c.samples.matches(c.splits[k.pattern], path)
}

// contains tells whether one rule is inside the other, or that could not be found out.
func (c *crossWalk) contains(first, second *candidate, values relation) bool {
	return values.firstInside && c.pathsInside(first, second) || values.secondInside && c.pathsInside(second, first)
}

// pathsInside tells whether all paths of a rule that reach the router are paths of the other.
func (c *crossWalk) pathsInside(in, out *candidate) bool {
	if in.pattern >= 0 && in.pattern == out.pattern {
		return true
	}
	e := automaton.Exploration{Base: in.form.literal, Language: c.paths, Limit: c.limits.Product}
	if out.pattern < 0 && covers(out.form.literal, in.form.literal) {
		return true
	}
	if out.pattern < 0 {
		if !covers(in.form.literal, out.form.literal) {
			return false
		}
		e.Without = append(e.Without, out.form.literal)
	}
	for _, k := range []*candidate{in, out} {
		if k.pattern < 0 {
			continue
		}
		if c.compilePattern(k.pattern) != nil {
			return true
		}
		e.Tests = append(e.Tests, c.tree.patterns[k.pattern].dfa)
	}
	found, err := e.Run()
	if err != nil {
		return true
	}
	return !slices.ContainsFunc(found, func(v automaton.Vector) bool {
		inside := in.pattern < 0 || v.Truth[0]
		return inside && (out.pattern < 0 || !v.Truth[len(v.Truth)-1])
	})
}

// wonByFirst is a request of a path that both rules match and the first of them wins; nil for none.
func (c *crossWalk) wonByFirst(list []*candidate, path string, first, second *candidate) *win {
	competing := []*candidate{second}
	for _, k := range list[:max(0, slices.Index(list, first))] {
		if !c.matchesPath(k, path) {
			continue
		}
		if k.catchAll() {
			return nil
		}
		competing = append(competing, k)
	}
	r := c.of(append(competing, first))
	if r.err != nil || !slices.Contains(list, first) {
		return nil
	}
	q := question{conditions: slices.Concat(first.conditions(), second.conditions())}
	for _, k := range competing[1:] {
		q.except = append(q.except, k.conditions())
	}
	solution, found, err := r.solve(r.free(true), q)
	if err != nil || !found {
		return nil
	}
	return &win{path: path, system: r.system, solution: solution}
}
