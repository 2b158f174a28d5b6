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
		less := *w
		less.routes = nil
		for _, r := range w.routes {
			less.routes = append(less.routes, r.DeepCopy())
		}
		change(&less)
		list = append(list, &less)
	}
	for i, route := range w.routes {
		if len(w.routes) > 1 {
			without(func(l *world) { l.routes = slices.Delete(l.routes, i, i+1) })
		}
		for j, rule := range route.Spec.Rules {
			at := func(l *world) *gatewayv1.HTTPRouteRule { return &l.routes[i].Spec.Rules[j] }
			if len(route.Spec.Rules) > 1 {
				without(func(l *world) { l.routes[i].Spec.Rules = slices.Delete(l.routes[i].Spec.Rules, j, j+1) })
			}
			for k := range rule.Matches {
				if len(rule.Matches) > 1 {
					without(func(l *world) { at(l).Matches = slices.Delete(at(l).Matches, k, k+1) })
				}
			}
			for k := range rule.Filters {
				without(func(l *world) { at(l).Filters = slices.Delete(at(l).Filters, k, k+1) })
			}
			for k := range rule.BackendRefs {
				without(func(l *world) { at(l).BackendRefs = slices.Delete(at(l).BackendRefs, k, k+1) })
			}
		}
	}
	if len(w.grants) > 0 {
		without(func(l *world) { l.grants = nil })
	}
	if len(w.services) > 0 {
		without(func(l *world) { l.services, l.slices = nil, nil })
	}
	return list
}
