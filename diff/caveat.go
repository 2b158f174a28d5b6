package diff

import (
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
)

// addCaveats gathers what the comparison of this Gateway takes for granted, or leaves out.
func (c *gatewayComparison) addCaveats(pairs []pair) {
	var rerouters, keys []string
	for _, p := range pairs {
		for _, t := range []*table.Table{p.before, p.after} {
			if t != nil {
				rerouters = append(rerouters, names(t.Options.Rerouters)...)
				keys = append(keys, runtimeKeys(t)...)
			}
		}
	}
	c.caveat(report.Rerouters, rerouters)
	c.caveat(report.Endpoints, c.unknownEndpoints)
	c.caveat(report.RuntimeKeys, keys)
}

// names leaves out the content behind the names of filters: a reader is told which, not what they do.
func names(rerouters []string) []string {
	var short []string
	for _, text := range rerouters {
		name, _, _ := strings.Cut(strings.TrimPrefix(text, "filter "), " {")
		short = append(short, name)
	}
	return short
}

func (c *gatewayComparison) caveat(about report.CaveatAbout, names []string) {
	if len(names) == 0 {
		return
	}
	slices.Sort(names)
	c.caveats = append(c.caveats, report.Caveat{Gateway: c.gateway.name, About: about, Names: slices.Compact(names)})
}

// runtimeKeys of the rules of a table.
func runtimeKeys(t *table.Table) []string {
	var keys []string
	for h := range t.Hosts {
		for i := range t.Hosts[h].Rules {
			if chance := t.Hosts[h].Rules[i].Chance; chance != nil && chance.RuntimeKey != "" {
				keys = append(keys, chance.RuntimeKey)
			}
		}
	}
	return keys
}

// noteEndpoints keeps the backend in mind if one side tells its endpoints and the other one does not: an Envoy's dump
// without include_eds, or a server that gives them. Where neither side does, nothing was to be expected.
func (c *gatewayComparison) noteEndpoints(was, is []table.Connection) {
	if allKnown(was) != allKnown(is) {
		c.unknownEndpoints = append(c.unknownEndpoints, is[0].Backend.String())
	}
}
