package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/render/files"
)

// backends finds the backends that both sides send requests to, and that are reached otherwise: other endpoints, protocol
// or TLS. Each is one class, however many rules lead to it. No rule changed, so no class of a table says it.
func (c *gatewayComparison) backends(pairs []pair) {
	if c.gateway.before == nil || c.gateway.after == nil {
		return
	}
	was, is := c.changedConnections()
	for _, b := range sortedBackends(was) {
		if _, both := is[b]; !both {
			continue
		}
		if p, request, used := c.requestFor(pairs, b); used {
			c.backend(p, request, was[b], is[b])
		}
	}
}

// changedConnections are the backends of which at least one cluster or its endpoints differ, with all their connections
// on each side.
func (c *gatewayComparison) changedConnections() (was, is map[table.Backend][]table.Connection) {
	suspects := c.clusters.ReachedOtherwise()
	return connections(c.gateway.before, c.clusters.Before, suspects), connections(c.gateway.after, c.clusters.After, suspects)
}

func connections(set *files.Set, names table.Names, of map[table.Backend]bool) map[table.Backend][]table.Connection {
	found := map[table.Backend][]table.Connection{}
	if len(of) == 0 {
		return found
	}
	assigned := table.ReadAssignments(set)
	for _, cluster := range set.AllClusters() {
		if b := names.Identify(cluster); of[b] {
			found[b] = append(found[b], names.Connect(cluster, assigned.Of(cluster)))
		}
	}
	for _, list := range found {
		slices.SortStableFunc(list, func(a, b table.Connection) int { return strings.Compare(a.Variant, b.Variant) })
	}
	return found
}

func sortedBackends(of map[table.Backend][]table.Connection) []table.Backend {
	var list []table.Backend
	for b := range of {
		list = append(list, b)
	}
	slices.SortFunc(list, compareBackends)
	return list
}

// requestFor finds a request that goes to a backend, in a place where both sides use it. Without one that can be guessed
// the place still tells that it is used.
func (c *gatewayComparison) requestFor(pairs []pair, b table.Backend) (p pair, request *table.Request, used bool) {
	to := func(o table.Outcome) bool { return backendsOf(o)[b] }
	for _, candidate := range pairs {
		if candidate.before == nil || candidate.after == nil {
			continue
		}
		rules := c.examples(candidate.after).to(b)
		if len(rules) == 0 || len(c.examples(candidate.before).to(b)) == 0 {
			continue
		}
		if request := c.examples(candidate.after).request(candidate, rules, to); request != nil {
			return candidate, request, true
		}
		p, used = candidate, true
	}
	return p, nil, used
}

// backend reports one backend, if anything but names differs.
func (c *gatewayComparison) backend(p pair, request *table.Request, was, is []table.Connection) {
	c.noteEndpoints(was, is)
	before, after := backendOutcome(was[0].Backend), backendOutcome(is[0].Backend)
	before.Treatment, after.Treatment = connectionChange(was, is)
	severity := report.Served
	hadNone, hasNone := noAddress(was), noAddress(is)
	switch {
	case len(before.Treatment) == 0 && len(after.Treatment) == 0:
		return
	case !hadNone && hasNone:
		severity, after.Backends[0].Backend.Status = report.Lost, 503
	case hadNone && !hasNone:
		severity, before.Backends[0].Backend.Status = report.Gained, 503
	}
	c.account.Backends = append(c.account.Backends, is[0].Backend)
	k := report.Class{
		Gateways: []string{c.gateway.name},
		Severity: severity,
		Before:   []table.Outcome{before},
		After:    []table.Outcome{after},
		Causes: []report.Cause{{
			Edit: "backend changed", Side: string(After),
			Kind: backendKind(is[0].Backend), Namespace: is[0].Backend.Namespace, Name: is[0].Backend.Service,
		}},
	}
	p.nameTraffic(&k)
	if request != nil {
		k.Witnesses = p.witnesses(*request, nil, before, after)
	}
	// A backend is one thing for all listeners.
	c.comparison.found = append(c.comparison.found, found{class: k, trace: ClassTrace{Edits: []EditTrace{{}}}})
}

func backendKind(b table.Backend) string {
	if b.Kind == "" && b.Service != "" {
		return "Service"
	}
	return b.Kind
}

func backendOutcome(b table.Backend) table.Outcome {
	return table.Outcome{Kind: table.ToBackends, Total: 1, Backends: []table.Share{{Backend: b, Weight: 1}}}
}

// noAddress: the addresses are known, and there are none. Envoy answers 503.
func noAddress(list []table.Connection) bool {
	return !slices.ContainsFunc(list, func(c table.Connection) bool { return !c.Known || len(c.Addresses) > 0 })
}

// connectionChange says what differs, as treatments. Variants that one side does not have are treatments of their routes
// already.
func connectionChange(was, is []table.Connection) (before, after []table.Treatment) {
	old, now := addresses(was), addresses(is)
	if allKnown(was) && allKnown(is) && !slices.Equal(old, now) {
		before = append(before, table.Treatment{Name: "endpoints", Value: addressList(old, now)})
		after = append(after, table.Treatment{Name: "endpoints", Value: addressList(now, old)})
	}
	for _, w := range was {
		i := slices.IndexFunc(is, func(c table.Connection) bool { return c.Variant == w.Variant })
		if i < 0 {
			continue
		}
		if served, serves := w.ServedUnder, is[i].ServedUnder; served != "" && serves != "" && served != serves {
			before = append(before, table.Treatment{Name: "endpoints of", Value: served})
			after = append(after, table.Treatment{Name: "endpoints of", Value: serves})
		}
		was, now := encryption(w.Properties, is[i].Properties), encryption(is[i].Properties, w.Properties)
		before = append(before, without(was, now)...)
		after = append(after, without(now, was)...)
	}
	return before, after
}

// encryption says TLS in one, where the other side has none: that one of its parts is missing there tells nothing.
func encryption(list, other []table.Treatment) []table.Treatment {
	isTLS := func(t table.Treatment) bool { return strings.HasPrefix(t.Name, table.UpstreamTLS) }
	if slices.ContainsFunc(other, isTLS) || !slices.ContainsFunc(list, isTLS) {
		return list
	}
	var words []string
	for _, t := range list {
		if isTLS(t) {
			words = append(words, strings.TrimSpace(strings.TrimPrefix(t.Name, table.UpstreamTLS)+" "+t.Value))
		}
	}
	rest := slices.DeleteFunc(slices.Clone(list), isTLS)
	return append(rest, table.Treatment{Name: table.UpstreamTLS, Value: strings.Join(words, ", ")})
}

// allKnown: no server gives the addresses of a variant. Else there is nothing to compare: an Envoy's dump without include_eds
// does not say that it has no endpoints.
func allKnown(list []table.Connection) bool {
	return !slices.ContainsFunc(list, func(c table.Connection) bool { return !c.Known })
}

func without(list, others []table.Treatment) []table.Treatment {
	var left []table.Treatment
	for _, t := range list {
		if !slices.Contains(others, t) {
			left = append(left, t)
		}
	}
	return left
}

// addresses of all variants, each once: they share their endpoints.
func addresses(list []table.Connection) []string {
	var all []string
	for _, c := range list {
		all = append(all, c.Addresses...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// addressList is a side's addresses: all of a few, else those that the other side does not have.
func addressList(list, other []string) string {
	const few = 4
	if len(list) == 0 {
		return "none"
	}
	if len(list) <= few {
		return strings.Join(list, ", ")
	}
	var own []string
	for _, a := range list {
		if _, there := slices.BinarySearch(other, a); !there {
			own = append(own, a)
		}
	}
	said := fmt.Sprintf("%d addresses", len(list))
	if len(own) == 0 {
		return said
	}
	said += ", among them " + strings.Join(own[:min(few, len(own))], ", ")
	if len(own) > few {
		said += fmt.Sprintf(" and %d more that are not on the other side", len(own)-few)
	}
	return said
}
