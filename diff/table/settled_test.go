package table_test

import (
	"fmt"
	"testing"

	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	managerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
	"github.com/routedelta/routedelta/plugin/envoy/judgetest"
)

var settledHeaders = []string{
	"keep-alive", "proxy-connection", "transfer-encoding", "x-envoy-internal", "x-envoy-retry-on", "x-envoy-max-retries",
	"x-envoy-upstream-rq-timeout-ms", "x-envoy-expected-rq-timeout-ms", "x-envoy-force-trace", "x-envoy-ip-tags",
	"x-envoy-decorator-operation", "x-envoy-original-path", "x-envoy-original-host", "x-envoy-downstream-service-cluster",
	"x-forwarded-client-cert", "x-forwarded-proto", ":scheme",
}

// TestDifferentialSettledHeaders: matchers on headers that Envoy itself puts in or takes off are decided as a real Envoy
// decides them, whatever the client sends; so is require_tls.
func TestDifferentialSettledHeaders(t *testing.T) {
	t.Parallel()
	config := settledConfiguration(t)
	for _, edge := range []bool{true, false} {
		m := manager(t, config)
		m.UseRemoteAddress = wrapperspb.Bool(edge)
		read := readOne(t, set(t, m))
		for h := range read.Hosts[1:] {
			read.Hosts[1+h].Rules[0].Name = "" // what Envoy does for require_tls has no name
		}
		oracle := envoytest.StartOracle(t, envoytest.OracleOptions{Manager: func(m *managerv3.HttpConnectionManager) { m.UseRemoteAddress = wrapperspb.Bool(edge) }})
		if err := oracle.Load(config); err != nil {
			t.Fatal(err)
		}
		requests := settledRequests(read)
		answers, err := oracle.Ask(judgetest.Wire(requests))
		if err != nil {
			t.Fatal(err)
		}
		decided := 0
		for i, request := range requests {
			d := read.Evaluate(request)
			if d.Undecided != "" {
				continue
			}
			decided++
			if problem := judgetest.Disagreement(read, request, d, answers[i]); problem != "" {
				t.Errorf("edge %v: %s", edge, problem)
			}
		}
		t.Logf("edge %v: %d of %d requests decided", edge, decided, len(requests))
		if decided < len(requests)/2 {
			t.Errorf("edge %v: %d of %d requests are decided", edge, decided, len(requests))
		}
	}
}

// settledConfiguration has one path for each matcher, with a rule that has it and one behind that has not.
func settledConfiguration(t *testing.T) *routev3.RouteConfiguration {
	host := &routev3.VirtualHost{Name: "any", Domains: []string{"*"}}
	for _, name := range settledHeaders {
		for _, matcher := range []string{
			`present_match: true`, `present_match: false`, `present_match: true treat_missing_header_as_empty: true`,
			`string_match { exact: "http" }`, `string_match { exact: "http" } invert_match: true`,
			`string_match { prefix: "https" } invert_match: true treat_missing_header_as_empty: true`,
			`string_match { exact: "" } treat_missing_header_as_empty: true`, `range_match { start: 0 end: 5 }`,
		} {
			path := fmt.Sprintf("/%d", len(host.Routes))
			host.Routes = append(host.Routes,
				parse(t, &routev3.Route{}, fmt.Sprintf(`name: "with%s" match { path: %q headers { name: %q %s } } direct_response { status: 200 }`, path, path, name, matcher)),
				parse(t, &routev3.Route{}, fmt.Sprintf(`name: "without%s" match { path: %q } direct_response { status: 201 }`, path, path)))
		}
	}
	secure := parse(t, &routev3.VirtualHost{}, `name: "all" domains: "all.example" require_tls: ALL routes { name: "in" match { prefix: "/" } direct_response { status: 200 } }`)
	external := parse(t, &routev3.VirtualHost{}, `name: "ext" domains: "external.example" require_tls: EXTERNAL_ONLY routes { name: "in" match { prefix: "/" } direct_response { status: 200 } }`)
	return &routev3.RouteConfiguration{Name: "settled", VirtualHosts: []*routev3.VirtualHost{host, secure, external}}
}

// settledRequests ask each path without the header and with values of it. (A body in chunks would be needed to send
// transfer-encoding.)
func settledRequests(read *table.Table) []table.Request {
	var requests []table.Request
	ask := func(host, path string, fields ...table.Field) {
		requests = append(requests, table.Request{Method: "GET", Scheme: "http", Host: host, Path: path, Headers: fields})
	}
	perHeader := len(read.Hosts[0].Rules) / len(settledHeaders)
	for i := 0; i < len(read.Hosts[0].Rules); i += 2 {
		path, name := read.Hosts[0].Rules[i].Path.Value, settledHeaders[i/perHeader]
		ask("h", path)
		if name == "transfer-encoding" || name == ":scheme" {
			continue
		}
		for _, value := range []string{"http", "https", "1", "true"} {
			ask("h", path, table.Field{Name: name, Value: value})
		}
	}
	for _, host := range []string{"all.example", "external.example"} {
		ask(host, "/")
		for _, value := range []string{"http", "https", "HTTPS", "https,http", "x"} {
			ask(host, "/", table.Field{Name: "x-forwarded-proto", Value: value})
			ask(host, "/", table.Field{Name: "x-forwarded-proto", Value: value}, table.Field{Name: "x-envoy-internal", Value: "true"})
		}
	}
	return requests
}
