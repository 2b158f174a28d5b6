package class

import (
	"slices"
	"strconv"
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

func keyOf(p *hostPair, q question) regionKey {
	return regionKey{p, string(appendQuestion(nil, q.conditions, q.except))}
}

func (r *regions) add(p *hostPair, q question, cells []*pathCell) {
	key := keyOf(p, q)
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
			key := areaText(area)
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
	sortAreas(out)
	return out
}

// sortAreas sorts by hosts, then paths, then conditions.
func sortAreas(areas []Area) {
	texts := make(map[*Area]string, len(areas))
	order := make([]*Area, len(areas))
	for i := range areas {
		order[i] = &areas[i]
		texts[order[i]] = areaText(areas[i])
	}
	slices.SortFunc(order, func(a, b *Area) int { return strings.Compare(texts[a], texts[b]) })
	sorted := make([]Area, len(areas))
	for i, a := range order {
		sorted[i] = *a
	}
	copy(areas, sorted)
}

// areaText is the same for areas that are written the same, and orders them.
func areaText(a Area) string {
	out := appendTerms(appendTerms(nil, a.Hosts), a.Paths)
	return string(appendQuestion(out, a.Conditions, a.Except))
}

func appendTerms(out []byte, t Terms) []byte {
	for _, list := range [][]Term{t.Include, t.Within, t.Exclude} {
		for _, term := range list {
			out = append(out, term.Kind...)
			out = strconv.AppendQuote(out, term.Value)
		}
		out = append(out, ';')
	}
	return out
}

func appendQuestion(out []byte, conditions []Condition, except [][]Condition) []byte {
	for _, list := range append([][]Condition{conditions}, except...) {
		for _, c := range list {
			out = append(out, byte(c.Source), byte(c.Test), flag(c.IgnoreCase), flag(c.Invert), flag(c.MissingAsEmpty), flag(c.Not))
			out = strconv.AppendQuote(out, c.Name)
			out = strconv.AppendQuote(out, c.Value)
		}
		out = append(out, ';')
	}
	return out
}
