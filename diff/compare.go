package diff

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/render/files"
)

// Options of a comparison. The zero value is usable.
type Options struct {
	// Limits of the exact comparison of two tables.
	Limits class.Limits
}

// Comparison is a report with the places behind it.
type Comparison struct {
	Report *report.Report
	Traces Traces
	// Compared is how it was found, one for each of Report.Gateways.
	Compared []Compared
}

// Compare finds everything that changes for a client between two sides. The sets of a side have different names; those of
// one name are the same Gateway. The report's sides hold digests only: who calls knows where the files come from.
func Compare(ctx context.Context, before, after []*files.Set, options Options) (*Comparison, error) {
	c := &comparison{ctx: ctx, options: options}
	c.sums[0], c.sums[1] = ofBoth(before, after, sumsOf)
	for _, g := range pairGateways(before, after) {
		if err := c.gateway(g); err != nil {
			return nil, fmt.Errorf("comparing gateway %q: %w", g.name, err)
		}
	}
	return c.result(), nil
}

// gateway is one Gateway on both sides; a set is nil where it is not.
type gateway struct {
	// name is namespace/name where the files tell, else the name of the set.
	name          string
	before, after *files.Set
}

// pairGateways by name, sorted. One Envoy on each side is one pair, if the name of one of them is only that of a file or
// directory: a dump compared with a rendering, or two dumps.
func pairGateways(before, after []*files.Set) []gateway {
	if len(before) == 1 && len(after) == 1 && !(named(before[0]) && named(after[0])) {
		name := gatewayName(after[0])
		if !named(after[0]) {
			name = gatewayName(before[0])
		}
		return []gateway{{name: name, before: before[0], after: after[0]}}
	}
	byName := map[string]*gateway{}
	at := func(set *files.Set) *gateway {
		if byName[set.Name] == nil {
			byName[set.Name] = &gateway{name: gatewayName(set)}
		}
		return byName[set.Name]
	}
	for _, set := range before {
		at(set).before = set
	}
	for _, set := range after {
		at(set).after = set
	}
	pairs := make([]gateway, 0, len(byName))
	for _, g := range byName {
		pairs = append(pairs, *g)
	}
	slices.SortFunc(pairs, func(a, b gateway) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.setName(), b.setName()))
	})
	return pairs
}

func (g gateway) setName() string {
	if g.after != nil {
		return g.after.Name
	}
	return g.before.Name
}

// comparison gathers what is found.
type comparison struct {
	ctx     context.Context
	options Options
	// sums of before and after.
	sums       [2]sums
	gateways   []report.Gateway
	compared   []Compared
	found      []found
	effectless []foundEffectless
	undecided  []report.Undecided
	caveats    []report.Caveat
	refactored int
}

// found is a class with the places behind it.
type found struct {
	class report.Class
	trace ClassTrace
}

type foundEffectless struct {
	effectless report.Effectless
	trace      EditTrace
}

// gateway compares one Gateway, place by place.
func (c *comparison) gateway(g gateway) error {
	clusters := new(table.Clusters)
	if g.before != nil && g.after != nil {
		clusters = table.CompareClusters(g.before, g.after, sameMessage(c.sums[0], c.sums[1]))
	}
	before, after := ofBoth(namedSet{g.before, clusters.Before}, namedSet{g.after, clusters.After}, readTables)
	pairs := pairTables(before, after)
	listeners := map[string]bool{}
	for _, p := range pairs {
		listeners[p.listener()] = true
	}
	one := &gatewayComparison{comparison: c, gateway: g, clusters: clusters, edits: map[editKey]*editUse{}, exampled: map[*table.Table]*examples{}}
	one.accountFor(pairs, before, after)
	for _, p := range pairs {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		if err := one.pair(p); err != nil {
			return err
		}
	}
	one.handshakes(pairs)
	one.backends(pairs)
	c.found = append(c.found, mergeListeners(one.found, listeners)...)
	one.idleEdits()
	one.addCaveats(pairs)
	c.gateways = append(c.gateways, one.summary(pairs))
	c.compared = append(c.compared, one.account)
	return nil
}

// gatewayComparison is the comparison of one Gateway.
type gatewayComparison struct {
	*comparison
	gateway  gateway
	clusters *table.Clusters
	// found of this Gateway, not merged yet.
	found     []found
	edits     map[editKey]*editUse
	undecided bool
	// unknownEndpoints are the backends whose endpoints one side does not tell.
	unknownEndpoints []string
	exampled         map[*table.Table]*examples
	account          Compared
	// encrypted are the clusters of both sides that are spoken to by TLS, once somebody has asked.
	encrypted *[2]encryptedSide
}

// pair compares the two tables of one place.
func (c *gatewayComparison) pair(p pair) error {
	if p.before == nil || p.after == nil {
		c.listenerChange(p)
		return nil
	}
	if p.before.Passes != p.after.Passes {
		c.readingChange(p)
		return nil
	}
	result, err := class.Compare(c.ctx, p.before, p.after, c.options.Limits)
	if err != nil {
		return fmt.Errorf("%s: %w", p.listener(), err)
	}
	c.accountResult(p, result)
	c.classes(p, result)
	c.noteEdits(p, result)
	c.undecidedRegions(p, result)
	return nil
}

// summary counts what was compared.
func (c *gatewayComparison) summary(pairs []pair) report.Gateway {
	g := report.Gateway{Name: c.gateway.name, Decided: !c.undecided}
	switch {
	case c.gateway.before == nil:
		g.Change = "added"
	case c.gateway.after == nil:
		g.Change = "removed"
	}
	domains := map[string]bool{}
	counted := map[*table.Table]bool{}
	for _, p := range pairs {
		t := p.after
		if c.gateway.after == nil {
			t = p.before
		}
		if t == nil || counted[t] {
			continue
		}
		counted[t] = true
		p.names = namesOf(t)
		for _, h := range p.ownHosts(t) {
			g.Rules += len(h.Rules)
			for _, d := range h.Domains {
				domains[d] = domains[d] || !t.PassesOn()
			}
		}
	}
	for _, read := range domains {
		if read {
			g.Hosts++
		}
	}
	return g
}

// result sorts what was found into a report.
func (c *comparison) result() *Comparison {
	c.found = mergeGateways(c.found)
	sortFound(c.found)
	out := &Comparison{Compared: c.compared, Report: &report.Report{
		Version:    report.Version,
		Before:     report.Side{Digest: c.sums[0].side},
		After:      report.Side{Digest: c.sums[1].side},
		Gateways:   c.gateways,
		Refactored: c.refactored,
		Undecided:  c.undecided,
		Caveats:    c.caveats,
	}}
	for _, f := range c.found {
		f.class.SetID()
		out.Report.Classes = append(out.Report.Classes, f.class)
		out.Traces.Classes = append(out.Traces.Classes, f.trace)
	}
	for _, f := range c.effectless {
		out.Report.Effectless = append(out.Report.Effectless, f.effectless)
		out.Traces.Effectless = append(out.Traces.Effectless, f.trace)
	}
	out.Report.Count()
	return out
}
