package envoytest

import (
	"cmp"
	"fmt"
	"net"
	"strconv"
	"strings"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	endpointv3 "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	managerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/routedelta/routedelta/render/files"
)

// traceHeaders are added to every answer that a route gives, so that a test sees Envoy's choice.
var traceHeaders = [...]struct{ name, value string }{
	{traceRoute, "%ROUTE_NAME%"}, {traceCluster, "%UPSTREAM_CLUSTER%"}, {traceFlags, "%RESPONSE_FLAGS%"},
}

const (
	traceRoute   = "X-Envoytest-Route"
	traceCluster = "X-Envoytest-Cluster"
	traceFlags   = "X-Envoytest-Flags"
	traceSeen    = "X-Envoytest-Seen" // by an echo, not by Envoy
)

// adaptation copies a rendering for use in a test: sockets instead of ports, echoes instead of backends, trace headers on
// the answers. The rest stays as it is.
type adaptation struct {
	root   string
	echoes *echoes
	// datagrams are the listeners and backends for UDP, which have loopback ports instead of sockets.
	datagrams *datagrams
	ports     map[uint32]bool
}

func (a *adaptation) set(set *files.Set) (*files.Set, error) {
	set = set.Clone()
	set.Bootstrap.Admin = &bootstrapv3.Admin{Address: pipe(adminSocket(a.root))}
	for _, listener := range set.AllListeners() {
		if err := a.listener(listener); err != nil {
			return nil, fmt.Errorf("listener %q: %w", listener.GetName(), err)
		}
	}
	for _, routes := range set.Routes {
		trace(routes)
	}
	for _, cluster := range set.AllClusters() {
		if err := a.cluster(cluster); err != nil {
			return nil, fmt.Errorf("cluster %q: %w", cluster.GetName(), err)
		}
	}
	overUDP := endpointsOverUDP(set)
	for _, assignment := range set.Endpoints {
		if err := a.assignment(assignment, overUDP[assignment.GetClusterName()]); err != nil {
			return nil, fmt.Errorf("endpoints of %q: %w", assignment.GetClusterName(), err)
		}
	}
	return set, nil
}

// listener moves a port to a socket and adds the trace to route configurations that stand inside.
func (a *adaptation) listener(listener *listenerv3.Listener) error {
	if listener.GetUdpListenerConfig() != nil {
		return a.datagrams.listener(listener.GetAddress().GetSocketAddress())
	}
	port := listener.GetAddress().GetSocketAddress().GetPortValue()
	if a.ports[port] {
		return fmt.Errorf("a second listener on port %d", port)
	}
	a.ports[port] = true
	listener.Address = pipe(listenerSocket(a.root, port))
	chains := append([]*listenerv3.FilterChain{}, listener.GetFilterChains()...)
	if chain := listener.GetDefaultFilterChain(); chain != nil {
		chains = append(chains, chain)
	}
	for _, chain := range chains {
		for _, filter := range chain.GetFilters() {
			manager := &managerv3.HttpConnectionManager{}
			if !filter.GetTypedConfig().MessageIs(manager) {
				continue
			}
			if err := filter.GetTypedConfig().UnmarshalTo(manager); err != nil {
				return err
			}
			if manager.GetRouteConfig() == nil {
				continue
			}
			trace(manager.GetRouteConfig())
			typed, err := anypb.New(manager)
			if err != nil {
				return err
			}
			filter.ConfigType = &listenerv3.Filter_TypedConfig{TypedConfig: typed}
		}
	}
	return nil
}

func trace(routes *routev3.RouteConfiguration) {
	for _, header := range traceHeaders {
		routes.ResponseHeadersToAdd = append(routes.ResponseHeadersToAdd, &corev3.HeaderValueOption{
			Header:       &corev3.HeaderValue{Key: header.name, Value: header.value},
			AppendAction: corev3.HeaderValueOption_OVERWRITE_IF_EXISTS_OR_ADD,
		})
	}
}

// cluster puts echoes in the place of addresses that stand in the cluster. One whose endpoints come from a file stays as it is.
func (a *adaptation) cluster(cluster *clusterv3.Cluster) error {
	if cluster.GetLoadAssignment() == nil {
		return nil
	}
	// DNS names are gone, and a socket has no name to look up.
	cluster.ClusterDiscoveryType = &clusterv3.Cluster_Type{Type: clusterv3.Cluster_STATIC}
	return a.assignment(cluster.GetLoadAssignment(), isUDP(cluster))
}

// isUDP tells by the name whether a cluster gets datagrams: nothing else in it says so.
func isUDP(cluster *clusterv3.Cluster) bool { return strings.HasSuffix(cluster.GetName(), "/udp") }

// endpointsOverUDP are the names of the endpoints of such clusters.
func endpointsOverUDP(set *files.Set) map[string]bool {
	names := map[string]bool{}
	for _, cluster := range set.AllClusters() {
		if isUDP(cluster) {
			names[cmp.Or(cluster.GetEdsClusterConfig().GetServiceName(), cluster.GetName())] = true
		}
	}
	return names
}

func (a *adaptation) assignment(assignment *endpointv3.ClusterLoadAssignment, overUDP bool) error {
	for _, locality := range assignment.GetEndpoints() {
		for _, endpoint := range locality.GetLbEndpoints() {
			address := endpoint.GetEndpoint().GetAddress().GetSocketAddress()
			if address == nil {
				return fmt.Errorf("an endpoint without a socket address")
			}
			named := net.JoinHostPort(address.GetAddress(), strconv.Itoa(int(address.GetPortValue())))
			var err error
			if endpoint.GetEndpoint().Address, err = a.echo(named, overUDP); err != nil {
				return err
			}
		}
	}
	return nil
}

// echo is where the echo in the place of an address listens.
func (a *adaptation) echo(named string, overUDP bool) (*corev3.Address, error) {
	if overUDP {
		return a.datagrams.echo(named)
	}
	socket, err := a.echoes.socket(named)
	return pipe(socket), err
}
