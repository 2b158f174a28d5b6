package files

import (
	"fmt"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	endpointv3 "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	hcmv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	tlsv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/transport_sockets/tls/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// Merge puts all files of a set into one bootstrap. It loads no faster and reloads never, but it is one file, and `envoy
// --mode validate` reads all of it: of the files that a bootstrap only names, it reads none.
func Merge(set *Set) (*bootstrapv3.Bootstrap, error) {
	m := &merger{set: set, merged: proto.CloneOf(set.Bootstrap)}
	if m.merged == nil {
		m.merged = &bootstrapv3.Bootstrap{}
	}
	if m.merged.StaticResources == nil {
		m.merged.StaticResources = &bootstrapv3.Bootstrap_StaticResources{}
	}
	static := m.merged.StaticResources
	static.Listeners = append(static.Listeners, cloneAll(set.Listeners)...)
	static.Clusters = append(static.Clusters, cloneAll(set.Clusters)...)
	static.Secrets = append(static.Secrets, cloneAll(set.Secrets)...)
	m.dropDynamic()
	walk(static, m.inline)
	return m.merged, m.err
}

type merger struct {
	set    *Set
	merged *bootstrapv3.Bootstrap
	err    error
}

// dropDynamic removes the two sources that are merged now; another one (ADS) stays.
func (m *merger) dropDynamic() {
	dynamic := m.merged.DynamicResources
	if dynamic == nil {
		return
	}
	if (reference{Source: dynamic.LdsConfig}).file() != "" {
		dynamic.LdsConfig = nil
	}
	if (reference{Source: dynamic.CdsConfig}).file() != "" {
		dynamic.CdsConfig = nil
	}
	if proto.Size(dynamic) == 0 {
		m.merged.DynamicResources = nil
	}
}

// inline replaces a reference to a file by what the file holds.
func (m *merger) inline(_ string, message proto.Message) bool {
	switch message := message.(type) {
	case *hcmv3.HttpConnectionManager:
		return m.inlineRoutes(message)
	case *clusterv3.Cluster:
		return m.inlineEndpoints(message)
	case *tlsv3.SdsSecretConfig:
		if (reference{Source: message.SdsConfig}).file() != "" {
			// Without a source the name is looked up among the static secrets.
			message.SdsConfig = nil
			return true
		}
	}
	return false
}

func (m *merger) inlineRoutes(manager *hcmv3.HttpConnectionManager) bool {
	rds := manager.GetRds()
	if (reference{Source: rds.GetConfigSource()}).file() == "" {
		return false
	}
	routes := proto.CloneOf(m.set.RouteConfiguration(rds.RouteConfigName))
	if routes == nil {
		m.err = fmt.Errorf("merging %s: there is no route configuration %q", m.set.Name, rds.RouteConfigName)
		return false
	}
	if sendsTo(routes, InvalidBackend) {
		// A static table is refused for a cluster that does not exist, and this one never does.
		routes.ValidateClusters = wrapperspb.Bool(false)
	}
	manager.RouteSpecifier = &hcmv3.HttpConnectionManager_RouteConfig{RouteConfig: routes}
	return true
}

func (m *merger) inlineEndpoints(cluster *clusterv3.Cluster) bool {
	if cluster.GetType() != clusterv3.Cluster_EDS || (reference{Source: cluster.GetEdsClusterConfig().GetEdsConfig()}).file() == "" {
		return false
	}
	endpoints := proto.CloneOf(m.loadAssignment(serviceName(cluster)))
	if endpoints == nil {
		m.err = fmt.Errorf("merging %s: there is no load assignment %q for cluster %q", m.set.Name, serviceName(cluster), cluster.Name)
		return false
	}
	endpoints.ClusterName = cluster.Name
	cluster.ClusterDiscoveryType = &clusterv3.Cluster_Type{Type: clusterv3.Cluster_STATIC}
	cluster.LoadAssignment = endpoints
	cluster.EdsClusterConfig = nil
	return true
}

func (m *merger) loadAssignment(name string) *endpointv3.ClusterLoadAssignment {
	for _, endpoints := range m.set.Endpoints {
		if endpoints.ClusterName == name {
			return endpoints
		}
	}
	return nil
}

// sendsTo tells whether a route of a table names a cluster.
func sendsTo(routes *routev3.RouteConfiguration, cluster string) bool {
	for _, host := range routes.VirtualHosts {
		for _, route := range host.Routes {
			action := route.GetRoute()
			if action.GetCluster() == cluster {
				return true
			}
			for _, share := range action.GetWeightedClusters().GetClusters() {
				if share.Name == cluster {
					return true
				}
			}
		}
	}
	return false
}
