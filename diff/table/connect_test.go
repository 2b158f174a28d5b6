package table_test

import (
	"testing"

	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	managerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"

	"github.com/routedelta/routedelta/diff/table"
)

// CONNECT asks for a host, over HTTP/1.1 with a port. Rules for paths do not take it, rules for it take nothing else.
func TestConnectRequests(t *testing.T) {
	config := parse(t, &routev3.RouteConfiguration{}, `name: "r" ignore_port_in_host_matching: true
		virtual_hosts { name: "both" domains: "*"
			routes { match { prefix: "" } route { cluster: "orders" } }
			routes { match { safe_regex { regex: ".*" } } route { cluster: "orders" } }
			routes { match { connect_matcher {} grpc {} } direct_response { status: 500 } }
			routes { match { connect_matcher {} headers { name: ":path" present_match: true } } direct_response { status: 500 } }
			routes { match { connect_matcher {} headers { name: "x" string_match { exact: "1" } } query_parameters { name: "q" present_match: false } } route { cluster: "cart" } } }
		virtual_hosts { name: "paths" domains: "paths.example" routes { match { prefix: "" } route { cluster: "orders" } } }
		virtual_hosts { name: "secure" domains: "secure.example" require_tls: ALL routes { match { connect_matcher {} } route { cluster: "orders" } } }`)
	m := manager(t, config)
	m.UpgradeConfigs = []*managerv3.HttpConnectionManager_UpgradeConfig{{UpgradeType: "Connect"}}
	tested := readOne(t, set(t, m, cluster("orders"), cluster("cart")))
	x := []table.Field{{Name: "x", Value: "1"}, {Name: "content-type", Value: "application/grpc"}}
	for _, test := range []struct {
		request table.Request
		want    string
	}{
		{table.Request{Host: "h:80", Headers: x}, "cart"},
		{table.Request{Host: "h:80"}, "404"},
		{table.Request{Host: "paths.example:80", Headers: x}, "404"},
		{table.Request{Host: "secure.example:80"}, "undecided"},
		{table.Request{Host: "h", Headers: x}, "400"},
		{table.Request{Host: "h:x", Headers: x}, "400"},
		{table.Request{Host: "h:65536", Headers: x}, "400"},
		{table.Request{Host: "h:00080", Headers: x}, "cart"},
		{table.Request{Host: "a_b:80", Headers: x}, "400"},
		{table.Request{Host: "[::1]:80", Headers: x}, "cart"},
		{table.Request{Host: "h:80", Headers: append(x, table.Field{Name: "Host", Value: "paths.example"})}, "cart"},
		{table.Request{Host: "h:80", Headers: append(x, table.Field{Name: "connection", Value: "x, host"})}, "cart"},
		{table.Request{Host: "h:80", Path: "/", Headers: x}, "400"},
		{table.Request{Host: "h", Headers: x, HTTP2: true}, "cart"},
		{table.Request{Host: "a_b:x", Headers: x, HTTP2: true}, "cart"},
		{table.Request{Host: "h", Path: "/", Headers: x, HTTP2: true}, "400"},
	} {
		test.request.Method = "CONNECT"
		d := tested.Evaluate(test.request)
		got := d.Outcome.String()
		if d.Undecided != "" {
			got = "undecided"
		}
		if got != test.want {
			t.Errorf("%+v: %+v, want %s", test.request, d, test.want)
		}
	}
	if d := tested.Evaluate(table.Request{Method: "GET", Host: "h", Path: "/", Headers: x}); d.Outcome.String() != "orders" {
		t.Errorf("GET: %+v", d)
	}
}

// A rule for CONNECT answers 403 where nothing lets CONNECT through.
func TestConnectNeedsAnUpgrade(t *testing.T) {
	allowed := []*managerv3.HttpConnectionManager_UpgradeConfig{{UpgradeType: "CONNECT"}}
	forbidden := parse(t, &managerv3.HttpConnectionManager_UpgradeConfig{}, `upgrade_type: "CONNECT" enabled { value: false }`)
	for _, test := range []struct {
		manager []*managerv3.HttpConnectionManager_UpgradeConfig
		route   string
		want    string
	}{
		{nil, `route { cluster: "orders" }`, "403"},
		{nil, `direct_response { status: 200 }`, "403"},
		{nil, `route { cluster: "orders" upgrade_configs { upgrade_type: "connect" } }`, "orders"},
		{[]*managerv3.HttpConnectionManager_UpgradeConfig{{UpgradeType: "websocket"}}, `route { cluster: "orders" }`, "403"},
		{[]*managerv3.HttpConnectionManager_UpgradeConfig{forbidden}, `route { cluster: "orders" }`, "403"},
		{allowed, `route { cluster: "orders" }`, "orders"},
		{allowed, `direct_response { status: 200 }`, "200"},
		{allowed, `route { cluster: "orders" upgrade_configs { upgrade_type: "CONNECT" enabled { value: false } } }`, "403"},
	} {
		config := parse(t, &routev3.RouteConfiguration{}, `name: "r" virtual_hosts { name: "h" domains: "*" routes { match { connect_matcher {} } `+test.route+` } }`)
		m := manager(t, config)
		m.UpgradeConfigs = test.manager
		d := readOne(t, set(t, m, cluster("orders"))).Evaluate(table.Request{Method: "CONNECT", Host: "h:80"})
		if got := d.Outcome.String(); got != test.want || d.Undecided != "" {
			t.Errorf("%v, %s: %+v, want %s", test.manager, test.route, d, test.want)
		}
	}
}

// What becomes of a request that names no cluster is part of what a route does.
func TestUnknownClusterOfAHeader(t *testing.T) {
	usual := readRoute(t, `match { prefix: "/" } route { cluster_header: "X-C" }`)
	other := readRoute(t, `match { prefix: "/" } route { cluster_header: "x-c" cluster_not_found_response_code: NOT_FOUND }`)
	if usual.OutcomeKey() == other.OutcomeKey() || !table.SameBackends(usual.Outcome, other.Outcome) {
		t.Errorf("%+v and %+v", usual.Outcome, other.Outcome)
	}
}
