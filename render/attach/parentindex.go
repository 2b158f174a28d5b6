package attach

import (
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/model"
)

// parent is what a parentRef leads to: a Gateway, or a ListenerSet of one. "Routes can attach to a Listener by having a
// ListenerSet as a parentRef" (ListenerEntry.name); one that names the Gateway has the Gateway's own listeners alone.
type parent struct {
	gateway *gateway
	// set is nil for a Gateway.
	set       *listenerSet
	listeners []*listener
}

// parentIndex finds the parents of routes by name.
type parentIndex struct {
	gateways map[model.Name]*gateway
	sets     map[model.Name]*listenerSet
	// defaults are the default Gateways of each scope.
	defaults map[gatewayv1.GatewayDefaultScope][]gatewayv1.ParentReference
}

func newParentIndex(gateways []*gateway, sets []*listenerSet) parentIndex {
	x := parentIndex{gatewaysByName(gateways), map[model.Name]*listenerSet{}, defaultParents(gateways)}
	for _, set := range sets {
		x.sets[set.Name] = set
	}
	return x
}

// listenersOf follows a parentRef. It is false where the parent is not in the input, or is of no kind that takes routes.
func (x parentIndex) listenersOf(ref gatewayv1.ParentReference, routeNamespace string) (parent, bool) {
	name := parentName(ref, routeNamespace)
	if isListenerSet(ref) {
		if set := x.sets[name]; set != nil {
			return parent{set.gateway, set, set.listeners}, true
		}
		return parent{}, false
	}
	if g := x.gateways[name]; g != nil && isGateway(ref) {
		return parent{gateway: g, listeners: g.listeners}, true
	}
	return parent{}, false
}

func isListenerSet(ref gatewayv1.ParentReference) bool {
	return (ref.Group == nil || *ref.Group == gatewayv1.GroupName) && ref.Kind != nil && *ref.Kind == "ListenerSet"
}
