package model

import "time"

// Action is what happens with a request that a rule wins. Exactly one of Backends, Redirect and Direct is set.
type Action struct {
	Backends []WeightedBackend
	Redirect *Redirect
	// Direct answers without a backend: 500 for a rule that has none that is valid, and for an unknown filter (503 for a gRPC
	// rule, which Envoy turns into UNAVAILABLE).
	Direct *Direct
	// RefusedStatus is the answer of a share whose Backend is nil; 0 is 500.
	RefusedStatus uint32

	RequestHeaders  HeaderChange
	ResponseHeaders HeaderChange
	Rewrite         Rewrite
	// RequestTimeout is nil when not set (Envoy's own default of 15 s holds then); 0 is no timeout.
	RequestTimeout *time.Duration
	// BackendTimeout is nil when not set.
	BackendTimeout *time.Duration
	// Mirrors get a copy of requests; what they answer is dropped.
	Mirrors []Mirror
	// ExternalAuth (who allows a request before anything is done with it), CORS, Retry and Session are nil where the rule does not ask
	// for them.
	ExternalAuth *ExternalAuth
	CORS         *CORS
	Retry        *Retry
	Session      *Session
	// Unrendered is what the rule asks for and Envoy is not told, in the order of the manifest. It goes along so that a change of
	// it is seen, and a request that comes under it or leaves it.
	Unrendered []Unrendered
}

// Served is the number of backends that get requests.
func (a Action) Served() int {
	served := 0
	for _, b := range a.Backends {
		if b.Weight > 0 {
			served++
		}
	}
	return served
}

// Unrendered is a part of a rule that this version has no Envoy configuration for.
type Unrendered struct {
	// Part is "filter", for instance.
	Part string
	// Value tells two parts apart, for people: "Middleware forward-auth of group traefik.io".
	Value string
}

// WeightedBackend is a share of the requests.
type WeightedBackend struct {
	Weight uint32
	// Backend is nil for a reference that is refused: its share answers 500.
	Backend *Backend
	// RequestHeaders, ResponseHeaders, Hostname (which the Host header is rewritten to, "" for none), CORS and ExternalAuth are the
	// filters of this backendRef alone.
	RequestHeaders  HeaderChange
	ResponseHeaders HeaderChange
	Hostname        string
	CORS            *CORS
	ExternalAuth    *ExternalAuth
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

// Mirror is a backend that gets a copy of Numerator in Denominator requests.
type Mirror struct {
	Backend                *Backend
	Numerator, Denominator uint32
}

// CORS is what browsers are told about requests from other origins (HTTPCORSFilter).
type CORS struct {
	// Origins are exact origins, or with one "*" in the host, or "*" for any.
	Origins                                []string
	Methods, RequestHeaders, ExposeHeaders []string
	Credentials                            bool
	// MaxAge in seconds.
	MaxAge int32
}

// ExternalAuth has a server allow a request or refuse it (HTTPExternalAuthFilter). A server that cannot be asked refuses.
type ExternalAuth struct {
	Backend *Backend
	// GRPC: the server speaks Envoy's ext_authz protocol, else plain HTTP.
	GRPC bool
	// Path stands in front of the request's path where a server is asked over HTTP; "" is nothing.
	Path string
	// RequestHeaders are those of the request that the server is told. None is all of them over gRPC, and over HTTP those that it is
	// always told.
	RequestHeaders []string
	// ResponseHeaders of an answer over HTTP are copied into the request; none is all of them.
	ResponseHeaders []string
	// MaxBody is how many bytes of body the server is sent; 0 is none. A longer body is refused.
	MaxBody uint32
}

// Retry says when a request is tried again.
type Retry struct {
	Codes []uint32
	// Attempts and Backoff are nil where they are not set; Attempts counts the retries, not the first try.
	Attempts *uint32
	Backoff  *time.Duration
}

// Session keeps the requests of one client at one endpoint.
type Session struct {
	// Cookie: the session is kept in a cookie of that name, else in a header.
	Cookie bool
	Name   string
	// Lifetime of a permanent cookie; 0 is a session cookie.
	Lifetime time.Duration
	// Path of the cookie: requests for other paths have no session.
	Path string
}
