package attach

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// allowedRoutes is what Listener.allowedRoutes says.
type allowedRoutes struct {
	// kinds are the route kinds of the listener that exist for its protocol.
	kinds    []string
	from     gatewayv1.FromNamespaces
	selector *metav1.LabelSelector
}

// readAllowedRoutes reads the field with its defaults: the kinds that belong to the protocol, and the Gateway's own namespace.
// A kind that does not belong to the protocol makes the listener's references unresolved; the others go on.
func (l *listener) readAllowedRoutes(spec *gatewayv1.AllowedRoutes) {
	compatible := routeKinds(l.protocol)
	l.allowed = allowedRoutes{kinds: compatible, from: gatewayv1.NamespacesFromSame}
	if spec != nil && len(spec.Kinds) > 0 {
		l.allowed.kinds = nil
		for _, k := range spec.Kinds {
			if (k.Group == nil || *k.Group == gatewayv1.GroupName) && slices.Contains(compatible, string(k.Kind)) {
				l.allowed.kinds = append(l.allowed.kinds, string(k.Kind))
				continue
			}
			l.unresolved = &unresolved{string(gatewayv1.ListenerReasonInvalidRouteKinds), fmt.Sprintf("%s is no route kind for %s", k.Kind, l.protocol)}
		}
	}
	if spec != nil && spec.Namespaces != nil {
		if spec.Namespaces.From != nil {
			l.allowed.from = *spec.Namespaces.From
		}
		l.allowed.selector = spec.Namespaces.Selector
	}
}

// routeKinds are the kinds of routes for a protocol, after the table of GEP-917.
func routeKinds(protocol gatewayv1.ProtocolType) []string {
	switch protocol {
	case gatewayv1.HTTPProtocolType, gatewayv1.HTTPSProtocolType:
		return []string{"HTTPRoute", "GRPCRoute"}
	case gatewayv1.TLSProtocolType:
		return []string{"TLSRoute", "TCPRoute"}
	case gatewayv1.TCPProtocolType:
		return []string{"TCPRoute"}
	case gatewayv1.UDPProtocolType:
		return []string{"UDPRoute"}
	}
	return nil
}

// permits tells whether a listener takes a route. A route whose manifest names no namespace may be applied in any: under assume
// it is taken to be applied where the listener takes it.
func (r *resolver) permits(l *listener, rt *route) bool {
	if !slices.Contains(l.allowed.kinds, rt.Kind) {
		return false
	}
	switch l.allowed.from {
	case gatewayv1.NamespacesFromAll:
		return true
	case gatewayv1.NamespacesFromSame:
		return rt.Namespace == l.gateway.Namespace || r.fitsAnywhere(l, rt)
	case gatewayv1.NamespacesFromSelector:
		return r.fitsAnywhere(l, rt) || r.selectsNamespace(l, rt.Namespace)
	}
	return false
}

func (r *resolver) fitsAnywhere(l *listener, rt *route) bool {
	fits := rt.declared.NamespaceAbsent && r.assume()
	if fits && r.once(diagnostic.NamespaceUnknown, l.gateway.Name.String()+" "+rt.Name.String()) {
		r.remark(rt.source, "metadata", diagnostic.NamespaceUnknown,
			fmt.Sprintf("the manifest names no namespace: it is taken to be one that listener %q of Gateway %s allows", l.name, l.gateway.Name))
	}
	return fits
}

// selectsNamespace holds the labels of a Namespace against the listener's selector. Every namespace has its name as a label
// (the API server sets it); of a Namespace that is not in the input that label alone is known.
func (r *resolver) selectsNamespace(l *listener, namespace string) bool {
	selector, err := metav1.LabelSelectorAsSelector(l.allowed.selector)
	if err != nil {
		return false
	}
	known := labels.Set{corev1.LabelMetadataName: namespace}
	object, found := r.index.namespaces[namespace]
	if found {
		for name, value := range object.Labels {
			known[name] = value
		}
		return selector.Matches(known)
	}
	if asksOnlyForName(selector) {
		return selector.Matches(known)
	}
	if r.once(diagnostic.NamespaceUnknown, l.gateway.Name.String()+" "+l.name+" "+namespace) {
		outcome := "its routes are not allowed"
		if r.assume() {
			outcome = "its labels are assumed to fit"
		}
		r.warn(l.gateway.source, l.field+".allowedRoutes.namespaces.selector", diagnostic.NamespaceUnknown,
			fmt.Sprintf("listener %q selects namespaces by label, and Namespace %s is not in the input: %s", l.name, namespace, outcome),
			"add the Namespace to the input")
	}
	return r.assume()
}

func asksOnlyForName(selector labels.Selector) bool {
	requirements, selectable := selector.Requirements()
	if !selectable {
		return true
	}
	for _, requirement := range requirements {
		if requirement.Key() != corev1.LabelMetadataName {
			return false
		}
	}
	return true
}

// text is the field in words, for a message.
func (a allowedRoutes) text(routeKind, gateway string) string {
	if !slices.Contains(a.kinds, routeKind) {
		return "takes " + strings.Join(a.kinds, ", ") + " only"
	}
	switch a.from {
	case gatewayv1.NamespacesFromSame:
		return "takes routes of namespace " + gateway + " only"
	case gatewayv1.NamespacesFromSelector:
		return "takes routes of the namespaces that its selector chooses"
	}
	return "takes no routes"
}
