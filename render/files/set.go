// Package files holds the Envoy files of a rendering: messages on one side, canonical bytes in a directory on the other.
//
// In come the messages that render/xds made, or a directory that anybody made; out goes the other of the two. The
// same package checks the graph that the files form, and writes a directory so that it is there whole or not at all.
//
//	Encode, Write    Set -> bytes -> directory      layout.go names the files, json.go and yaml.go are the formats
//	Load, LoadFS     directory -> bytes -> Set      the bootstrap says where everything else is
//	Parse            dump, list -> Set              document.go finds the messages, collect.go and config_dump.go sort them
//	Check, CheckDir  Set, directory -> diagnostics  one file check_*.go for each family of faults
package files

import (
	"slices"
	"strings"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	endpointv3 "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	tlsv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/transport_sockets/tls/v3"
	"google.golang.org/protobuf/proto"
)

// InvalidBackend is the name of the cluster that never exists: the share of a refused backend goes there, and its route
// answers 500 for clusters that do not exist. Envoy closes a connection that is sent there, and drops a datagram.
const InvalidBackend = "invalid-backend"

// AnswerHeaders matches the headers of an HTTP answer that are about the answer itself or its connection: copied into a request, as from
// the answer of a server that was asked about it, they would lie about its body.
const AnswerHeaders = "content-(encoding|language|length|location|range|type)|connection|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade"

// Set is everything that one Envoy loads: the files of one Gateway. Our own listeners stand in the bootstrap; other
// people's may come from a file. Each slice is sorted by name. The paths in the messages are those of layout.go, whoever
// made the files.
type Set struct {
	// Name is the directory: <namespace>-<gateway>.
	Name      string
	Bootstrap *bootstrapv3.Bootstrap
	Listeners []*listenerv3.Listener              // lds.json, all; empty in our own renderings
	Routes    []*routev3.RouteConfiguration       // rds/<name>.json, one each
	Clusters  []*clusterv3.Cluster                // cds.json, all
	Endpoints []*endpointv3.ClusterLoadAssignment // eds/<name>.json, one each
	Secrets   []*tlsv3.Secret                     // sds/<name>.json, one each: file names of PEM files, never keys
}

// AllListeners are the listeners of the bootstrap, then those of lds.json.
func (s *Set) AllListeners() []*listenerv3.Listener {
	return append(append([]*listenerv3.Listener(nil), s.Bootstrap.GetStaticResources().GetListeners()...), s.Listeners...)
}

// AllClusters are the clusters of the bootstrap, then those of cds.json.
func (s *Set) AllClusters() []*clusterv3.Cluster {
	return append(append([]*clusterv3.Cluster(nil), s.Bootstrap.GetStaticResources().GetClusters()...), s.Clusters...)
}

// RouteConfiguration is the route configuration of that name among the files, or nil.
func (s *Set) RouteConfiguration(name string) *routev3.RouteConfiguration {
	for _, routes := range s.Routes {
		if routes.Name == name {
			return routes
		}
	}
	return nil
}

// Clone is a deep copy.
func (s *Set) Clone() *Set {
	return &Set{
		Name:      s.Name,
		Bootstrap: proto.CloneOf(s.Bootstrap),
		Listeners: cloneAll(s.Listeners),
		Routes:    cloneAll(s.Routes),
		Clusters:  cloneAll(s.Clusters),
		Endpoints: cloneAll(s.Endpoints),
		Secrets:   cloneAll(s.Secrets),
	}
}

func cloneAll[M proto.Message](messages []M) []M {
	var clones []M
	for _, m := range messages {
		clones = append(clones, proto.CloneOf(m))
	}
	return clones
}

// nameOf is a resource's name as references use it.
func nameOf(resource proto.Message) string {
	switch r := resource.(type) {
	case *endpointv3.ClusterLoadAssignment:
		return r.GetClusterName()
	case interface{ GetName() string }:
		return r.GetName()
	}
	return ""
}

// sort brings each slice into the order of its names.
func (s *Set) sort() {
	sortByName(s.Listeners)
	sortByName(s.Routes)
	sortByName(s.Clusters)
	sortByName(s.Endpoints)
	sortByName(s.Secrets)
}

func sortByName[M proto.Message](resources []M) {
	slices.SortStableFunc(resources, func(a, b M) int { return strings.Compare(nameOf(a), nameOf(b)) })
}
