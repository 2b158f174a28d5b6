package attach

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
)

// allowedRoutes is what Listener.allowedRoutes says.
type allowedRoutes struct {
	// kinds are the route kinds of the listener that exist for its protocol.
	kinds []string
	admission
}

// readAllowedRoutes reads the field with its defaults: the kinds that belong to the protocol, and the namespace of the object that
// the listener is written in. A kind that does not belong to the protocol makes the listener's references unresolved; the others go
// on.
func (l *listener) readAllowedRoutes(spec *gatewayv1.AllowedRoutes) {
	compatible := routeKinds(l.protocol, l.passthrough)
	l.allowed = allowedRoutes{kinds: compatible, admission: admission{
		namespaceRule: namespaceRule{from: gatewayv1.NamespacesFromSame},
		source:        l.source,
		field:         l.field + ".allowedRoutes.namespaces.selector",
		namespace:     l.namespace,
		title:         fmt.Sprintf("listener %q", l.name),
		owner:         l.owner(),
		kept:          "its routes are not allowed",
	}}
	if spec != nil && len(spec.Kinds) > 0 {
		l.allowed.kinds = nil
		for _, k := range spec.Kinds {
			if (k.Group == nil || *k.Group == gatewayv1.GroupName) && slices.Contains(compatible, string(k.Kind)) {
				l.allowed.kinds = append(l.allowed.kinds, string(k.Kind))
				continue
			}
			l.unresolve(&unresolved{string(gatewayv1.ListenerReasonInvalidRouteKinds), fmt.Sprintf("%s is no route kind for %s", k.Kind, l.speaks())})
		}
	}
	if spec != nil && spec.Namespaces != nil {
		l.allowed.read(spec.Namespaces.From, spec.Namespaces.Selector)
	}
}

func (l *listener) speaks() string {
	if l.passthrough {
		return string(l.protocol) + " that is passed on"
	}
	return string(l.protocol)
}

// routeKinds are the kinds of routes for a protocol, after the table of GEP-917 and, for TLS that the listener ends, TLSRouteSpec.
// Nothing but the server name is known of TLS that is passed on, so TCPRoutes have no place there.
func routeKinds(protocol gatewayv1.ProtocolType, passthrough bool) []string {
	switch protocol {
	case gatewayv1.HTTPProtocolType, gatewayv1.HTTPSProtocolType:
		return []string{"HTTPRoute", "GRPCRoute"}
	case gatewayv1.TLSProtocolType:
		if passthrough {
			return []string{"TLSRoute"}
		}
		return []string{"TLSRoute", "TCPRoute"}
	case gatewayv1.TCPProtocolType:
		return []string{"TCPRoute"}
	case gatewayv1.UDPProtocolType:
		return []string{"UDPRoute"}
	}
	return nil
}

// permits tells whether a listener takes a route.
func (r *resolver) permits(l *listener, rt *route) bool {
	return slices.Contains(l.allowed.kinds, rt.Kind) &&
		r.admits(l.allowed.admission, applicant{rt.source, rt.Namespace, rt.declared.NamespaceAbsent})
}

// text is the field in words, for a message.
func (a allowedRoutes) text(routeKind, namespace string) string {
	if !slices.Contains(a.kinds, routeKind) {
		return "takes " + strings.Join(a.kinds, ", ") + " only"
	}
	switch a.from {
	case gatewayv1.NamespacesFromSame:
		return "takes routes of namespace " + namespace + " only"
	case gatewayv1.NamespacesFromSelector:
		return "takes routes of the namespaces that its selector chooses"
	}
	return "takes no routes"
}

// namespaceRule says which namespaces an object admits others from.
type namespaceRule struct {
	from     gatewayv1.FromNamespaces
	selector *metav1.LabelSelector
}

func (n *namespaceRule) read(from *gatewayv1.FromNamespaces, selector *metav1.LabelSelector) {
	if from != nil {
		n.from = *from
	}
	n.selector = selector
}
