package envoy_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/diff"
	"github.com/routedelta/routedelta/diff/format"
	"github.com/routedelta/routedelta/plugin/envoy/curltest"
	"github.com/routedelta/routedelta/render/files"
)

// TestCurlBeyondManifests runs the commands for what no Gateway API rule asks for: cookies, numbers, chances, gRPC, and requests
// that only HTTP/2 carries.
func TestCurlBeyondManifests(t *testing.T) {
	t.Parallel()
	before, after := bootstrapOf(t, "old"), bootstrapOf(t, "new")
	comparison, err := diff.Compare(t.Context(), []*files.Set{before}, []*files.Set{after}, diff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	found := comparison.Report
	if len(found.Classes) != 7 || found.Open() {
		t.Fatalf("%d classes, open: %+v", len(found.Classes), found.Undecided)
	}
	curltest.Start(t, found, comparison.Compared).Hold(t, found)
	var script bytes.Buffer
	if err := format.Curl(&script, found, format.CurlOptions{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(script.String(), "(as 200 with grpc-status 14)") || !strings.Contains(script.String(), "--http2-prior-knowledge") {
		t.Errorf("neither gRPC nor HTTP/2 is in\n%s", script.String())
	}
}

// bootstrapOf is an Envoy whose special routes lead to a cluster of this name.
func bootstrapOf(t *testing.T, special string) *files.Set {
	t.Helper()
	chance, status := "70", "503"
	if special == "new" {
		chance, status = "30", "403"
	}
	text := strings.NewReplacer("SPECIAL", special, "CHANCE", chance, "STATUS", status).Replace(curlBootstrap)
	sets, err := files.Parse(t.Context(), "bootstrap.yaml", []byte(text))
	if err != nil || len(sets) != 1 {
		t.Fatalf("%d sets: %v", len(sets), err)
	}
	return sets[0]
}

const curlBootstrap = `
node: {id: edge, cluster: edge}
static_resources:
  listeners:
  - name: http
    address: {socket_address: {address: 0.0.0.0, port_value: 80}}
    filter_chains:
    - filters:
      - name: http
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: http
          http_filters:
          - {name: router, typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}}
          route_config:
            name: routes
            virtual_hosts:
            - name: all
              domains: ["*"]
              routes:
              - {match: {path: /cookie, cookies: [{name: session, string_match: {prefix: beta-}}]}, route: {cluster: SPECIAL}}
              - {match: {path: /number, headers: [{name: x-n, range_match: {start: 10, end: 20}}]}, route: {cluster: SPECIAL}}
              - {match: {path: /method, headers: [{name: ":method", string_match: {exact: FOO}}]}, route: {cluster: SPECIAL}}
              - {match: {safe_regex: {regex: "/caf\\xe9"}}, route: {cluster: SPECIAL}}
              - {match: {path: /blank, headers: [{name: x-blank, string_match: {exact: "a "}}]}, route: {cluster: SPECIAL}}
              - match: {path: /chance, runtime_fraction: {default_value: {numerator: CHANCE, denominator: HUNDRED}}}
                redirect: {path_redirect: /elsewhere}
              - {match: {path: /grpc, grpc: {}}, direct_response: {status: STATUS}}
              - {match: {prefix: /}, route: {cluster: rest}}
  clusters:
  - {name: old, type: STATIC, load_assignment: {cluster_name: old, endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}]}]}}
  - {name: new, type: STATIC, load_assignment: {cluster_name: new, endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.0.2, port_value: 80}}}}]}]}}
  - {name: rest, type: STATIC, load_assignment: {cluster_name: rest, endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.0.3, port_value: 80}}}}]}]}}
`
