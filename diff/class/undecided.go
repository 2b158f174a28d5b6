package class

import (
	"reflect"
	"slices"

	"github.com/routedelta/routedelta/diff/table"
)

// undecide leaves the own part of a node undecided, because a budget ended the division of its paths.
func (c *comparison) undecide(p *hostPair, node int, reason string) {
	p.open = append(p.open, openNode{node, reason})
}

const noHostFound = "no host was found that both sides look up alike"

// undecideCells leaves cells of hosts undecided of which no host was found, nor that there is none.
func (c *comparison) undecideCells(cells []int) {
	for _, hosts := range newHostTerms(c.space).terms(cells) {
		area := Area{Hosts: hosts, Paths: anything()}
		c.result.Undecided = append(c.result.Undecided, Undecided{
			Area: area, Reason: noHostFound, contains: c.membership([]Area{area}),
		})
	}
}

// openNode is a node of which nothing is known.
type openNode struct {
	node   int
	reason string
}

// addOpen adds the nodes that were left open.
func (g *gathering) addOpen(p *hostPair) {
	for _, open := range p.open {
		n := &p.tree.nodes[open.node]
		paths := Terms{Include: []Term{pathTerm(n.literal)}}
		for _, child := range n.children {
			paths.Exclude = append(paths.Exclude, pathTerm(p.tree.nodes[child].literal))
		}
		for _, hosts := range newHostTerms(g.space).terms(p.cells) {
			r := g.doubt(open.reason)
			r.ready = append(r.ready, Area{Hosts: hosts, Paths: paths})
		}
		g.sampleNode(p, open.node, open.reason)
		for _, list := range p.lists {
			for _, k := range list {
				if k.edit >= 0 {
					g.unsure[k.edit] = true
				}
			}
		}
	}
}

// sampleNode writes a request of the own part of a node.
func (g *gathering) sampleNode(p *hostPair, node int, reason string) {
	if len(g.samples[reason]) >= maxSamples {
		return
	}
	paths, err := (&walk{comparison: g.comparison, hostPair: p}).exploration(node, nil, 1)
	if err == nil && len(paths) > 0 {
		g.samples[reason] = append(g.samples[reason], g.request(p, &pathCell{node: node, witness: paths[0].Witness}, nil))
	}
}

// maxSamples bounds the samples for one reason.
const maxSamples = 100

// sample writes a request of an undecided question.
func (g *gathering) sample(p *hostPair, d *decision, q question, reason string, cell *pathCell) {
	if d.system == nil || len(g.samples[reason]) >= maxSamples {
		return
	}
	if solution, _, found, err := d.answer(q); err == nil && found {
		g.samples[reason] = append(g.samples[reason], g.request(p, cell, solution))
	}
}

// addUndecided reports regions, each with a few of the samples that lie in it.
func (g *gathering) addUndecided(areas []Area, reason string, samples []table.Request) {
	for _, a := range areas {
		u := Undecided{Area: a, Reason: reason, contains: g.membership([]Area{a})}
		for _, r := range samples {
			known := slices.ContainsFunc(u.Samples, func(o table.Request) bool { return reflect.DeepEqual(o, r) })
			if len(u.Samples) < 3 && !known && u.Contains(r) {
				u.Samples = append(u.Samples, r)
			}
		}
		g.result.Undecided = append(g.result.Undecided, u)
	}
}
