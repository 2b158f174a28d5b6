package envoy_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
	"github.com/routedelta/routedelta/render/files"
)

// runtimeWeights are values of the static runtime, each under the prefix of one route that sends 90 to one and 10 to two.
var runtimeWeights = map[string]string{
	"nothing":       `{}`,
	"number":        `{two: 90}`,
	"both":          `{one: 1, two: 3}`,
	"zero":          `{one: 0}`,
	"text":          `{two: "90"}`,
	"no number":     `{two: ninety}`,
	"decimals":      `{one: 3.9, two: 1}`,
	"below one":     `{one: 0.9}`,
	"negative":      `{one: -5}`,
	"boolean":       `{one: false}`,
	"fraction":      `{one: {numerator: 5, denominator: HUNDRED}}`,
	"other cluster": `{three: 1000}`,
}

// TestRuntimeWeights: weights that the runtime sets are read as Envoy takes them. Of 600 requests each share is held to six standard
// deviations.
func TestRuntimeWeights(t *testing.T) {
	t.Parallel()
	const asked = 600
	set := runtimeWeightsSet(t)
	tables, _ := table.Read(set)
	envoy := envoytest.Start(t, set)
	envoy.RequireLoaded(t)
	for i, name := range slices.Sorted(maps.Keys(runtimeWeights)) {
		path := fmt.Sprintf("/%d", i)
		counts := map[string]int{}
		for range asked {
			answer, err := envoy.Ask(t.Context(), 80, envoytest.Request{Method: "GET", Path: path, Host: "a.example"})
			if err != nil {
				t.Fatal(err)
			}
			counts[answer.Cluster]++
		}
		decision := tables[0].Evaluate(table.Request{Method: "GET", Scheme: "http", Host: "a.example", Path: path})
		shares := map[string]float64{}
		for _, s := range decision.Outcome.Backends {
			shares[s.Backend.Cluster] += float64(s.Weight) / float64(decision.Outcome.Total)
		}
		for _, cluster := range []string{"one", "two"} {
			p := shares[cluster]
			if off := math.Abs(float64(counts[cluster]) - asked*p); off > 6*math.Sqrt(asked*p*(1-p)) {
				t.Errorf("%s: %d of %d requests to %s, want %s", name, counts[cluster], asked, cluster, decision.Outcome)
			}
		}
	}
}

func runtimeWeightsSet(t *testing.T) *files.Set {
	t.Helper()
	var routes, values []string
	for i, name := range slices.Sorted(maps.Keys(runtimeWeights)) {
		routes = append(routes, fmt.Sprintf(`{match: {path: /%d}, route: {weighted_clusters: {runtime_key_prefix: w.%d, clusters: [{name: one, weight: 90}, {name: two, weight: 10}]}}}`, i, i))
		values = append(values, fmt.Sprintf(`"%d": %s`, i, runtimeWeights[name]))
	}
	text := strings.NewReplacer("ROUTES", strings.Join(routes, ", "), "VALUES", strings.Join(values, ", ")).Replace(runtimeBootstrap)
	sets, err := files.Parse(t.Context(), "bootstrap.yaml", []byte(text))
	if err != nil || len(sets) != 1 {
		t.Fatalf("%d sets: %v", len(sets), err)
	}
	return sets[0]
}

const runtimeBootstrap = `
layered_runtime: {layers: [{name: static, static_layer: {w: {VALUES}}}]}
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
          route_config: {name: routes, virtual_hosts: [{name: all, domains: ["*"], routes: [ROUTES]}]}
  clusters:
  - {name: one, load_assignment: {cluster_name: one, endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 192.0.2.1, port_value: 80}}}}]}]}}
  - {name: two, load_assignment: {cluster_name: two, endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 192.0.2.2, port_value: 80}}}}]}]}}
`
