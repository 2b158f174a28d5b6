package table_test

import (
	"testing"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	routerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/router/v3"
	managerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/render/files"
)

// packed is a message of our own inside an Any.
func packed(t testing.TB, m proto.Message) *anypb.Any {
	t.Helper()
	a, err := anypb.New(m)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// parse reads a message in the text form of protobuf.
func parse[M proto.Message](t testing.TB, m M, text string) M {
	t.Helper()
	if err := prototext.Unmarshal([]byte(text), m); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return m
}

// manager is a connection manager with the router alone, and routes inline.
func manager(t testing.TB, routes *routev3.RouteConfiguration) *managerv3.HttpConnectionManager {
	return &managerv3.HttpConnectionManager{
		StatPrefix:     "test",
		RouteSpecifier: &managerv3.HttpConnectionManager_RouteConfig{RouteConfig: routes},
		HttpFilters: []*managerv3.HttpFilter{{
			Name: "router", ConfigType: &managerv3.HttpFilter_TypedConfig{TypedConfig: packed(t, &routerv3.Router{})},
		}},
	}
}

// set is an Envoy with one listener on port 80 and the clusters that are named.
func set(t testing.TB, m *managerv3.HttpConnectionManager, clusters ...*clusterv3.Cluster) *files.Set {
	listener := parse(t, &listenerv3.Listener{}, `name: "http" address { socket_address { address: "0.0.0.0" port_value: 80 } }`)
	listener.FilterChains = []*listenerv3.FilterChain{chain(t, m)}
	return &files.Set{
		Name:      "infra-public",
		Bootstrap: &bootstrapv3.Bootstrap{StaticResources: &bootstrapv3.Bootstrap_StaticResources{Listeners: []*listenerv3.Listener{listener}}},
		Clusters:  clusters,
	}
}

func chain(t testing.TB, m *managerv3.HttpConnectionManager) *listenerv3.FilterChain {
	return &listenerv3.FilterChain{Filters: []*listenerv3.Filter{{
		Name: "http", ConfigType: &listenerv3.Filter_TypedConfig{TypedConfig: packed(t, m)},
	}}}
}

func cluster(name string) *clusterv3.Cluster { return &clusterv3.Cluster{Name: name} }

// ours is a cluster with the metadata of our own renderings.
func ours(t testing.TB, name, namespace, service string, port float64) *clusterv3.Cluster {
	t.Helper()
	fields, err := structpb.NewStruct(map[string]any{"kind": "Service", "namespace": namespace, "name": service, "port": port})
	if err != nil {
		t.Fatal(err)
	}
	return &clusterv3.Cluster{Name: name, Metadata: &corev3.Metadata{FilterMetadata: map[string]*structpb.Struct{"routedelta": fields}}}
}

// readOne reads the only table of a set, without diagnostics.
func readOne(t testing.TB, s *files.Set) *table.Table {
	t.Helper()
	tables, diagnostics := table.Read(s)
	if len(tables) != 1 || len(diagnostics) != 0 {
		t.Fatalf("%d tables, diagnostics %v", len(tables), diagnostics)
	}
	return tables[0]
}

// readRoute reads one route of a virtual host for any host, among the clusters orders and cart.
func readRoute(t testing.TB, route string) table.Rule {
	t.Helper()
	host := &routev3.VirtualHost{Name: "any", Domains: []string{"*"}, Routes: []*routev3.Route{parse(t, &routev3.Route{}, route)}}
	return readHost(t, host).Rules[0]
}

func readHost(t testing.TB, host *routev3.VirtualHost) table.Host {
	t.Helper()
	config := &routev3.RouteConfiguration{Name: "test", VirtualHosts: []*routev3.VirtualHost{host}}
	return readOne(t, set(t, manager(t, config), cluster("orders"), cluster("cart"))).Hosts[0]
}
