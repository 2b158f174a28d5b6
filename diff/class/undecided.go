package class

import (
	"github.com/routedelta/routedelta/diff/table"
)

// undecide leaves the own part of a node undecided, because a budget ended the division of its paths.
func (c *comparison) undecide(p *hostPair, node int, reason string) {
	p.open = append(p.open, openNode{node, reason})
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
		for _, list := range p.lists {
			for _, k := range list {
				if k.edit >= 0 {
					g.unsure[k.edit] = true
				}
			}
		}
	}
}

func (g *gathering) addUndecided(areas []Area, reason string, samples []table.Request) {
	for _, a := range areas {
		g.result.Undecided = append(g.result.Undecided, Undecided{
			Area: a, Reason: reason, Samples: samples, contains: g.membership([]Area{a}),
		})
	}
}
