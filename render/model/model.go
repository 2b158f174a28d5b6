// Package model is the neutral route table between Gateway API and Envoy: what is served, by whom, to whom.
//
// render/attach fills it, render/precedence orders its rules, render/xds turns it into Envoy messages and
// plugin/review reads the origin of a rule from it. It imports the standard library only: no Kubernetes type and no
// Envoy type is in it, and nothing in it depends on a clock or an environment.
package model

// Name is a namespaced name.
type Name struct{ Namespace, Name string }

// String is namespace/name.
func (n Name) String() string { return n.Namespace + "/" + n.Name }

// Gateway is one Gateway as one Envoy serves it.
type Gateway struct {
	Name
	// Assumed: the Gateway is not in the input; an open one was taken in its place.
	Assumed   bool
	Listeners []Listener
	// ClientCertificate is what the Gateway shows to backends that speak TLS (Gateway.spec.tls.backend); nil is none.
	ClientCertificate *Certificate
	// Labels and Annotations are for whatever is made in response to the Gateway (Gateway.spec.infrastructure).
	Labels, Annotations map[string]string
}

// Protocol is what a port speaks.
type Protocol string

const (
	HTTP  Protocol = "HTTP"
	HTTPS Protocol = "HTTPS"
	TLS   Protocol = "TLS" // chains may pass TLS on as it is, or end it; HTTPS chains may stand among them
	TCP   Protocol = "TCP"
	UDP   Protocol = "UDP"
)

// Listener is one port of a Gateway: one socket. Several listeners of the Gateway API may share it.
type Listener struct {
	Port     uint32
	Protocol Protocol
	// Chains has one entry without server names for HTTP, TCP and UDP, one for each Gateway API listener for HTTPS, and one for
	// each hostname of a listener for TLS.
	Chains []FilterChain
}

// FilterChain is what is chosen by SNI: a route table, or backends that take the connection.
type FilterChain struct {
	// Name is the Gateway API listener's name for HTTPS, "http-<port>" for HTTP. Envoy drains a chain whose name changes.
	Name string
	// ServerNames are the SNI names, "*.example.com" included; none is any name.
	ServerNames []string
	// Certificates end TLS; none on a chain for TLS passes it on as it is.
	Certificates []Certificate
	// ClientValidation asks clients for certificates; nil does not.
	ClientValidation *ClientValidation
	// Routes is the route table of a chain that speaks HTTP.
	Routes RouteTable
	// Forward is set instead of Routes where connections or datagrams are passed on.
	Forward *Forward
}

// Certificate is a TLS secret by name. Its key is never read.
type Certificate struct{ Name }

// ClientValidation says which client certificates are taken.
type ClientValidation struct {
	// Authorities is the PEM text of the CA certificates. AuthoritiesFrom is set instead where the text is not known: the ConfigMap
	// that has it.
	Authorities     string
	AuthoritiesFrom *Name
	// AllowInsecure lets clients in without a certificate and with one that does not hold (AllowInsecureFallback).
	AllowInsecure bool
}

// Forward passes the bytes of a connection, or the datagrams of a session, to backends by weight.
type Forward struct {
	Origin Origin
	// Backends as in Action: a nil Backend is a share whose connections are closed. None at all closes every connection.
	Backends []WeightedBackend
	// Reason says why there is no backend, for the metadata and the report; "" where there is one.
	Reason string
}

// RouteTable is one route configuration.
type RouteTable struct {
	// Name is unique in the Gateway and names the RDS file; "" where the chain forwards.
	Name  string
	Hosts []Host
}

// Host is the virtual host of one hostname.
type Host struct {
	// Hostname is "*" (any), "*.example.com" or a full name, in lower case.
	Hostname string
	// Rules stand in the order in which Envoy tries them, once precedence has been applied. render/xds makes exactly
	// one Envoy route of each, at the same index: that is how a route of a rendering is traced back to its origin.
	Rules []Rule
}
