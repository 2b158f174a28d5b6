package verify

import (
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/certificate"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/render/files"
)

// backends checks the list of backends that both sides use and reach otherwise.
func (c *check) backends(g *certificate.Gateway, was, is map[table.Backend][]table.Connection, tables [2][]*table.Table) {
	used := usedOnBothSides(g, tables)
	for b := range used {
		if was[b] == nil || is[b] == nil {
			continue
		}
		if differ, listed := reachedOtherwise(was[b], is[b]), slices.Contains(g.Backends, b); differ != listed {
			c.wrong("Gateway %s: backend %s: reached otherwise: %v; the certificate says %v", g.After, backendName(b), differ, listed)
		}
	}
	for _, b := range g.Backends {
		if !used[b] {
			c.wrong("Gateway %s: backend %s is not used on both sides", g.After, backendName(b))
		}
	}
}

func backendName(b table.Backend) string {
	if b.Cluster != "" {
		return b.Cluster
	}
	return b.Namespace + "/" + b.Service
}

// usedOnBothSides are the backends that both tables of some place send requests to.
func usedOnBothSides(g *certificate.Gateway, tables [2][]*table.Table) map[table.Backend]bool {
	out := map[table.Backend]bool{}
	for _, p := range g.Places {
		if !inside(p.Before, tables[0]) || !inside(p.After, tables[1]) {
			continue
		}
		was := usedBy(tables[0][p.Before])
		for b := range usedBy(tables[1][p.After]) {
			out[b] = out[b] || was[b]
		}
	}
	for b, both := range out {
		if !both {
			delete(out, b)
		}
	}
	return out
}

func usedBy(t *table.Table) map[table.Backend]bool {
	out := map[table.Backend]bool{}
	var add func(o table.Outcome)
	add = func(o table.Outcome) {
		for _, s := range o.Backends {
			out[s.Backend] = true
		}
		for _, part := range o.Parts {
			add(part.Outcome)
		}
	}
	for _, h := range t.Hosts {
		for i := range h.Rules {
			add(h.Rules[i].Outcome)
		}
	}
	return out
}

func connectionsOf(set *files.Set, names table.Names) map[table.Backend][]table.Connection {
	out := map[table.Backend][]table.Connection{}
	assigned := table.ReadAssignments(set)
	for _, cluster := range set.AllClusters() {
		b := names.Identify(cluster)
		out[b] = append(out[b], names.Connect(cluster, assigned.Of(cluster)))
	}
	return out
}

// reachedOtherwise compares addresses, where both sides tell them, and the properties of equal variants: other variants are a
// treatment of the routes that use them.
func reachedOtherwise(was, is []table.Connection) bool {
	before, known := addresses(was)
	after, alsoKnown := addresses(is)
	if known && alsoKnown && !slices.Equal(before, after) {
		return true
	}
	for _, w := range was {
		for _, i := range is {
			if w.Variant == i.Variant {
				if !sameProperties(w.Properties, i.Properties) || servedOtherwise(w, i) {
					return true
				}
				break
			}
		}
	}
	return false
}

// servedOtherwise: servers give the endpoints of both sides, under other names.
func servedOtherwise(w, i table.Connection) bool {
	return w.ServedUnder != "" && i.ServedUnder != "" && w.ServedUnder != i.ServedUnder
}

func addresses(list []table.Connection) (all []string, known bool) {
	known = true
	for _, c := range list {
		known = known && c.Known
		all = append(all, c.Addresses...)
	}
	slices.Sort(all)
	return slices.Compact(all), known
}

func sameProperties(a, b []table.Treatment) bool {
	order := func(x, y table.Treatment) int { return strings.Compare(x.Name+"\x00"+x.Value, y.Name+"\x00"+y.Value) }
	return slices.Equal(slices.Compact(slices.SortedFunc(slices.Values(a), order)), slices.Compact(slices.SortedFunc(slices.Values(b), order)))
}
