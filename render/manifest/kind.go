package manifest

import (
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
	gatewayv1beta1 "sigs.k8s.io/gateway-api/apis/v1beta1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/schema/typed"
)

const gatewayGroup = "gateway.networking.k8s.io"

// groupKind names a kind without its version.
type groupKind struct{ group, kind string }

// kind says how objects of one kind are read.
type kind struct {
	namespaced bool
	shape      *shape
	// left are fields of which only these entries are read.
	left map[string][]string
	// read makes an object of its value and gives a function that stores it among the others. Its findings are those of the
	// rules that are no definition's.
	read func(*decoder, map[string]any) (store, diagnostic.List)
}

// store puts an object into its list.
type store func(into *Objects, places *Places, namespaceAbsent bool)

// defined tells whether a CustomResourceDefinition says what objects of a kind are.
func (id groupKind) defined() bool { return id.group == gatewayGroup }

// kinds are the kinds that are read. The table is made once and never changes.
var kinds = func() map[groupKind]kind {
	known := shapes{}
	table := map[groupKind]kind{
		{gatewayGroup, "GatewayClass"}: define(known, func(o *Objects) *[]Located[*gatewayv1.GatewayClass] { return &o.GatewayClasses }, none),
		{gatewayGroup, "Gateway"}:      define(known, func(o *Objects) *[]Located[*gatewayv1.Gateway] { return &o.Gateways }, typed.Gateway),
		{gatewayGroup, "HTTPRoute"}:    define(known, func(o *Objects) *[]Located[*gatewayv1.HTTPRoute] { return &o.HTTPRoutes }, typed.HTTPRoute),
		{gatewayGroup, "GRPCRoute"}:    define(known, func(o *Objects) *[]Located[*gatewayv1.GRPCRoute] { return &o.GRPCRoutes }, typed.GRPCRoute),
		{gatewayGroup, "TLSRoute"}:     define(known, func(o *Objects) *[]Located[*gatewayv1.TLSRoute] { return &o.TLSRoutes }, none),
		{gatewayGroup, "TCPRoute"}:     define(known, func(o *Objects) *[]Located[*gatewayv1.TCPRoute] { return &o.TCPRoutes }, none),
		{gatewayGroup, "UDPRoute"}:     define(known, func(o *Objects) *[]Located[*gatewayv1.UDPRoute] { return &o.UDPRoutes }, none),
		{gatewayGroup, "ListenerSet"}:  define(known, func(o *Objects) *[]Located[*gatewayv1.ListenerSet] { return &o.ListenerSets }, typed.ListenerSet),
		{gatewayGroup, "BackendTLSPolicy"}: define(known, func(o *Objects) *[]Located[*gatewayv1.BackendTLSPolicy] { return &o.BackendTLSPolicies },
			none),
		{gatewayGroup, "ReferenceGrant"}: define(known, func(o *Objects) *[]Located[*gatewayv1beta1.ReferenceGrant] { return &o.ReferenceGrants },
			none),
		{"", "Service"}: define(known, func(o *Objects) *[]Located[*corev1.Service] { return &o.Services }, typed.Service),
		{"", "Namespace"}: define(known, func(o *Objects) *[]Located[*corev1.Namespace] { return &o.Namespaces },
			func(n *corev1.Namespace) diagnostic.List { return typed.Namespace(n.Name) }),
		{"", "ConfigMap"}: define(known, func(o *Objects) *[]Located[*corev1.ConfigMap] { return &o.ConfigMaps },
			func(c *corev1.ConfigMap) diagnostic.List { return typed.Named(c.Name) }).only(map[string][]string{"data": {authoritiesKey}, "binaryData": {}}),
		{"", "Secret"}: defineSecret(known).only(map[string][]string{"data": secretKeys, "stringData": secretKeys}),
		{"discovery.k8s.io", "EndpointSlice"}: define(known, func(o *Objects) *[]Located[*discoveryv1.EndpointSlice] { return &o.EndpointSlices },
			typed.EndpointSlice),
	}
	for id, one := range table {
		one.namespaced = id.kind != "GatewayClass" && id.kind != "Namespace"
		table[id] = one
	}
	return table
}()

func none[T any](T) diagnostic.List { return nil }

// define describes a kind with its Go type and the rules that no definition has.
func define[T any](known shapes, list func(*Objects) *[]Located[*T], rules func(*T) diagnostic.List) kind {
	s := known.of(reflect.TypeFor[T]())
	return kind{shape: s, read: func(d *decoder, value map[string]any) (store, diagnostic.List) {
		object := new(T)
		d.decode(value, s, reflect.ValueOf(object).Elem())
		var found diagnostic.List
		if len(d.found) == 0 {
			found = rules(object)
		}
		return storeIn(list, object), found
	}}
}

// storeIn stores an object in a list.
func storeIn[T any](list func(*Objects) *[]Located[*T], object *T) store {
	return func(into *Objects, places *Places, namespaceAbsent bool) {
		target := list(into)
		*target = append(*target, Located[*T]{Object: object, Places: places, NamespaceAbsent: namespaceAbsent})
	}
}

// only leaves out the entries of some fields but for those named. Of such a kind, which is not about routing, fields that are not
// known pass in silence.
func (k kind) only(left map[string][]string) kind {
	k.left, k.shape.open = left, true
	return k
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
