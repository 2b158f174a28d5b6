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
}

// Name of the route, for a diagnostic.
func (r Route) Name() diagnostic.Object {
	return diagnostic.Object{Kind: r.Kind, Namespace: r.Object.GetNamespace(), Name: r.Object.GetName()}
}

// Routes are the routes of all kinds: kind by kind, each in the order of its list.
func (o *Objects) Routes() iter.Seq[Route] {
	return func(yield func(Route) bool) {
		_ = eachRoute(o.HTTPRoutes, "HTTPRoute", yield, func(r *gatewayv1.HTTPRoute) (*gatewayv1.CommonRouteSpec, []gatewayv1.Hostname) {
			return &r.Spec.CommonRouteSpec, r.Spec.Hostnames
		}) && eachRoute(o.GRPCRoutes, "GRPCRoute", yield, func(r *gatewayv1.GRPCRoute) (*gatewayv1.CommonRouteSpec, []gatewayv1.Hostname) {
			return &r.Spec.CommonRouteSpec, r.Spec.Hostnames
		}) && eachRoute(o.TLSRoutes, "TLSRoute", yield, func(r *gatewayv1.TLSRoute) (*gatewayv1.CommonRouteSpec, []gatewayv1.Hostname) {
			return &r.Spec.CommonRouteSpec, r.Spec.Hostnames
		}) && eachRoute(o.TCPRoutes, "TCPRoute", yield, func(r *gatewayv1.TCPRoute) (*gatewayv1.CommonRouteSpec, []gatewayv1.Hostname) {
			return &r.Spec.CommonRouteSpec, nil
		}) && eachRoute(o.UDPRoutes, "UDPRoute", yield, func(r *gatewayv1.UDPRoute) (*gatewayv1.CommonRouteSpec, []gatewayv1.Hostname) {
			return &r.Spec.CommonRouteSpec, nil
		})
	}
}

// eachRoute yields the routes of one list and tells whether to go on.
func eachRoute[T metav1.Object](list []Located[T], kind string, yield func(Route) bool, common func(T) (*gatewayv1.CommonRouteSpec, []gatewayv1.Hostname)) bool {
	for _, located := range list {
		spec, hostnames := common(located.Object)
		route := Route{
			Kind: kind, Object: located.Object, Places: located.Places, NamespaceAbsent: located.NamespaceAbsent,
			CommonRouteSpec: spec, Hostnames: hostnames,
		}
		if !yield(route) {
			return false
		}
	}
	return true
}
