package class

// colouring describes a set over a tree of terms, in which a node's own part is its term without those of its children.
// Hosts and paths are both printed so.
type colouring struct {
	children func(node int) []int
	term     func(node int) Term
	colour   func(node int) colour
	// above tells that a node inside lies below; other nodes outside are not descended into.
	above func(node int) bool
}

// colour tells whether the own part of a node is in the set.
type colour uint8

const (
	outside colour = iota
	inside
	// either: the own part is empty, so the node takes its parent's colour.
	either
)

// Lemma 12 (colouring). Write a term where the colour of a node is not that of its parent, as included where it turns to inside and
// as excluded where it turns to outside. A value is in the set exactly if the deepest written term that holds it is an included one,
// and no writing in which the deepest term decides needs fewer terms.
//
// Proof. A value lies in the own part of one node; the deepest written term above or at it is where its colour came from, so it has
// that colour. Where a parent and a child differ (and neither own part is empty) a value of each has the terms above the parent in
// common, so a term that holds the one and not the other must be written: the child's. These are different for different children.

// terms writes the set so, what is inside again below an excluded term in terms of its own, so that one line has one include and
// exclude; the results do not overlap. The walk starts at roots, above which nothing is inside.
func (c colouring) terms(roots []int) []Terms {
	var out []Terms
	var walk func(node, layer int, in bool)
	walk = func(node, layer int, in bool) {
		now := in
		switch c.colour(node) {
		case inside:
			now = true
		case outside:
			now = false
		}
		switch {
		case now && !in:
			for len(out) <= layer {
				out = append(out, Terms{})
			}
			out[layer].Include = append(out[layer].Include, c.term(node))
		case in && !now:
			out[layer].Exclude = append(out[layer].Exclude, c.term(node))
			layer++
		}
		if !now && !c.above(node) {
			return
		}
		for _, child := range c.children(node) {
			walk(child, layer, now)
		}
	}
	for _, root := range roots {
		walk(root, 0, false)
	}
	return out
}

// lineage finds the topmost nodes of a set, in order, and the nodes above others of the set.
func lineage(set []int, parent func(node int) int) (tops []int, above map[int]bool) {
	above = make(map[int]bool)
	in := make(map[int]bool, len(set))
	for _, node := range set {
		in[node] = true
	}
	for _, node := range set {
		top := true
		for p := parent(node); p >= 0; p = parent(p) {
			top = top && !in[p]
			if above[p] {
				// What is above p is known. Whether one of it is in the set decides whether node is a topmost one.
				for ; top && p >= 0; p = parent(p) {
					top = !in[p]
				}
				break
			}
			above[p] = true
		}
		if top {
			tops = append(tops, node)
		}
	}
	return tops, above
}
