package class

import (
	"cmp"
	"slices"
	"sync"

	"github.com/routedelta/routedelta/diff/automaton"
	"github.com/routedelta/routedelta/diff/table"
)

// maxCompeting bounds the rules looked at in one virtual host, counted at each node of the tree: many rules with conditions
// on a short path compete at each longer one.
const maxCompeting = 50_000_000

// hostWalk goes through the paths of one virtual host and finds for each rule a request that it wins.
type hostWalk struct {
	*walk
	*rankings
	samples *sampler
	list    []*candidate
	wins    []*win
	doubt   []string
	// settled rules need no question more: they have won, or nothing more can be found out.
	settled []bool
	// ignored rules are looked at elsewhere, see visitAll.
	ignored map[*candidate]bool
	work    int
	// splitFrom is how many rules are worth several processors.
	splitFrom int
}

func newHostWalk(c *worker, host int) *hostWalk {
	rules := c.tables[afterSide].Hosts[host].Rules
	w := &hostWalk{
		rankings: newRankings(c.comparison), samples: c.samples, splitFrom: splitRules,
		list: make([]*candidate, len(rules)), wins: make([]*win, len(rules)),
		doubt: make([]string, len(rules)), settled: make([]bool, len(rules)),
	}
	room := make([]candidate, len(rules))
	for i := range rules {
		k := &room[i]
		*k = candidate{rule: &rules[i], ref: RuleRef{host, i}, side: afterSide, position: i, edit: -1, pattern: -1}
		c.shape(k)
		w.list[i] = k
	}
	p := &hostPair{host: [2]int{host, host}}
	p.lists[afterSide] = w.list
	var numbering sync.WaitGroup
	numbering.Go(w.numberRules) // the tree does not look at the numbers
	p.tree = newPathTree(p.lists)
	numbering.Wait()
	w.walk = &walk{comparison: c.comparison, hostPair: p}
	p.numberPatterns()
	return w
}

// numberRules gives rules of the same conditions one key.
func (w *hostWalk) numberRules() {
	for _, k := range w.list {
		k.key = w.number(k)
	}
}

// shape finds where in the tree a rule belongs. A pattern that says no more than a literal is one; of a pattern that is not
// understood only the literal is known, and the rule may match or not.
func (c *comparison) shape(k *candidate) {
	k.doubt = c.doubtOf(k.rule)
	k.form = c.patterns.form(k.rule.Path)
	if k.rule.Path.Kind == table.PathRegex {
		c.shapePattern(k)
	}
	if k.form.literal == (automaton.Literal{Kind: automaton.Prefix}) {
		k.form.literal.Text = "/" // with which every path at the router begins
	}
}

func (c *comparison) shapePattern(k *candidate) {
	if _, rest := c.patterns.split(k.rule.Path.Value); !rest.understood {
		if err := table.CheckRegex(k.rule.Path.Value); err != nil {
			k.form.pattern = ""
			k.doubt = cmp.Or(k.doubt, err.Error())
		}
		return
	}
	if literal, ok := c.patterns.asLiteral(k.rule.Path.Value); ok {
		k.form = pathForm{literal: literal}
	}
}

// run does the whole work for the virtual host.
func (w *hostWalk) run() (*hostLiveness, error) {
	if err := w.visitAll(); err != nil {
		return nil, err
	}
	out := &hostLiveness{wins: w.wins}
	search := &coverSearch{hostWalk: w}
	for i, k := range w.list {
		switch {
		case w.wins[i] != nil:
		case k.rule.Connect:
			out.unsure = append(out.unsure, UnsureRule{RuleRef{Rule: i}, connectReason})
		case w.doubt[i] != "":
			out.unsure = append(out.unsure, UnsureRule{RuleRef{Rule: i}, w.doubt[i]})
		default:
			dead, err := search.explain(k)
			if err != nil {
				return nil, err
			}
			out.dead = append(out.dead, dead)
		}
	}
	return out, nil
}

// open tells that a rule has not won yet, and may.
func (w *hostWalk) open(k *candidate) bool { return !w.settled[k.position] && !w.ignored[k] }

// visit asks about the rules at a node that have not won yet, and goes on below it.
func (w *hostWalk) visit(node int, inherited []*candidate) error {
	list, err := w.enter(node, inherited)
	if err != nil {
		return err
	}
	for _, child := range w.tree.nodes[node].children {
		if err := w.visit(child, list); err != nil {
			return err
		}
	}
	return nil
}

// enter asks about the rules at a node, and returns the list that competes below it.
func (w *hostWalk) enter(node int, inherited []*candidate) ([]*candidate, error) {
	own := w.tree.nodes[node].own[afterSide]
	list := mergeLists(inherited, own)
	if w.work += len(list); w.work > maxCompeting {
		w.leave(own, "too many rules compete for one path")
		return nil, w.walk.ctx.Err()
	}
	if slices.ContainsFunc(list, w.open) {
		w.settle(node, list)
		list = w.withoutCovered(list)
	}
	return list, w.walk.ctx.Err()
}

// leave notes why it is not known whether rules win.
func (w *hostWalk) leave(list []*candidate, reason string) {
	for _, k := range list {
		if w.open(k) && w.doubt[k.position] == "" {
			w.doubt[k.position] = reason
		}
	}
}

// settle looks for requests that open rules win in the own part of a node: first the plainest, then one of each part.
func (w *hostWalk) settle(node int, list []*candidate) {
	patterns := patternsIn([2][]*candidate{list, nil})
	plain, found := w.plainPath(node, list)
	if len(patterns) == 0 {
		if found {
			w.try(list, plain)
		}
		return
	}
	if found {
		w.tryAt(list, plain)
	}
	for _, k := range list {
		if k.pattern >= 0 && w.open(k) {
			for path := range w.patterns.samplePaths(k.form.pattern) {
				if w.open(k) && w.inOwnPart(node, path) {
					w.tryAt(list, path)
				}
			}
		}
	}
	if slices.ContainsFunc(list, w.open) {
		w.tryParts(node, list, patterns)
	}
}

// plainPath is a path of the own part of a node that reaches the router, the literal itself if it is one.
func (w *hostWalk) plainPath(node int, list []*candidate) (string, bool) {
	if text := w.tree.nodes[node].literal.Text; w.inOwnPart(node, text) {
		return text, true
	}
	found, err := w.exploration(node, nil, 1)
	if err != nil {
		w.leave(list, err.Error())
	}
	if err != nil || len(found) == 0 {
		return "", false
	}
	return found[0].Witness, true
}

// inOwnPart tells whether a path reaches the router and lies in a node and none of its children.
func (w *hostWalk) inOwnPart(node int, path string) bool {
	n := &w.tree.nodes[node]
	at := automaton.Literal{Kind: automaton.Exact, Text: path}
	if path == "" || !covers(n.literal, at) || !w.paths.Matches(path) {
		return false
	}
	// Children are sorted, those that contain a path right before it.
	i, _ := slices.BinarySearchFunc(n.children, at, func(child int, at automaton.Literal) int {
		return compareLiterals(w.tree.nodes[child].literal, at)
	})
	for _, near := range []int{i - 1, i} {
		if near >= 0 && near < len(n.children) && covers(w.tree.nodes[n.children[near]].literal, at) {
			return false
		}
	}
	return true
}

// tryAt tries a path, with the patterns that it matches found without their automata, which cost more than the rest.
func (w *hostWalk) tryAt(list []*candidate, path string) {
	last := len(list) - 1
	for last >= 0 && !w.open(list[last]) {
		last-- // what is behind all open rules does not matter
	}
	var matched []*candidate
	for _, k := range list[:last+1] {
		if k.pattern >= 0 && !w.samples.matches(k, path) {
			continue
		}
		if matched = append(matched, k); k.catchAll() {
			break
		}
	}
	w.try(matched, path)
}

// tryParts tries every part of a node.
func (w *hostWalk) tryParts(node int, list []*candidate, patterns []int) {
	for _, p := range patterns {
		if err := w.build(p); err != nil {
			w.leave(list, err.Error())
			return
		}
	}
	vectors, err := w.exploration(node, patterns, 0)
	if err != nil {
		w.leave(list, err.Error())
		return
	}
	for _, v := range vectors {
		w.try(matching(list, matchedPatterns(v, patterns)), v.Witness)
	}
}

// build makes the automaton of a pattern.
func (w *hostWalk) build(pattern int) (err error) {
	p := &w.tree.patterns[pattern]
	if p.dfa == nil {
		p.dfa, err = w.comparison.patterns.compile(p.text)
	}
	return err
}

// try asks which open rules of a list win a request with a path that all of them match.
func (w *hostWalk) try(list []*candidate, path string) {
	if !slices.ContainsFunc(list, w.open) {
		return
	}
	r := w.of(list)
	for i, k := range list {
		if !w.open(k) {
			continue
		}
		switch v := r.verdict(i); v.kind {
		case wins:
			w.wins[k.position] = &win{path: path, system: r.system, solution: v.solution}
			w.settled[k.position] = true
		case unsure:
			w.leave([]*candidate{k}, v.reason)
			w.settled[k.position] = k.doubt != ""
		}
	}
}

// withoutCovered drops the open rules that win nothing at a node and below it: rules that match every path which they match
// there cover them, surely or perhaps. The latter have been noted.
func (w *hostWalk) withoutCovered(list []*candidate) []*candidate {
	var kept []*candidate
	for i, k := range list {
		if w.open(k) && w.coveredBelow(list[:i], k) {
			if kept == nil {
				kept = slices.Clone(list[:i])
			}
			continue
		}
		if kept != nil {
			kept = append(kept, k)
		}
	}
	if kept == nil {
		return list
	}
	return kept
}

// coveredBelow tells whether a rule wins nothing below a node whatever the patterns match.
func (w *hostWalk) coveredBelow(ahead []*candidate, k *candidate) bool {
	competing := make([]*candidate, 0, len(ahead)+1)
	for _, other := range ahead {
		if other.pattern < 0 || other.pattern == k.pattern {
			competing = append(competing, other)
		}
	}
	r := w.of(append(competing, k))
	v := r.verdict(len(competing))
	if v.kind == unsure {
		w.leave([]*candidate{k}, v.reason)
	}
	return v.kind != wins
}
