package table_test

import (
	"testing"

	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	endpointv3 "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/render/files"
)

func lbEndpoint(host string, weight uint32) *endpointv3.LbEndpoint {
	e := &endpointv3.LbEndpoint{HostIdentifier: &endpointv3.LbEndpoint_Endpoint{Endpoint: &endpointv3.Endpoint{
		Address: &corev3.Address{Address: &corev3.Address_SocketAddress{SocketAddress: &corev3.SocketAddress{
			Address: host, PortSpecifier: &corev3.SocketAddress_PortValue{PortValue: 8080},
		}}},
	}}}
	if weight > 0 {
		e.LoadBalancingWeight = wrapperspb.UInt32(weight)
	}
	return e
}

func clusterType(kind clusterv3.Cluster_DiscoveryType) *clusterv3.Cluster_Type {
	return &clusterv3.Cluster_Type{Type: kind}
}

func TestConnect(t *testing.T) {
	local := &endpointv3.ClusterLoadAssignment{ClusterName: "orders", Endpoints: []*endpointv3.LocalityLbEndpoints{
		{Locality: &corev3.Locality{Zone: "b"}, Priority: 1, LbEndpoints: []*endpointv3.LbEndpoint{lbEndpoint("10.0.0.2", 0)}},
		{LbEndpoints: []*endpointv3.LbEndpoint{lbEndpoint("10.0.0.1", 3), lbEndpoint("fd00::1", 0)}},
	}}
	set := &files.Set{Endpoints: []*endpointv3.ClusterLoadAssignment{local}}
	cases := map[string]struct {
		cluster *clusterv3.Cluster
		want    table.Connection
	}{
		"an EDS file under a service name": {
			&clusterv3.Cluster{
				Name: "any", ClusterDiscoveryType: clusterType(clusterv3.Cluster_EDS), EdsClusterConfig: &clusterv3.Cluster_EdsClusterConfig{ServiceName: "orders"},
			},
			table.Connection{Known: true, Addresses: []string{"10.0.0.1:8080 weight 3", "10.0.0.2:8080 zone b priority 1", "[fd00::1]:8080"}},
		},
		"the same addresses in the cluster": {
			&clusterv3.Cluster{Name: "any", ClusterDiscoveryType: clusterType(clusterv3.Cluster_STATIC), LoadAssignment: local},
			table.Connection{Known: true, Addresses: []string{"10.0.0.1:8080 weight 3", "10.0.0.2:8080 zone b priority 1", "[fd00::1]:8080"}},
		},
		"endpoints of a server": {
			&clusterv3.Cluster{Name: "any", ClusterDiscoveryType: clusterType(clusterv3.Cluster_EDS), AltStatName: "x"},
			table.Connection{ServedUnder: "any"},
		},
		"a name": {
			&clusterv3.Cluster{
				Name: "any", ClusterDiscoveryType: clusterType(clusterv3.Cluster_STRICT_DNS),
				LoadAssignment: &endpointv3.ClusterLoadAssignment{Endpoints: []*endpointv3.LocalityLbEndpoints{{LbEndpoints: []*endpointv3.LbEndpoint{lbEndpoint("orders.shop.svc", 0)}}}},
			},
			table.Connection{Known: true, Addresses: []string{"orders.shop.svc:8080 (by DNS)"}},
		},
		"properties": {
			&clusterv3.Cluster{Name: "any", ClusterDiscoveryType: clusterType(clusterv3.Cluster_ORIGINAL_DST), ConnectTimeout: durationpb.New(5e9)},
			table.Connection{Properties: []table.Treatment{{Name: "connect timeout", Value: "5s"}, {Name: "type", Value: "ORIGINAL_DST"}}},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := table.Names{}.Connect(c.cluster, table.ReadAssignments(set).Of(c.cluster))
			c.want.Backend = table.Backend{Cluster: "any"}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
