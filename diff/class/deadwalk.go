package class

import "slices"

// maxCompeting bounds the rules looked at in one virtual host, counted at each node of the tree: many rules with conditions
// on a short path compete at each longer one.
const maxCompeting = 50_000_000

// hostWalk goes through the paths of one virtual host and finds for each rule a request that it wins.
type hostWalk struct {
	*walk
	*rankings
	samples *sampler
	// splits are the patterns of the tree.
	splits []splitPattern
	list   []*candidate
	wins   []*win
	doubt  []string
	// settled rules need no question more: they have won, or nothing more can be found out.
	settled []bool
	// ignored rules are looked at elsewhere, see visitAll.
	ignored map[*candidate]bool
	work    int
	// splitFrom is how many rules are worth several processors.
	splitFrom int
}

// run does the whole work for the virtual host.
func (w *hostWalk) run() (*hostLiveness, error) {
	if err := w.visitAll(); err != nil {
		return nil, err
	}
	out := &hostLiveness{wins: w.wins}
	var dead []*candidate
	for i, k := range w.list {
		switch {
		case w.wins[i] != nil:
		case k.rule.Connect:
			out.unsure = append(out.unsure, UnsureRule{RuleRef{Rule: i}, connectReason})
		case w.doubt[i] != "":
			out.unsure = append(out.unsure, UnsureRule{RuleRef{Rule: i}, w.doubt[i]})
		default:
			dead = append(dead, k)
		}
	}
	var err error
	out.dead, err = w.explainAll(dead)
	return out, err
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
	return w.settle(node, list), w.walk.ctx.Err()
}

// leave notes why it is not known whether rules win.
func (w *hostWalk) leave(list []*candidate, reason string) {
	for _, k := range list {
		if w.open(k) && w.doubt[k.position] == "" {
			w.doubt[k.position] = reason
		}
	}
}

// settle looks for requests that open rules win in the own part of a node: first the plainest, then, of rules that may win there or
// below, one of each part. It returns the list without the others.
func (w *hostWalk) settle(node int, list []*candidate) []*candidate {
	if !slices.ContainsFunc(list, w.open) {
		return list
	}
	w.tryPlain(node, list)
	list = w.withoutCovered(list)
	if slices.ContainsFunc(list, hasPattern) && slices.ContainsFunc(list, w.open) {
		w.tryParts(node, list)
	}
	return list
}

func hasPattern(k *candidate) bool { return k.pattern >= 0 }

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
