// Package model is the neutral route table between Gateway API and Envoy: what is served, by whom, to whom.
//
// render/attach fills it, render/precedence orders its rules, render/xds turns it into Envoy messages and
// plugin/review reads the origin of a rule from it. It imports the standard library only: no Kubernetes type and no
// Envoy type is in it, and nothing in it depends on a clock or an environment.
package model

import "time"

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
}

// Protocol is what a port speaks.
type Protocol string

const (
	HTTP  Protocol = "HTTP"
	HTTPS Protocol = "HTTPS"
)

// Listener is one port of a Gateway: one socket. Several listeners of the Gateway API may share it.
type Listener struct {
	Port     uint32
	Protocol Protocol
	// Chains has one entry without server names for HTTP, one for each Gateway API listener for HTTPS.
	Chains []FilterChain
}

// FilterChain is what is chosen by SNI, with a route table of its own.
type FilterChain struct {
	// Name is the Gateway API listener's name for HTTPS, "http-<port>" for HTTP. Envoy drains a chain whose name changes.
	Name string
	// ServerNames are the SNI names, "*.example.com" included; none is any name.
	ServerNames  []string
	Certificates []Certificate
	Routes       RouteTable
}

// Certificate is a TLS secret by name. Its key is never read.
type Certificate struct{ Name }

// RouteTable is one route configuration.
type RouteTable struct {
	// Name is unique in the Gateway and names the RDS file.
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

// Rule is one match of one route rule: the unit that competes.
type Rule struct {
	Origin Origin
	// Hostname is the route's own hostname that led to this host; a route without hostnames inherits the listener's ("*"
	// where that has none either), and so ties with a route that names it.
	Hostname string
	Age      Age
	Match    Match
	Action   Action
}

// Origin says which manifest a rule comes from.
type Origin struct {
	Kind string
	Name
	// RuleName is spec.rules[].name, or "".
	RuleName string
	// Rule and Match are the indexes in spec.rules and spec.rules[].matches (0 where no match is written).
	Rule, Match int
	// File and Line are the place of the match, or of the rule where no match is written.
	File string
	Line int
	// BackendLine is the line of backendRefs, FilterLine of filters, TimeoutLine of timeouts; 0 where there are none.
	BackendLine, FilterLine, TimeoutLine int
}

// Age is what is known of an object's age (product.md, R9).
type Age struct {
	// New: the object is in the later of two compared commits only, so the cluster will create it after all others.
	New bool
	// Created is the creation timestamp or the landing time; zero is unknown and counts as the oldest.
	Created time.Time
	Source  AgeSource
}

// AgeSource says where an age comes from.
type AgeSource string

const (
	AgeUnknown  AgeSource = ""
	AgeManifest AgeSource = "manifest" // metadata.creationTimestamp
	AgeGit      AgeSource = "git"      // landing time on the branch, or new in the later commit
)

// PathKind is how a path is compared.
type PathKind string

const (
	PathExact  PathKind = "Exact"
	PathPrefix PathKind = "PathPrefix" // on segment borders; Value has no trailing slash, "/" is everything
	PathRegex  PathKind = "RegularExpression"
)

// Match is a conjunction of conditions.
type Match struct {
	PathKind  PathKind
	PathValue string
	// PathWritten is the value as the manifest has it, a trailing slash included: some dialects count it. It matches nothing.
	PathWritten string
	// Method is "" for any.
	Method  string
	Headers []ValueMatch // names in lower case, each once, in the order of the manifest
	Query   []ValueMatch
}

// ValueMatch is a condition on a named value.
type ValueMatch struct {
	Name  string
	Regex bool
	Value string
}

// Action is what happens with a request that a rule wins. Exactly one of Backends, Redirect and Direct is set.
type Action struct {
	Backends []WeightedBackend
	Redirect *Redirect
	// Direct answers without a backend: 500 for a rule that has none that is valid, and for an unknown filter.
	Direct *Direct

	RequestHeaders  HeaderChange
	ResponseHeaders HeaderChange
	Rewrite         Rewrite
	// RequestTimeout is nil when not set (Envoy's own default of 15 s holds then); 0 is no timeout.
	RequestTimeout *time.Duration
	// BackendTimeout is nil when not set.
	BackendTimeout *time.Duration
	// Unrendered is what the rule asks for and Envoy is not told, in the order of the manifest. It goes along so that a change of
	// it is seen, and a request that comes under it or leaves it.
	Unrendered []Unrendered
}

// Unrendered is a part of a rule that this version has no Envoy configuration for.
type Unrendered struct {
	// Part is "filter", "mirror", "retry" or "session persistence".
	Part string
	// Value tells two parts apart, for people: "Middleware forward-auth of group traefik.io".
	Value string
}

// WeightedBackend is a share of the requests.
type WeightedBackend struct {
	Weight uint32
	// Backend is nil for a reference that is refused: its share answers 500.
	Backend *Backend
	// RequestHeaders and ResponseHeaders are the filters of this backendRef alone.
	RequestHeaders  HeaderChange
	ResponseHeaders HeaderChange
}

// BackendProtocol is what is spoken to a backend.
type BackendProtocol string

const (
	BackendHTTP1 BackendProtocol = ""
	BackendH2C   BackendProtocol = "h2c"
)

// Backend is a port of a Service (or of what stands for one). Equal backends are equal pointers within one Gateway.
type Backend struct {
	Name
	// Kind is "" for a Service, else "kind.group" in lower case of a foreign kind that is assumed to serve.
	Kind     string
	Port     uint32
	Protocol BackendProtocol
	// DNSName is set when the addresses are not known at render time; Endpoints otherwise (none: 503). DNSPort is the port
	// behind that name where it is not Port: a headless Service's name stands for its endpoints.
	DNSName   string
	DNSPort   uint32
	Endpoints []Locality
}

// Locality is a group of endpoints.
type Locality struct {
	Zone      string
	Endpoints []Endpoint
}

// Endpoint is an address that serves.
type Endpoint struct {
	Address string
	Port    uint32
}

// HeaderChange is a header modifier. Names keep their case.
type HeaderChange struct {
	Set, Add []Header
	Remove   []string
}

// Header is a name with its value.
type Header struct{ Name, Value string }

// Rewrite changes the request on its way to a backend.
type Rewrite struct {
	Hostname string
	Path     *PathChange
}

// PathChange replaces the whole path or the matched prefix.
type PathChange struct {
	// Prefix: replace the matched prefix (Match.PathValue), else the full path.
	Prefix bool
	Value  string
}

// Redirect is an answer that sends the client elsewhere.
type Redirect struct {
	// Scheme and Hostname are "" for "as requested"; Port is 0 where none is asked for: it then follows from the scheme, or
	// else from the listener.
	Scheme, Hostname string
	Port             uint32
	Path             *PathChange
	Status           uint32
}

// Direct is an answer that Envoy gives itself.
type Direct struct {
	Status uint32
	// Reason says why there is no backend, for the metadata and the report.
	Reason string
}
