package class

import (
	"fmt"
	"slices"
	"strings"
)

// regions collects sets of requests: for each pair of virtual hosts and each question, the paths.
type regions struct {
	parts []*region
	index map[regionKey]*region
	// ready are areas that were complete from the beginning.
	ready []Area
}

type regionKey struct {
	pair     *hostPair
	question string
}

type region struct {
	pair *hostPair
	question
	paths pathSet
}

func (r *regions) add(p *hostPair, q question, cells []*pathCell) {
	key := regionKey{p, fmt.Sprintf("%#v", q)}
	part := r.index[key]
	if part == nil {
		part = &region{pair: p, question: q, paths: pathSet{}}
		if r.index == nil {
			r.index = map[regionKey]*region{}
		}
		r.index[key] = part
		r.parts = append(r.parts, part)
	}
	for _, cell := range cells {
		part.paths.add(cell)
	}
}

// areas writes the regions, with hosts gathered that have the same paths and conditions.
func (r *regions) areas(c *comparison) []Area {
	type written struct {
		area  Area
		cells []int
	}
	index := map[string]*written{}
	var order []*written
	for _, part := range r.parts {
		for _, paths := range (pathTerms{c, part.pair}).terms(part.paths) {
			area := Area{Paths: paths, Conditions: part.conditions, Except: part.except}
			key := fmt.Sprintf("%#v", area)
			w := index[key]
			if w == nil {
				w = &written{area: area}
				index[key] = w
				order = append(order, w)
			}
			w.cells = append(w.cells, part.pair.cells...)
		}
	}
	out := slices.Clone(r.ready)
	hosts := newHostTerms(c.space)
	for _, w := range order {
		for _, terms := range hosts.terms(w.cells) {
			w.area.Hosts = terms
			out = append(out, w.area)
		}
	}
	slices.SortFunc(out, compareAreas)
	return out
}

func compareAreas(a, b Area) int {
	return strings.Compare(areaText(a), areaText(b))
}

// areaText orders areas: by hosts, then paths, then conditions.
func areaText(a Area) string {
	return fmt.Sprintf("%#v", a)
}
