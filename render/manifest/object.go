// Package manifest reads Kubernetes manifests: bytes in, typed objects out, each of whose fields knows its line.
//
// Input is hostile: sizes, depths and alias expansion are bounded, nothing outside the given tree is read, and one bad
// document never hides the others.
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
	// Object is a pointer to the typed object. Its namespace is filled in ("default" where the manifest has none), defaults
	// of the API are not (render/schema does that).
	Object T
	Places *Places
}

// Places knows where the fields of one document stand.
type Places struct {
	Document diagnostic.Position
	// fields by path: "spec.rules[0].matches[1].path.value".
	fields map[string]diagnostic.Position
}

// At is the place of a field, or of the nearest field above it that is known, or of the document.
func (p *Places) At(field string) diagnostic.Position { panic("not furnished yet") }

// Objects are the objects of an input, each list sorted by namespace and name.
type Objects struct {
	GatewayClasses  []Located[*gatewayv1.GatewayClass]
	Gateways        []Located[*gatewayv1.Gateway]
	HTTPRoutes      []Located[*gatewayv1.HTTPRoute]
	ReferenceGrants []Located[*gatewayv1beta1.ReferenceGrant]
	Services        []Located[*corev1.Service]
	EndpointSlices  []Located[*discoveryv1.EndpointSlice]
	Namespaces      []Located[*corev1.Namespace]
	// Secrets have names and types only: their data is dropped while reading.
	Secrets []Located[*corev1.Secret]
	// Others are the objects of kinds that are not read, by name, so that a reference to one can be told from a reference to
	// nothing.
	Others []Other
}

// Other is an object of a kind that is not read.
type Other struct {
	APIVersion string
	diagnostic.Object
	Position diagnostic.Position
}
