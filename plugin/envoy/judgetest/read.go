package judgetest

import (
	"fmt"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	routerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/router/v3"
	managerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	"google.golang.org/protobuf/proto"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
	"github.com/routedelta/routedelta/render/files"
)

// Read reads a route configuration as the table of an oracle at a place.
func Read(config *routev3.RouteConfiguration, p Place) (*table.Table, error) {
	manager := &managerv3.HttpConnectionManager{
		StatPrefix:     "oracle",
		RouteSpecifier: &managerv3.HttpConnectionManager_RouteConfig{RouteConfig: proto.CloneOf(config)},
		HttpFilters:    []*managerv3.HttpFilter{{Name: "router", ConfigType: &managerv3.HttpFilter_TypedConfig{TypedConfig: packed(&routerv3.Router{})}}},
	}
	p.set(manager)
	set := &files.Set{Name: "oracle", Bootstrap: &bootstrapv3.Bootstrap{}, Listeners: []*listenerv3.Listener{{
		Name: "oracle",
		Address: &corev3.Address{Address: &corev3.Address_SocketAddress{SocketAddress: &corev3.SocketAddress{
			Address: "127.0.0.1", PortSpecifier: &corev3.SocketAddress_PortValue{PortValue: p.Options.StripHostPort},
		}}},
		FilterChains: []*listenerv3.FilterChain{{Filters: append(p.connectionFilters(), &listenerv3.Filter{
			Name: "http", ConfigType: &listenerv3.Filter_TypedConfig{TypedConfig: packed(manager)},
		})}},
	}}}
	for _, name := range tabletest.Clusters() {
		set.Clusters = append(set.Clusters, &clusterv3.Cluster{Name: name})
	}
	tables, diagnostics := table.Read(set)
	if len(tables) != 1 || len(diagnostics) > 0 {
		return nil, fmt.Errorf("reading a route configuration: %d tables, %v", len(tables), diagnostics)
	}
	tables[0].Seal()
	return tables[0], nil
}
