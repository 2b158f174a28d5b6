package table

import (
	"slices"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
)

// routeReader reads one route configuration at one place.
type routeReader struct {
	config *routev3.RouteConfiguration
	scope  Scope
	surroundings
	backends backends
	// filters are the names of the HTTP filters, in order.
	filters []string
	// shared is the treatment of every request of the place.
	shared []Treatment
}

func (r *routeReader) hosts() []Host {
	hosts := make([]Host, len(r.config.GetVirtualHosts()))
	for i, host := range r.config.GetVirtualHosts() {
		hosts[i] = r.host(host)
	}
	return hosts
}

func (r *routeReader) host(host *routev3.VirtualHost) Host {
	read := Host{Name: host.GetName()}
	for _, domain := range host.GetDomains() {
		read.Domains = append(read.Domains, lowerASCII(domain))
	}
	options := r.optionRules(host)
	read.Rules = append(make([]Rule, 0, len(options)+len(host.GetRoutes())), options...)
	inherited := inherit(host)
	for i, route := range host.GetRoutes() {
		read.Rules = append(read.Rules, r.rule(i, inherited, route))
	}
	return read
}

// inheritance is a virtual host as its routes inherit it.
type inheritance struct {
	*routev3.VirtualHost
	// treatment goes to every route, buffers to those without a limit of their own.
	treatment, buffers []Treatment
}

func inherit(host *routev3.VirtualHost) inheritance {
	limits := &routev3.Route{PerRequestBufferLimitBytes: host.GetPerRequestBufferLimitBytes(), RequestBodyBufferLimit: host.GetRequestBodyBufferLimit()}
	return inheritance{VirtualHost: host, treatment: otherFields(host, readHostFields), buffers: otherFields(limits, readRouteFields)}
}

func (r *routeReader) rule(index int, host inheritance, route *routev3.Route) Rule {
	rule := Rule{Index: index, Name: route.GetName(), Origin: readOrigin(route.GetMetadata())}
	for _, specifier := range route.GetRouteSpecifiers() {
		rule.unmodelled("route_specifiers " + canonical(specifier))
	}
	r.readMatch(route.GetMatch(), &rule)
	r.readAction(host, route, &rule)
	if rule.Connect && !r.tunnelsBy(route) {
		r.refuseTunnel(&rule)
	}
	slices.Sort(rule.Unmodelled)
	return rule
}

// optionRules are rules that stand for options of a virtual host: each would take every request before the routes do.
func (r *routeReader) optionRules(host *routev3.VirtualHost) []Rule {
	var rules []Rule
	add := func(rule Rule) {
		rule.Index, rule.Path = -1, anyPath
		rules = append(rules, rule)
	}
	switch tls := host.GetRequireTls(); {
	case tls == routev3.VirtualHost_NONE:
	case r.options.UseRemoteAddress && r.scope.TLS:
		// Every request is known to have come over TLS.
	case tls == routev3.VirtualHost_ALL || !r.internal:
		add(r.requireTLS())
	default:
		add(Rule{Name: "require_tls", Outcome: Outcome{Kind: NoRoute}, Unmodelled: []string{"require_tls " + tls.String()}})
	}
	if host.GetMatcher() != nil {
		add(Rule{Name: "matcher", Outcome: Outcome{Kind: NoRoute}, Unmodelled: []string{"matcher " + canonical(host.GetMatcher())}})
	}
	for _, specifier := range host.GetRouteSpecifiers() {
		add(Rule{Name: "route_specifiers", Outcome: Outcome{Kind: NoRoute}, Unmodelled: []string{"route_specifiers " + canonical(specifier)}})
	}
	return rules
}

// requireTLS takes what did not come over TLS. Without use_remote_address that is what the client says in x-forwarded-proto,
// compared byte by byte; where the client says nothing it is as it came. The redirect keeps the port, even ":80".
func (r *routeReader) requireTLS() Rule {
	rule := Rule{Name: "require_tls", Outcome: Outcome{Kind: Redirected, Status: 301, Location: "https://" + wholeHost + "{path}"}}
	if !r.options.UseRemoteAddress {
		rule.Predicates = []Predicate{{
			Source: Header, Name: forwardedProto, Test: Exact, Value: "https", Invert: true, MissingAsEmpty: !r.scope.TLS,
		}}
	}
	return rule
}

// readOrigin reads which manifest a route comes from: our own metadata, or that of Envoy Gateway.
func readOrigin(m *corev3.Metadata) Origin {
	fields := m.GetFilterMetadata()["routedelta"].GetFields()
	rule := "rule"
	if fields == nil {
		resources := m.GetFilterMetadata()["envoy-gateway"].GetFields()["resources"].GetListValue().GetValues()
		if len(resources) == 0 {
			return Origin{}
		}
		fields, rule = resources[0].GetStructValue().GetFields(), "sectionName"
	}
	return Origin{
		Kind:      fields["kind"].GetStringValue(),
		Namespace: fields["namespace"].GetStringValue(),
		Name:      fields["name"].GetStringValue(),
		Rule:      fields[rule].GetStringValue(),
	}
}
