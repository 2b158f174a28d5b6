package class

import (
	"slices"

	"github.com/routedelta/routedelta/diff/table"
)

// tooMuchWritten is the reason of regions whose requests are known, but would fill books. It is in the words of a reader.
const tooMuchWritten = "too many conditions to write down"

// writing bounds what is written of classes and regions together. An edit in a list of rules for one path is told from those ahead
// of it by their conditions, so what is written of many such edits grows with the square of their number.
type writing struct {
	terms, conditions int
	// full: some conditions did not fit.
	full bool
}

// conditionWeight is how many terms of hosts or paths a condition counts for: it takes more room, and is simplified.
const conditionWeight = 4

func newWriting(limit int) writing { return writing{terms: limit, conditions: limit / conditionWeight} }

// takeConditions counts those of questions to be written; false when it is too much.
func (w *writing) takeConditions(questions []question) bool {
	n := conditionsIn(questions)
	if n > w.conditions {
		w.full = true
		return false
	}
	w.conditions -= n
	return true
}

// takeTerms counts those of areas to be written; false when it is too much.
func (w *writing) takeTerms(areas []Area) bool {
	n := termsIn(areas)
	if n > w.terms {
		return false
	}
	w.terms -= n
	return true
}

// conditionsIn counts the conditions of questions.
func conditionsIn(questions []question) int {
	n := 0
	for _, q := range questions {
		n += len(q.conditions)
		for _, e := range q.except {
			n += len(e)
		}
	}
	return n
}

// termsIn counts the terms of areas.
func termsIn(areas []Area) int {
	n := 0
	for _, a := range areas {
		for _, t := range []Terms{a.Hosts, a.Paths} {
			n += len(t.Include) + len(t.Within) + len(t.Exclude)
		}
	}
	return n
}

// writePart adds to a class what of a decision belongs to it and has one cause. It is false where there is no room for it: then
// all that the cause matches is undecided.
func (g *gathering) writePart(p *hostPair, d *decision, cells []*pathCell, key classKey, cause *candidate) bool {
	if !g.writing.full {
		cubes := d.cubes(cause, func(w winners) bool { return w.cause() == cause && g.key(w) == key })
		if g.writing.takeConditions(cubes) {
			class := g.draft(key)
			for _, q := range cubes {
				class.add(p, q, cells)
			}
			return true
		}
	}
	g.doubt(tooMuchWritten).add(p, question{conditions: cause.conditions()}, cells)
	return false
}

// leaveOpen makes an undecided region of a class.
func (g *gathering) leaveOpen(d *draft, reason string) {
	r := g.doubt(reason)
	for _, part := range d.parts {
		r.add(part.pair, part.question, nil)
		r.index[keyOf(part.pair, part.question)].paths.join(part.paths)
	}
	g.samples[reason] = append(g.samples[reason], g.exampleOf(d))
	g.unsure[d.edit] = true
}

func (g *gathering) exampleOf(d *draft) table.Request {
	return g.request(d.example.pair, d.example.cell, d.example.solution)
}

// maxRegions is how many conditions one reason may have with it. Nobody reads more: of a reason with more, all requests to its
// hosts and paths are left undecided.
const maxRegions = 50

// coarsen forgets the conditions of regions where there are too many, and tells whether there were.
func (r *regions) coarsen() bool {
	if len(r.parts) <= maxRegions {
		return false
	}
	fine := r.parts
	r.parts, r.index = nil, nil
	for _, part := range fine {
		r.add(part.pair, question{}, nil)
		r.index[keyOf(part.pair, question{})].paths.join(part.paths)
	}
	return true
}

// leaveToClasses takes the requests of classes out of regions whose areas are wider than what is undecided.
func (r *Result) leaveToClasses(regions []Undecided) {
	for i := range regions {
		wide := regions[i].contains
		regions[i].Reason += " (the requests of this region that are in a class are decided)"
		regions[i].contains = func(q table.Request) bool {
			return wide(q) && !slices.ContainsFunc(r.Classes, func(c Class) bool { return c.Contains(q) })
		}
	}
}

// join adds the paths of another set.
func (s pathSet) join(o pathSet) {
	for node, parts := range o {
		for _, patterns := range parts {
			if !slices.ContainsFunc(s[node], func(known []int) bool { return slices.Equal(known, patterns) }) {
				s[node] = append(s[node], patterns)
			}
		}
	}
}
