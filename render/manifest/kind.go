package manifest

import (
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
	gatewayv1beta1 "sigs.k8s.io/gateway-api/apis/v1beta1"
)

const gatewayGroup = "gateway.networking.k8s.io"

// groupKind names a kind without its version.
type groupKind struct{ group, kind string }

// kind says how objects of one kind are read.
type kind struct {
	// versions that are served; they differ in name only.
	versions   []string
	namespaced bool
	// read decodes a node and gives the object and a function that stores it among the others.
	read func(*decoder, node) (metav1.Object, store)
}

// store puts an object into its list.
type store func(into *Objects, places *Places, namespaceAbsent bool)

// kinds are the kinds that are read. The table is made once and never changes. Versions: what the CRDs of Gateway API 1.6
// serve (config/crd/standard), and Kubernetes 1.36.
var kinds = func() map[groupKind]kind {
	known := shapes{}
	return map[groupKind]kind{
		{gatewayGroup, "GatewayClass"}: define(known, false, func(o *Objects) *[]Located[*gatewayv1.GatewayClass] { return &o.GatewayClasses }, "v1", "v1beta1"),
		{gatewayGroup, "Gateway"}:      define(known, true, func(o *Objects) *[]Located[*gatewayv1.Gateway] { return &o.Gateways }, "v1", "v1beta1"),
		{gatewayGroup, "HTTPRoute"}:    define(known, true, func(o *Objects) *[]Located[*gatewayv1.HTTPRoute] { return &o.HTTPRoutes }, "v1", "v1beta1"),
		{gatewayGroup, "ReferenceGrant"}: define(known, true, func(o *Objects) *[]Located[*gatewayv1beta1.ReferenceGrant] { return &o.ReferenceGrants },
			"v1", "v1beta1"),
		{gatewayGroup, "GRPCRoute"}:   define(known, true, func(o *Objects) *[]Located[*gatewayv1.GRPCRoute] { return &o.GRPCRoutes }, "v1"),
		{gatewayGroup, "TLSRoute"}:    define(known, true, func(o *Objects) *[]Located[*gatewayv1.TLSRoute] { return &o.TLSRoutes }, "v1", "v1alpha3", "v1alpha2"),
		{gatewayGroup, "TCPRoute"}:    define(known, true, func(o *Objects) *[]Located[*gatewayv1.TCPRoute] { return &o.TCPRoutes }, "v1", "v1alpha2"),
		{gatewayGroup, "UDPRoute"}:    define(known, true, func(o *Objects) *[]Located[*gatewayv1.UDPRoute] { return &o.UDPRoutes }, "v1", "v1alpha2"),
		{gatewayGroup, "ListenerSet"}: define(known, true, func(o *Objects) *[]Located[*gatewayv1.ListenerSet] { return &o.ListenerSets }, "v1"),
		{gatewayGroup, "BackendTLSPolicy"}: define(known, true, func(o *Objects) *[]Located[*gatewayv1.BackendTLSPolicy] { return &o.BackendTLSPolicies },
			"v1", "v1alpha3"),
		{"", "ConfigMap"}: define(known, true, func(o *Objects) *[]Located[*corev1.ConfigMap] { return &o.ConfigMaps }, "v1"),
		{"", "Service"}:   define(known, true, func(o *Objects) *[]Located[*corev1.Service] { return &o.Services }, "v1"),
		{"", "Namespace"}: define(known, false, func(o *Objects) *[]Located[*corev1.Namespace] { return &o.Namespaces }, "v1"),
		{"", "Secret"}:    define(known, true, func(o *Objects) *[]Located[*corev1.Secret] { return &o.Secrets }, "v1"),
		{"discovery.k8s.io", "EndpointSlice"}: define(known, true, func(o *Objects) *[]Located[*discoveryv1.EndpointSlice] { return &o.EndpointSlices },
			"v1"),
	}
}()

// define describes a kind with its Go type.
func define[T any](known shapes, namespaced bool, list func(*Objects) *[]Located[*T], versions ...string) kind {
	s := known.of(reflect.TypeFor[T]())
	if reflect.TypeFor[T]() == reflect.TypeFor[corev1.Secret]() {
		// Private keys are never kept, not even in memory.
		s = s.without("data", "stringData")
	}
	return kind{versions: versions, namespaced: namespaced, read: func(d *decoder, n node) (metav1.Object, store) {
		object := new(T)
		d.decode(n.Node, s, reflect.ValueOf(object).Elem())
		return any(object).(metav1.Object), func(into *Objects, places *Places, namespaceAbsent bool) {
			target := list(into)
			*target = append(*target, Located[*T]{Object: object, Places: places, NamespaceAbsent: namespaceAbsent})
		}
	}}
}

// splitAPIVersion cuts "group/version"; the group of "v1" is empty.
func splitAPIVersion(apiVersion string) (group, version string) {
	if group, version, found := strings.Cut(apiVersion, "/"); found {
		return group, version
	}
	return "", apiVersion
}

// isGatewayKind tells whether a kind by its name alone must be one of the Gateway API.
func isGatewayKind(name string) bool {
	_, read := kinds[groupKind{gatewayGroup, name}]
	return read
}
