package manifest

import (
	"iter"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// Route is what the routes of all kinds have in common.
type Route struct {
	// Kind is "HTTPRoute", "GRPCRoute", "TLSRoute", "TCPRoute" or "UDPRoute".
	Kind string
	// Object is a pointer to the typed route.
	Object metav1.Object
	Places *Places
	// NamespaceAbsent: the manifest names no namespace, so that whoever applies it decides.
	NamespaceAbsent bool
	*gatewayv1.CommonRouteSpec
	// Hostnames are nil for the kinds that have none.
	Hostnames []gatewayv1.Hostname
	// Spec is the whole specification, a pointer to it in the route's own type: to compare it with another.
	Spec any
	// Rules are the rules, each a pointer in the route's own type.
	Rules []any
}

// Name of the route, for a diagnostic.
func (r Route) Name() diagnostic.Object {
	return diagnostic.Object{Kind: r.Kind, Namespace: r.Object.GetNamespace(), Name: r.Object.GetName()}
}

// Routes are the routes of all kinds: kind by kind, each in the order of its list.
func (o *Objects) Routes() iter.Seq[Route] {
	return func(yield func(Route) bool) {
		_ = eachRoute(o.HTTPRoutes, "HTTPRoute", yield, func(r *gatewayv1.HTTPRoute, into *Route) {
			into.fill(&r.Spec, &r.Spec.CommonRouteSpec, r.Spec.Hostnames, pointers(r.Spec.Rules))
		}) && eachRoute(o.GRPCRoutes, "GRPCRoute", yield, func(r *gatewayv1.GRPCRoute, into *Route) {
			into.fill(&r.Spec, &r.Spec.CommonRouteSpec, r.Spec.Hostnames, pointers(r.Spec.Rules))
		}) && eachRoute(o.TLSRoutes, "TLSRoute", yield, func(r *gatewayv1.TLSRoute, into *Route) {
			into.fill(&r.Spec, &r.Spec.CommonRouteSpec, r.Spec.Hostnames, pointers(r.Spec.Rules))
		}) && eachRoute(o.TCPRoutes, "TCPRoute", yield, func(r *gatewayv1.TCPRoute, into *Route) {
			into.fill(&r.Spec, &r.Spec.CommonRouteSpec, nil, pointers(r.Spec.Rules))
		}) && eachRoute(o.UDPRoutes, "UDPRoute", yield, func(r *gatewayv1.UDPRoute, into *Route) {
			into.fill(&r.Spec, &r.Spec.CommonRouteSpec, nil, pointers(r.Spec.Rules))
		})
	}
}

func (r *Route) fill(spec any, common *gatewayv1.CommonRouteSpec, hostnames []gatewayv1.Hostname, rules []any) {
	r.Spec, r.CommonRouteSpec, r.Hostnames, r.Rules = spec, common, hostnames, rules
}

func pointers[T any](list []T) []any {
	found := make([]any, len(list))
	for i := range list {
		found[i] = &list[i]
	}
	return found
}

// eachRoute yields the routes of one list and tells whether to go on.
func eachRoute[T metav1.Object](list []Located[T], kind string, yield func(Route) bool, fill func(T, *Route)) bool {
	for _, located := range list {
		route := Route{Kind: kind, Object: located.Object, Places: located.Places, NamespaceAbsent: located.NamespaceAbsent}
		fill(located.Object, &route)
		if !yield(route) {
			return false
		}
	}
	return true
}
