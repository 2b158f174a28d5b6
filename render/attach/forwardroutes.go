package attach

import (
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/model"
)

// forwardRule is the one rule of a TLSRoute, a TCPRoute or a UDPRoute.
func forwardRule(declared any) (name *gatewayv1.SectionName, refs []gatewayv1.BackendRef) {
	switch object := declared.(type) {
	case *gatewayv1.TLSRoute:
		if rules := object.Spec.Rules; len(rules) > 0 {
			return rules[0].Name, rules[0].BackendRefs
		}
	case *gatewayv1.TCPRoute:
		if rules := object.Spec.Rules; len(rules) > 0 {
			return rules[0].Name, rules[0].BackendRefs
		}
	case *gatewayv1.UDPRoute:
		if rules := object.Spec.Rules; len(rules) > 0 {
			return rules[0].Name, rules[0].BackendRefs
		}
	}
	return nil, nil
}

// forwardFor is what a route does with what comes to a listener. Behind one that ends TLS the same backends may want it again.
func (r *resolver) forwardFor(l *listener, rt *route) *model.Forward {
	if l.endsTLS() && rt.encrypted != nil {
		return rt.encrypted
	}
	return rt.forward
}

// readEncrypted reads the backends of a route once more, for a listener that ends TLS.
func (r *resolver) readEncrypted(rt *route) {
	if rt.forward != nil && rt.encrypted == nil {
		rt.encrypted = r.readForward(rt, useTLS)
	}
}

// readForward turns the rule of a route into shares. "If an invalid backend is requested to have 80% of connections, then 80% of
// connections must be rejected" (TCPRouteRule.backendRefs): such a share stays, without a backend.
func (r *resolver) readForward(rt *route, use usage) *model.Forward {
	name, refs := forwardRule(rt.declared.Object)
	reader := rt.ruleReader(r, 0, name)
	forward := &model.Forward{Origin: reader.forwardOrigin(name)}
	var total, valid uint32
	var first *unresolved
	for i := range refs {
		share := model.WeightedBackend{Weight: 1}
		if refs[i].Weight != nil {
			share.Weight = uint32(*refs[i].Weight)
		}
		backend, problem := reader.backendFor(refs[i].BackendObjectReference, indexed(reader.field+".backendRefs", i), use)
		if problem != nil {
			rt.refuse(problem)
			if first == nil {
				first = problem
			}
		}
		share.Backend = backend
		total += share.Weight
		if backend != nil {
			valid += share.Weight
		}
		forward.Backends = append(forward.Backends, share)
	}
	switch {
	case total == 0:
		forward.Backends, forward.Reason = nil, "all weights are 0"
		reader.warnOnce(reader.field+".backendRefs", diagnostic.BackendShareAllZero, "all backends have weight 0: "+use.nothing(), "")
	case valid == 0:
		forward.Backends, forward.Reason = nil, first.message
	}
	return forward
}

// nothing is what becomes of what has no backend at all, for messages.
func (u usage) nothing() string {
	if u == useUDP {
		return "every datagram is dropped"
	}
	return "every connection is closed"
}

func (r ruleReader) forwardOrigin(name *gatewayv1.SectionName) model.Origin {
	place := r.route.places.At(r.field)
	origin := model.Origin{
		Kind: r.route.Kind, Name: r.route.Name, File: place.File, Line: place.Line,
		Backends: placeOf(r.route.places.At(r.field + ".backendRefs")),
	}
	if name != nil {
		origin.RuleName = string(*name)
	}
	return origin
}
