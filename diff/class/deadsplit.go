package class

import "slices"

const (
	// splitRules is how many rules a virtual host has that is worth several processors.
	splitRules = 4_000
	// splitParts is how many parts it is divided into. It does not depend on the machine, so that no answer does.
	splitParts = 32
)

// subtree is a node with the list that competes there.
type subtree struct {
	node   int
	list   []*candidate
	weight int
}

// visitAll visits every node, of a large virtual host on all processors.
//
// Nodes with much below them are visited first, one after the other; the rest are subtrees that have no rule in common. A rule
// from above that has not won yet competes in several of them: there it is ignored, and a second walk looks at it alone.
func (w *hostWalk) visitAll() error {
	if len(w.list) < w.splitFrom {
		return w.visit(0, nil)
	}
	var parts []subtree
	light := max(1, len(w.list)/splitParts)
	if err := w.visitHeavy(0, nil, light, w.weights(), &parts); err != nil {
		return err
	}
	if err := w.visitParts(gatherParts(parts, light)); err != nil {
		return err
	}
	late := &lateRules{hostWalk: w, waiting: map[*candidate]bool{}}
	for _, p := range parts {
		for _, k := range p.list {
			if w.open(k) {
				late.waiting[k] = true
			}
		}
	}
	return late.visit(parts)
}

// weights counts the rules of each node and below it.
func (w *hostWalk) weights() []int {
	out := make([]int, len(w.tree.nodes))
	for i := len(out) - 1; i >= 0; i-- { // children stand behind their parents
		out[i] += len(w.tree.nodes[i].own[afterSide])
		if parent := w.tree.nodes[i].parent; parent >= 0 {
			out[parent] += out[i]
		}
	}
	return out
}

// visitHeavy visits the nodes with much below them, and collects the others.
func (w *hostWalk) visitHeavy(node int, inherited []*candidate, light int, weights []int, parts *[]subtree) error {
	list, err := w.enter(node, inherited)
	if err != nil {
		return err
	}
	for _, child := range w.tree.nodes[node].children {
		if weights[child] <= light {
			*parts = append(*parts, subtree{child, list, weights[child]})
		} else if err := w.visitHeavy(child, list, light, weights, parts); err != nil {
			return err
		}
	}
	return nil
}

// gatherParts makes groups of about one weight.
func gatherParts(parts []subtree, weight int) [][]subtree {
	var groups [][]subtree
	left := 0
	for _, p := range parts {
		if left <= 0 {
			groups, left = append(groups, nil), weight
		}
		last := &groups[len(groups)-1]
		*last = append(*last, p)
		left -= p.weight
	}
	return groups
}

func (w *hostWalk) visitParts(groups [][]subtree) error {
	return inParallel(len(groups), w.copy, func(part *hostWalk, i int) error { return part.visitGroup(groups[i]) })
}

// copy is for one of several goroutines. It shares what is only read, and the results of rules that nobody else writes.
func (w *hostWalk) copy() *hostWalk {
	own := newWorker(w.walk.comparison)
	tree := *w.tree
	tree.patterns = slices.Clone(tree.patterns)
	part := *w
	part.walk = &walk{comparison: own.comparison, hostPair: &hostPair{host: w.host, lists: w.lists, tree: &tree}}
	part.rankings = &rankings{variables: own.variables, conditions: w.conditions, known: map[string]*ranking{}}
	part.samples = own.samples
	return &part
}

// visitGroup visits some subtrees.
func (w *hostWalk) visitGroup(group []subtree) error {
	w.work = 0
	for _, p := range group {
		w.ignored = map[*candidate]bool{}
		for _, k := range p.list {
			if w.open(k) {
				w.ignored[k] = true
			}
		}
		if err := w.visit(p.node, p.list); err != nil {
			return err
		}
	}
	return nil
}

// lateRules looks at the rules that all parts have ignored.
type lateRules struct {
	*hostWalk
	waiting map[*candidate]bool
}

// visit walks the parts once more, with every other rule ignored.
func (l *lateRules) visit(parts []subtree) error {
	if len(l.waiting) == 0 {
		return nil
	}
	l.ignored = map[*candidate]bool{}
	for _, k := range l.list {
		if !l.waiting[k] {
			l.ignored[k] = true
		}
	}
	for _, p := range parts {
		if err := l.hostWalk.visit(p.node, p.list); err != nil {
			return err
		}
	}
	l.ignored = nil
	return nil
}
