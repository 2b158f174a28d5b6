package table_test

import (
	"strings"
	"testing"

	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	managerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"

	"github.com/routedelta/routedelta/diff/table"
)

// handing is a table whose only route hands its requests to a filter by way of a composite filter that does nothing else.
func handing(t *testing.T, filter string) *table.Table {
	t.Helper()
	m := parse(t, &managerv3.HttpConnectionManager{}, `http_filters {
		name: "composite" disabled: true typed_config { [type.googleapis.com/envoy.extensions.filters.http.composite.v3.Composite] {} } }`)
	route := `match { prefix: "/" } route { cluster: "orders" }`
	if filter != "" {
		route += ` typed_per_filter_config { key: "composite" value { [type.googleapis.com/envoy.extensions.filters.http.composite.v3.CompositePerRoute] {
			matcher { on_no_match { action { name: "a" typed_config {
				[type.googleapis.com/envoy.extensions.filters.http.composite.v3.ExecuteFilterAction] { ` + filter + ` } } } } } } } }`
	}
	m.RouteSpecifier = &managerv3.HttpConnectionManager_RouteConfig{RouteConfig: &routev3.RouteConfiguration{VirtualHosts: []*routev3.VirtualHost{{
		Name: "any", Domains: []string{"*"}, Routes: []*routev3.Route{parse(t, &routev3.Route{}, route)},
	}}}}
	auth := parse(t, &clusterv3.Cluster{}, `name: "shop/auth/9000/h2c" metadata { filter_metadata { key: "routedelta" value {
		fields { key: "namespace" value { string_value: "shop" } } fields { key: "name" value { string_value: "auth" } }
		fields { key: "port" value { number_value: 9000 } } } } }`)
	return readOne(t, set(t, m, cluster("orders"), auth))
}

func extAuthz(fields string) string {
	return `typed_config { name: "e" typed_config { [type.googleapis.com/envoy.extensions.filters.http.ext_authz.v3.ExtAuthz] { ` + fields + ` } } }`
}

// Who is asked about the requests of a route is a treatment of them, and leaves the route as it was chosen.
func TestAuthenticationInWords(t *testing.T) {
	for _, test := range []struct{ filter, want string }{
		{"", ""},
		{extAuthz(`transport_api_version: V3 grpc_service { timeout { seconds: 10 } envoy_grpc { cluster_name: "shop/auth/9000/h2c" authority: "auth.shop:9000" } }`),
			"authentication: shop/auth:9000 over gRPC within 10s"},
		{extAuthz(`grpc_service { envoy_grpc { cluster_name: "nosuch" authority: "a" } } failure_mode_allow: true`),
			`authentication: "nosuch" over gRPC, {grpc_service: {envoy_grpc: {authority: "a"}}, failure_mode_allow: true}`},
		{extAuthz(`http_service { server_uri { uri: "http://any" cluster: "shop/auth/9000/h2c" timeout { seconds: 1 } } path_prefix: "/check"
			authorization_response { allowed_upstream_headers { patterns { exact: "X-1" ignore_case: true } } } }
			allowed_headers { patterns { exact: "x-2" ignore_case: true } patterns { exact: "x-3" ignore_case: true } } with_request_body { max_request_bytes: 9 }`),
			"authentication: shop/auth:9000 over HTTP within 1s, below /check, taking over x-1, told x-2 x-3, told bodies up to 9 bytes"},
		{extAuthz(`http_service { server_uri { cluster: "nosuch" } authorization_response { allowed_upstream_headers { patterns { safe_regex { regex: ".*" } } } } }`),
			`authentication: "nosuch" over HTTP, taking over all headers`},
		{extAuthz(`with_request_body { max_request_bytes: 9 allow_partial_message: true }`),
			`authentication: {with_request_body: {max_request_bytes: 9, allow_partial_message: true}}`},
	} {
		read := handing(t, test.filter)
		if got := treated(read.Hosts[0].Rules[0].Outcome.Treatment); got != test.want || len(read.Options.Rerouters)+len(read.Options.Unmodelled) > 0 {
			t.Errorf("%s\n got %s %q\nwant %s", test.filter, got, read.Options.Rerouters, test.want)
		}
	}
}

// A filter that a route hands its requests to may have a route chosen anew, as one of the listener may.
func TestHandedToRerouters(t *testing.T) {
	for _, filter := range []string{
		extAuthz(`clear_route_cache: true`),
		`typed_config { name: "l" typed_config { [type.googleapis.com/envoy.extensions.filters.http.lua.v3.Lua] {} } }`,
		`filter_chain { typed_config { name: "b" typed_config { [type.googleapis.com/envoy.extensions.filters.http.buffer.v3.Buffer] {} } }
			typed_config { name: "l" typed_config { [type.googleapis.com/envoy.extensions.filters.http.lua.v3.Lua] {} } } }`,
		`dynamic_config { name: "later" }`,
		`filter_chain_name: "elsewhere"`,
	} {
		if got := handing(t, filter).Options.Rerouters; len(got) != 1 || !strings.HasPrefix(got[0], "filter composite ") {
			t.Errorf("%s: got %q", filter, got)
		}
	}
}
