package table_test

import (
	"reflect"
	"testing"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	managerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/render/files"
)

const (
	metadata   = `dynamic_metadata { filter: "f" path { key: "k" } value { present_match: true } }`
	state      = `filter_state { key: "k" string_match { exact: "v" } }`
	presented  = `tls_context { presented { value: true } }`
	luaFilter  = `http_filters { name: "lua" typed_config { [type.googleapis.com/envoy.extensions.filters.http.lua.v3.Lua] {} } }`
	tlsContext = `transport_socket { name: "tls" typed_config { [type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext] { `
)

// A condition on what no client sends is free only where something can make it true; elsewhere no request meets it.
func TestFreeConditions(t *testing.T) {
	for _, test := range []struct{ match, manager, chain, listener, free string }{
		{match: metadata},
		{match: metadata, manager: luaFilter, free: `dynamic_metadata {filter: "f", path: [{key: "k"}], value: {present_match: true}}`},
		{match: metadata, manager: `early_header_mutation_extensions { name: "e" }`},
		{match: state},
		{match: state, manager: luaFilter, free: `filter_state {key: "k", string_match: {exact: "v"}}`},
		{match: state, chain: `filters { name: "before" }`, free: `filter_state {key: "k", string_match: {exact: "v"}}`},
		{match: state, listener: `listener_filters { name: "proxy" }`, free: `filter_state {key: "k", string_match: {exact: "v"}}`},
		{match: state, listener: `listener_filters { name: "i" typed_config { [type.googleapis.com/envoy.extensions.filters.listener.tls_inspector.v3.TlsInspector] {} } }`},
		{match: presented},
		{match: presented, chain: tlsContext + `common_tls_context {} } } }`},
		{match: presented, chain: tlsContext + `common_tls_context { validation_context { trusted_ca { filename: "ca" } } } } } }`, free: "tls_context presented"},
		{match: presented, chain: tlsContext + `require_client_certificate { value: true } } } }`, free: "tls_context presented"},
		{match: presented, chain: `transport_socket { name: "other" typed_config { type_url: "t/unknown" } }`, free: "tls_context presented"},
	} {
		rule := readPlaced(t, test.match, test.manager, test.chain, test.listener)
		if test.free == "" {
			if len(rule.Never) != 1 || rule.Chance == nil || rule.Chance.Numerator != 0 || len(rule.Predicates) > 0 {
				t.Errorf("%+v: got %+v, want a rule that never wins", test, rule)
			}
			continue
		}
		want := []table.Predicate{{Source: table.Free, Name: test.free, Test: table.Present}}
		if !reflect.DeepEqual(rule.Predicates, want) || rule.Chance != nil || len(rule.Never) > 0 {
			t.Errorf("%+v: got %+v", test, rule)
		}
	}
}

// readPlaced reads a rule with this condition behind this connection manager, filter chain and listener.
func readPlaced(t *testing.T, match, managerText, chainText, listenerText string) table.Rule {
	t.Helper()
	m := parse(t, &managerv3.HttpConnectionManager{}, managerText)
	m.RouteSpecifier = &managerv3.HttpConnectionManager_RouteConfig{RouteConfig: parse(t, &routev3.RouteConfiguration{},
		`virtual_hosts { name: "any" domains: "*" routes { match { prefix: "/" `+match+` } direct_response { status: 200 } } }`)}
	c := parse(t, &listenerv3.FilterChain{}, chainText)
	c.Filters = append(c.Filters, chain(t, m).Filters...)
	l := parse(t, &listenerv3.Listener{}, listenerText)
	l.FilterChains = []*listenerv3.FilterChain{c}
	read := readOne(t, &files.Set{Bootstrap: &bootstrapv3.Bootstrap{StaticResources: &bootstrapv3.Bootstrap_StaticResources{Listeners: []*listenerv3.Listener{l}}}})
	return read.Hosts[0].Rules[0]
}

// A route configuration without a listener may stand anywhere.
func TestFreeConditionsWithoutAListener(t *testing.T) {
	read := readOne(t, &files.Set{Routes: []*routev3.RouteConfiguration{parse(t, &routev3.RouteConfiguration{},
		`virtual_hosts { name: "any" domains: "*" routes { match { prefix: "/" `+presented+` } direct_response { status: 200 } } }`)}})
	if rule := read.Hosts[0].Rules[0]; len(rule.Predicates) != 1 || rule.Predicates[0].Source != table.Free {
		t.Errorf("got %+v", rule)
	}
}

func TestStripMatchingPort(t *testing.T) {
	for _, test := range []struct {
		listener string
		port     uint32
	}{
		{`address { socket_address { address: "::" port_value: 8080 } }`, 8080},
		{`address { pipe { path: "p" } }`, 0},
		{`address { socket_address { address: "::" port_value: 80 } } additional_addresses { address { socket_address { address: "::" port_value: 81 } } }`, 0},
		{`address { socket_address { address: "::" port_value: 80 } } listener_filters { name: "proxy" }`, 0},
	} {
		l := parse(t, &listenerv3.Listener{}, test.listener)
		m := parse(t, &managerv3.HttpConnectionManager{}, `strip_matching_host_port: true`)
		m.RouteSpecifier = &managerv3.HttpConnectionManager_RouteConfig{RouteConfig: &routev3.RouteConfiguration{}}
		l.FilterChains = []*listenerv3.FilterChain{chain(t, m)}
		o := readOne(t, &files.Set{Bootstrap: &bootstrapv3.Bootstrap{StaticResources: &bootstrapv3.Bootstrap_StaticResources{Listeners: []*listenerv3.Listener{l}}}}).Options
		if o.StripHostPort != test.port || (test.port == 0) != (len(o.Unmodelled) == 1) {
			t.Errorf("%s: %+v", test.listener, o)
		}
	}
}
