package attach

import (
	"cmp"
	"fmt"
	"slices"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/model"
)

// listenerSet is a ListenerSet while its listeners join those of its Gateway.
type listenerSet struct {
	model.Name
	source
	generation int64
	age        model.Age
	// gateway is the parent. One that is not selected is somebody else's, and so is the set.
	gateway *gateway
	// refused is why the Gateway does not take the set, or nil.
	refused *unresolved
	// listeners are there for a refused set as well: none of them is accepted.
	listeners []*listener
}

// listenerSets reads the ListenerSets of the Gateways and gives each Gateway those that it takes, in the order of precedence:
// "ListenerSet ordered by creation time (oldest first)", then "alphabetically by {namespace}/{name}" (ListenerSetSpec.listeners).
func (r *resolver) listenerSets(objects *manifest.Objects, gateways []*gateway) []*listenerSet {
	byName := gatewaysByName(gateways)
	var sets []*listenerSet
	for _, located := range objects.ListenerSets {
		if set := r.listenerSet(located, byName); set != nil {
			sets = append(sets, set)
		}
	}
	slices.SortFunc(sets, func(a, b *listenerSet) int {
		return cmp.Or(a.age.Compare(b.age), cmp.Compare(a.Name.String(), b.Name.String()))
	})
	for _, set := range sets {
		if set.gateway.selected && set.refused == nil {
			set.gateway.sets = append(set.gateway.sets, set)
		}
	}
	return sets
}

// listenerSet reads one; nil is a set whose Gateway is not there.
func (r *resolver) listenerSet(located manifest.Located[*gatewayv1.ListenerSet], gateways map[model.Name]*gateway) *listenerSet {
	object := located.Object
	set := &listenerSet{
		Name:       model.Name{Namespace: object.Namespace, Name: object.Name},
		source:     setSource(located),
		generation: object.Generation,
		age:        r.ageOf(object, setSource(located).Object),
	}
	const field = "spec.parentRef"
	if !isGatewayReference(object.Spec.ParentRef) {
		r.remark(set.source, field, diagnostic.FieldUnsupported, fmt.Sprintf("parent %s is no Gateway: it is left out", object.Spec.ParentRef.Name))
		set.gateway = &gateway{}
		return set
	}
	name := setParent(object)
	set.gateway = gateways[name]
	if set.gateway == nil {
		r.orphans[set.Name] = true
		if !r.index.invalid[otherKey{"Gateway", name}] {
			r.warn(set.source, field, diagnostic.GatewayUnknown, fmt.Sprintf("Gateway %s is not in the input: the listeners are not served", name),
				"add the Gateway to the input, or use references: assume")
		}
		return nil
	}
	if !set.gateway.selected {
		return set
	}
	if !r.admits(set.gateway.admission(), applicant{set.source, set.Namespace, located.NamespaceAbsent}) {
		message := fmt.Sprintf("Gateway %s does not take ListenerSets of namespace %s", set.gateway.Name, set.Namespace)
		set.refused = &unresolved{string(gatewayv1.ListenerSetReasonNotAllowed), message}
		r.warn(set.source, field, diagnostic.NotAllowed, message+": the listeners are not served", "allow it in spec.allowedListeners of the Gateway")
	}
	set.listeners = r.readListeners(set.gateway, set, setListeners(object))
	return set
}

// admission is what Gateway.spec.allowedListeners says: "The default value is to allow no ListenerSets". A Gateway that is assumed is
// open.
func (g *gateway) admission() admission {
	a := admission{
		namespaceRule: namespaceRule{from: gatewayv1.NamespacesFromNone},
		source:        g.source,
		field:         "spec.allowedListeners.namespaces.selector",
		namespace:     g.Namespace,
		title:         "allowedListeners",
		owner:         "Gateway " + g.Name.String(),
		kept:          "its ListenerSets are not allowed",
	}
	if g.assumed {
		a.from = gatewayv1.NamespacesFromAll
	} else if allowed := g.spec.AllowedListeners; allowed != nil && allowed.Namespaces != nil {
		a.read(allowed.Namespaces.From, allowed.Namespaces.Selector)
	}
	return a
}

func setSource(located manifest.Located[*gatewayv1.ListenerSet]) source {
	object := located.Object
	return source{diagnostic.Object{Kind: "ListenerSet", Namespace: object.Namespace, Name: object.Name}, located.Places}
}

func isGatewayReference(ref gatewayv1.ParentGatewayReference) bool {
	return (ref.Group == nil || *ref.Group == gatewayv1.GroupName) && (ref.Kind == nil || *ref.Kind == "Gateway")
}

// setParent is the name of the Gateway of a set.
func setParent(object *gatewayv1.ListenerSet) model.Name {
	name := model.Name{Namespace: object.Namespace, Name: string(object.Spec.ParentRef.Name)}
	if object.Spec.ParentRef.Namespace != nil {
		name.Namespace = string(*object.Spec.ParentRef.Namespace)
	}
	return name
}

// setListeners are the entries as listeners: the two types have the same fields.
func setListeners(object *gatewayv1.ListenerSet) []gatewayv1.Listener {
	listeners := make([]gatewayv1.Listener, 0, len(object.Spec.Listeners))
	for _, entry := range object.Spec.Listeners {
		listeners = append(listeners, gatewayv1.Listener(entry))
	}
	return listeners
}
