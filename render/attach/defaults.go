package attach

import (
	"fmt"
	"slices"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/status"
)

// defaultParents are references to the default Gateways, by the scope that they are for (GEP-3793). There may be several: "Gateways MUST
// NOT attempt to enforce a single default Gateway".
func defaultParents(gateways []*gateway) map[gatewayv1.GatewayDefaultScope][]gatewayv1.ParentReference {
	found := map[gatewayv1.GatewayDefaultScope][]gatewayv1.ParentReference{}
	for _, g := range sortedGateways(gateways) {
		if scope := g.spec.DefaultScope; isScope(scope) {
			group, kind := gatewayv1.Group(gatewayv1.GroupName), gatewayv1.Kind("Gateway")
			namespace := gatewayv1.Namespace(g.Namespace)
			found[scope] = append(found[scope], gatewayv1.ParentReference{
				Group: &group, Kind: &kind, Namespace: &namespace, Name: gatewayv1.ObjectName(g.Name.Name),
			})
		}
	}
	return found
}

// isScope: None is no scope, written out.
func isScope(scope gatewayv1.GatewayDefaultScope) bool {
	return scope != "" && scope != gatewayv1.GatewayDefaultScopeNone
}

// attachByDefault attaches a route to the default Gateways of the scope that it asks for. It "MUST behave the same as if all default
// Gateways were explicitly specified in parentRefs" (GEP-3793).
func (p *parents) attachByDefault(index parentIndex) []status.Route {
	const field = "spec.useDefaultGateways"
	scope := p.route.declared.UseDefaultGateways
	if !isScope(scope) {
		return nil
	}
	defaults := index.defaults[scope]
	if len(defaults) == 0 {
		p.warn(p.route.source, field, diagnostic.NoParent, fmt.Sprintf("no Gateway of the input is a default Gateway of scope %s: the route gets no requests by default", scope),
			fmt.Sprintf("set defaultScope: %s in the Gateway, or name the Gateway", scope))
	}
	var statuses []status.Route
	for _, ref := range defaults {
		if p.names(ref) {
			continue
		}
		for _, said := range p.attach(ref, field, index) {
			if accepted := said.Condition(string(gatewayv1.RouteConditionAccepted)); accepted.Status == "True" {
				accepted.Message = "the route is bound to a default Gateway"
			}
			statuses = append(statuses, said)
		}
	}
	return statuses
}

// names tells whether the route names a default Gateway itself, with all its listeners.
func (p *parents) names(gateway gatewayv1.ParentReference) bool {
	name := parentName(gateway, "")
	return slices.ContainsFunc(p.route.declared.ParentRefs, func(ref gatewayv1.ParentReference) bool {
		return isGateway(ref) && ref.SectionName == nil && ref.Port == nil && parentName(ref, p.route.Namespace) == name
	})
}

// defaultCondition says that the Gateway is a default Gateway. The API has a word for the condition alone, and none for its reason.
func (g *gateway) defaultCondition() status.Condition {
	const isDefault = "DefaultGateway"
	return status.New(isDefault, true, isDefault, fmt.Sprintf("Gateway has default scope %s", g.spec.DefaultScope), g.generation)
}
