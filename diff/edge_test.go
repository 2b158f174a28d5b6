package diff_test

import (
	"strings"
	"testing"

	"github.com/routedelta/routedelta/render/files"
)

// side is an Envoy that no rendering of ours made.
type side struct {
	// routes of its only host, and the clusters: "name address; name address".
	routes, clusters string
	host, domain     string
	// asked is the cluster that a filter asks about every request, "" for no filter.
	asked string
}

// edge answers every host.
func edge(routes, clusters string) side {
	return side{routes: "[" + routes + "]", clusters: clusters, host: "all", domain: "*"}
}

// asking lets a filter ask a cluster about every request.
func (s side) asking(cluster string) side {
	s.asked = cluster
	return s
}

func (s side) sets(t *testing.T) []*files.Set {
	t.Helper()
	filter := ""
	if s.asked != "" {
		filter = `{name: authorization, typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.http.ext_authz.v3.ExtAuthz, grpc_service: {envoy_grpc: {cluster_name: ` + s.asked + `}}}}, `
	}
	var clusters []string
	for words := range strings.SplitSeq(s.clusters, "; ") {
		clusters = append(clusters, clusterOf(words))
	}
	return parsed(t, strings.NewReplacer("FILTER", filter, "HOST", s.host, "DOMAIN", s.domain, "ROUTES", s.routes, "CLUSTERS", strings.Join(clusters, ", ")).Replace(`
node: {id: edge, cluster: a}
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
          http_filters: [FILTER{name: router, typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}}]
          route_config: {name: edge, virtual_hosts: [{name: HOST, domains: ["DOMAIN"], routes: ROUTES}]}
  clusters: [CLUSTERS]
`))
}

// clusterOf is a cluster in words: its name, then its address or "eds:" and the name under which a server gives endpoints, then what
// is special about it.
func clusterOf(words string) string {
	name, rest, _ := strings.Cut(words, ": ")
	fields := []string{"name: '" + name + "'"}
	for word := range strings.FieldsSeq(rest) {
		served, byServer := strings.CutPrefix(word, "eds:")
		switch {
		case word == "slow":
			fields = append(fields, "connect_timeout: 20s")
		case word == "service":
			fields = append(fields, "metadata: {filter_metadata: {routedelta: {namespace: shop, name: orders, port: 80}}}")
		case byServer:
			fields = append(fields, "type: EDS, eds_cluster_config: {eds_config: {ads: {}}, service_name: '"+served+"'}")
		default:
			fields = append(fields, "load_assignment: {cluster_name: any, endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: "+word+", port_value: 80}}}}]}]}")
		}
	}
	return "{" + strings.Join(fields, ", ") + "}"
}
