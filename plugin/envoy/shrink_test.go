package envoy_test

import (
	"slices"
	"testing"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
)

// shrunk drops from a world whatever the difference does not need, for its reader.
func (p probe) shrunk(t *testing.T, difference string) (*world, string) {
	for smaller := true; smaller; {
		smaller = false
		for _, w := range p.world.smaller() {
			candidate := p
			candidate.world = w
			if found := candidate.differs(t); found != "" {
				p, difference, smaller = candidate, found, true
				break
			}
		}
	}
	return p.world, difference
}

// differs asks a few times, as a rule may have several effects.
func (p probe) differs(t *testing.T) (difference string) {
	// In a test of its own, so that its Envoy ends with it.
	t.Run("shrink", func(t *testing.T) {
		served := serve(t, []*world{p.world})
		for i := 0; i < 8 && difference == "" && served.ports[door{0, p.gateway, p.port}] != 0; i++ {
			difference = p.compare(t, served, 0, newTally())
		}
	})
	return difference
}

// smaller are the worlds with one thing less.
func (w *world) smaller() []*world {
	var list []*world
	without := func(change func(*world)) {
		less := w.clone()
		change(less)
		list = append(list, less)
	}
	for i, route := range w.routes {
		if len(w.routes) > 1 {
			without(func(l *world) { l.routes = slices.Delete(l.routes, i, i+1) })
		}
		for j, rule := range route.Spec.Rules {
			if len(route.Spec.Rules) > 1 {
				without(func(l *world) { l.routes[i].Spec.Rules = slices.Delete(l.routes[i].Spec.Rules, j, j+1) })
			}
			list = append(list, w.smallerRules(i, j, rule)...)
		}
	}
	for i, g := range w.gateways {
		for j := range g.Spec.Listeners {
			if len(g.Spec.Listeners) > 1 {
				without(func(l *world) { l.gateways[i].Spec.Listeners = slices.Delete(l.gateways[i].Spec.Listeners, j, j+1) })
			}
		}
	}
	if len(w.grants) > 0 {
		without(func(l *world) { l.grants = nil })
	}
	if len(w.services) > 0 {
		without(func(l *world) { l.services, l.slices = nil, nil })
	}
	if len(w.namespaces) > 0 {
		without(func(l *world) { l.namespaces = nil })
	}
	return list
}

// smallerRules are the worlds with one thing less in one rule of one route.
func (w *world) smallerRules(route, position int, rule gatewayv1.HTTPRouteRule) []*world {
	var list []*world
	without := func(change func(*gatewayv1.HTTPRouteRule)) {
		less := w.clone()
		change(&less.routes[route].Spec.Rules[position])
		list = append(list, less)
	}
	for i := range rule.Matches {
		if len(rule.Matches) > 1 {
			without(func(r *gatewayv1.HTTPRouteRule) { r.Matches = slices.Delete(r.Matches, i, i+1) })
		}
	}
	for i := range rule.Filters {
		without(func(r *gatewayv1.HTTPRouteRule) { r.Filters = slices.Delete(r.Filters, i, i+1) })
	}
	for i := range rule.BackendRefs {
		without(func(r *gatewayv1.HTTPRouteRule) { r.BackendRefs = slices.Delete(r.BackendRefs, i, i+1) })
	}
	return list
}

// clone copies what smaller worlds change.
func (w *world) clone() *world {
	c := *w
	c.routes, c.gateways = nil, nil
	for _, r := range w.routes {
		c.routes = append(c.routes, r.DeepCopy())
	}
	for _, g := range w.gateways {
		c.gateways = append(c.gateways, g.DeepCopy())
	}
	return &c
}
