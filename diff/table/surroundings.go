package table

import (
	"strings"

	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	tlsv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/transport_sockets/tls/v3"
	"google.golang.org/protobuf/proto"
)

// surroundings are what a condition of a route may look at beside the request that the client sent.
type surroundings struct {
	options Options
	runtime runtimeValues
	// metadata: filters may leave dynamic metadata and then have the route chosen anew. Envoy chooses a route before its
	// filters run: without such a filter there is none.
	metadata bool
	// state: filters of the connection, or those of metadata, may leave filter state.
	state bool
	// certificates: a client may present one.
	certificates bool
	// tls: connections are decrypted here.
	tls bool
	// internal: requests from some addresses count as internal, and keep headers that others lose.
	internal bool
	// clientCertificateHeader: the header with the client's certificate may be there.
	clientCertificateHeader bool
	// tunnels: the connection manager lets CONNECT through.
	tunnels bool
}

// anywhere is a place of which nothing is known: a route configuration without a listener. It is for CONNECT what it says, if it
// has routes for it.
var anywhere = surroundings{metadata: true, state: true, certificates: true, internal: true, clientCertificateHeader: true, tunnels: true}

// surround reads the filters and the transport of a chain. Options are added where they are read.
func surround(listener *listenerv3.Listener, chain *listenerv3.FilterChain) surroundings {
	return surroundings{
		state:        len(chain.GetFilters()) > 1 || !plainListenerFilters(listener),
		certificates: asksForCertificate(chain),
	}
}

// plainListenerFilters: all filters of the listener only look at the first bytes of a connection. Others may say that it comes
// from or goes to another address (proxy_protocol, original_dst), or leave filter state.
func plainListenerFilters(listener *listenerv3.Listener) bool {
	for _, filter := range listener.GetListenerFilters() {
		switch typeName(filter.GetTypedConfig().GetTypeUrl()) {
		case "envoy.extensions.filters.listener.tls_inspector.v3.TlsInspector",
			"envoy.extensions.filters.listener.http_inspector.v3.HttpInspector":
		default:
			return false
		}
	}
	return !listener.GetUseOriginalDst().GetValue()
}

// asksForCertificate: Envoy asks a client for its certificate only where the configuration says how to validate it, or requires
// one. A transport of another kind may do anything.
func asksForCertificate(chain *listenerv3.FilterChain) bool {
	if chain.GetTransportSocket() == nil {
		return false
	}
	context, _ := readTransport(chain)
	if context == nil {
		return true
	}
	common := proto.CloneOf(context.GetCommonTlsContext())
	if common == nil {
		common = &tlsv3.CommonTlsContext{}
	}
	return context.GetRequireClientCertificate().GetValue() || common.ValidationContextType != nil
}

// readFree reads the conditions on what no client sends. One that is the same for all requests of the place is no condition, or
// makes the rule one that never wins.
func (s *surroundings) readFree(match *routev3.RouteMatch, rule *Rule) {
	for _, m := range match.GetDynamicMetadata() {
		bare := proto.CloneOf(m)
		bare.Invert = false
		rule.free("dynamic_metadata "+canonical(bare), m.GetInvert(), s.metadata)
	}
	for _, m := range match.GetFilterState() {
		rule.free("filter_state "+canonical(m), false, s.state || s.metadata)
	}
	if presented := match.GetTlsContext().GetPresented(); presented != nil {
		rule.free("tls_context presented", !presented.GetValue(), s.certificates)
	}
	if validated := match.GetTlsContext().GetValidated(); validated != nil {
		rule.free("tls_context validated", !validated.GetValue(), s.certificates)
	}
}

// settled is what becomes of a header that is the same in all requests of the place: its value, or that it is absent. Filters
// that change requests may put anything into any.
func (s *surroundings) settled(name string) (value string, present, known bool) {
	if len(s.options.Rerouters) > 0 || s.metadata {
		return "", false, false
	}
	switch {
	case absentHeaders[name],
		!s.internal && internalHeaders[name],
		!s.internal && s.options.UseRemoteAddress && absentOnEdge[name],
		!s.clientCertificateHeader && name == "x-forwarded-client-cert",
		s.options.Underscores != AllowUnderscores && strings.Contains(name, "_"):
		return "", false, true
	case s.options.UseRemoteAddress && (name == forwardedProto || name == ":scheme"):
		if s.tls {
			return "https", true, true
		}
		return "http", true, true
	}
	return "", false, false
}

// alwaysHolds tells whether a condition holds where the value is always the same. A regular expression that is not understood was
// sorted out before.
func alwaysHolds(p Predicate, value string, present bool) bool {
	a := arrival{headers: map[string][]string{}}
	if present {
		a.headers[p.Name] = []string{value}
	}
	evaluator := Compile(&Table{Hosts: []Host{{Rules: []Rule{{Predicates: []Predicate{p}}}}}})
	return evaluator.holds(p, &a)
}

// free adds a condition that may hold or not. Where it cannot hold, its inversion is none, and itself is never met.
func (r *Rule) free(name string, invert, open bool) {
	switch {
	case open:
		r.Predicates = append(r.Predicates, Predicate{Source: Free, Name: name, Test: Present, Invert: invert})
	case !invert:
		r.never(name)
	}
}

func (r *Rule) never(condition string) {
	r.Never = append(r.Never, condition)
	r.Chance = &Chance{Numerator: 0, Denominator: 100}
}
