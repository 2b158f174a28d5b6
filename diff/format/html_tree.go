package format

import (
	"cmp"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/report"
)

// finish merges hosts in which the same happens, nests the paths of those that are shown, and tells whether something is not.
func (p *mapPlace) finish() (partial bool) {
	var rows []*mapRow
	same := map[string]*mapRow{}
	for _, row := range p.Rows {
		key := row.signature()
		first := same[key]
		switch {
		case first == nil && len(rows) < mapRows:
			same[key] = row
			rows = append(rows, row)
		case first == nil:
			p.More++
		case len(first.Hosts) < 5:
			first.Hosts = append(first.Hosts, row.Hosts...)
		default:
			first.MoreHosts++
		}
	}
	for _, row := range rows {
		row.nest()
		partial = partial || row.More > 0
	}
	p.Rows = rows
	return partial || p.More > 0
}

// signature is equal for rows that look alike.
func (r *mapRow) signature() string {
	said := []any{r.More, r.Here}
	for _, n := range r.nodes {
		said = append(said, n.key, n.Cells)
	}
	return report.Digest(said...)
}

// nest makes a tree of the sets of paths: each is a child of the smallest one that holds it.
func (r *mapRow) nest() {
	slices.SortStableFunc(r.nodes, func(a, b *mapNode) int {
		return cmp.Or(cmp.Compare(len(a.term.Value), len(b.term.Value)), strings.Compare(a.term.Value, b.term.Value), strings.Compare(a.key, b.key))
	})
	for _, n := range r.nodes {
		parent := r.parent(n)
		if parent == nil {
			r.Paths = append(r.Paths, n)
			continue
		}
		parent.Children = append(parent.Children, n)
	}
	byPath(r.Paths)
	for _, n := range r.nodes {
		byPath(n.Children)
	}
}

// parent is the smallest other set that holds all of a node. What is narrowed by a "within" holds nothing for sure.
func (r *mapRow) parent(n *mapNode) *mapNode {
	var smallest *mapNode
	for _, other := range r.nodes {
		if other != n && other.whole && contains(other.term, n.term) && (smallest == nil || contains(smallest.term, other.term)) {
			smallest = other
		}
	}
	return smallest
}

func byPath(nodes []*mapNode) {
	slices.SortStableFunc(nodes, func(a, b *mapNode) int { return strings.Compare(a.term.Value, b.term.Value) })
}

// contains tells whether every path of b is one of a, as far as their words tell: of expressions and endings nothing is said,
// so that they stand for themselves on the map. A false answer costs a level of the tree, never a request.
func contains(a, b class.Term) bool {
	if isEnding(b) {
		return false
	}
	switch a.Kind {
	case class.TermSegments:
		base := strings.TrimSuffix(a.Value, "/")
		below := strings.HasPrefix(b.Value, base+"/")
		return below || b.Value == base && b.Kind == class.TermExact
	case class.TermPrefix:
		// A prefix holds the segments of the same value, and not the other way round. These hold the path without a last slash too.
		value := b.Value
		if b.Kind == class.TermSegments {
			value = strings.TrimSuffix(value, "/")
		}
		return strings.HasPrefix(value, a.Value)
	}
	return false
}

// isEnding tells whether the value of a term does not say how a path begins.
func isEnding(t class.Term) bool {
	return t.Kind == class.TermSuffix || t.Kind == class.TermRegex || t.Kind == class.TermAny
}
