package class

// colouring describes a set over a tree of terms, in which a node's own part is its term without those of its children.
// Hosts and paths are both printed so.
type colouring struct {
	children func(node int) []int
	term     func(node int) Term
	colour   func(node int) colour
}

// colour tells whether the own part of a node is in the set.
type colour uint8

const (
	outside colour = iota
	inside
	// either: the own part is empty, so the node takes its parent's colour.
	either
)

// terms writes the set as included terms without excluded ones: a term is written where the colour changes on the way down,
// which is the least possible over the terms of the tree. What is inside again below an excluded term goes into terms of
// its own; the results do not overlap.
func (c colouring) terms(root int) []Terms {
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
		for _, child := range c.children(node) {
			walk(child, layer, now)
		}
	}
	walk(root, 0, false)
	return out
}
