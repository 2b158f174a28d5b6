// Package manifest reads Kubernetes manifests: bytes in, typed objects out that an API server would take, each of whose fields
// knows its line.
//
//	directory, file, stdin ─ Walk, File ─ []Source ─ split ─ documents ─ parse ─ nodes ─ convert ─ values ─ schema ─ decode ─ Objects
//
// Documents are read by a few workers at a time and each node tree is dropped as soon as its object is made: a tree
// takes about twenty times the memory of its text. Input is hostile: sizes, depths and alias expansion are bounded (Limits),
// nothing outside the given tree is read, and one bad document never hides the others.
//
// What an API server says about a value is asked of render/schema; what an object means (render/attach) is not known here.
package manifest

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
	gatewayv1beta1 "sigs.k8s.io/gateway-api/apis/v1beta1"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// Located is an object with the places of its fields.
type Located[T any] struct {
	// Object is a pointer to the typed object. Its namespace is filled in ("default" where the manifest has none), and so are the
	// defaults of the API.
	Object T
	Places *Places
	// NamespaceAbsent: the manifest names no namespace, so that whoever applies it decides.
	NamespaceAbsent bool
}

// Objects are the objects of an input, each list sorted by namespace and name.
type Objects struct {
	GatewayClasses []Located[*gatewayv1.GatewayClass]
	Gateways       []Located[*gatewayv1.Gateway]
	HTTPRoutes     []Located[*gatewayv1.HTTPRoute]
	GRPCRoutes     []Located[*gatewayv1.GRPCRoute]
	TLSRoutes      []Located[*gatewayv1.TLSRoute]
	TCPRoutes      []Located[*gatewayv1.TCPRoute]
	UDPRoutes      []Located[*gatewayv1.UDPRoute]
	ListenerSets   []Located[*gatewayv1.ListenerSet]
	// BackendTLSPolicies say how backends prove who they are.
	BackendTLSPolicies []Located[*gatewayv1.BackendTLSPolicy]
	ReferenceGrants    []Located[*gatewayv1beta1.ReferenceGrant]
	Services           []Located[*corev1.Service]
	EndpointSlices     []Located[*discoveryv1.EndpointSlice]
	Namespaces         []Located[*corev1.Namespace]
	// ConfigMaps have the entry "ca.crt" only, the one that the Gateway API looks for.
	ConfigMaps []Located[*corev1.ConfigMap]
	// Secrets have no data, but a verdict on it.
	Secrets []Located[*Secret]
	// Others are the objects of kinds that are not read, by name, so that a reference to one can be told from a reference to
	// nothing.
	Others []Other
	// Invalid are the objects of the kinds above that have an error and are left out of the lists because of it: who misses one
	// need not complain again.
	Invalid []Other
}

// Other is an object by name and place only.
type Other struct {
	APIVersion string
	diagnostic.Object
	Position diagnostic.Position
	// Digest is of what the object says, without metadata and status, where its kind is not read: equal digests say the same.
	Digest string
	// Bears tells that an object of a kind that is not read bears on requests although no other object names it: a route of another
	// protocol, a policy that names its targets, the values of a chart that makes routes.
	Bears bool
}
