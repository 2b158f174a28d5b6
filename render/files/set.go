// Package files holds the Envoy files of a rendering: messages on one side, canonical bytes in a directory on the other.
//
// In come the messages that render/xds made, or a directory that anybody made; out goes the other of the two. The
// same package checks the graph that the files form, and writes a directory so that it is there whole or not at all.
package files

import (
	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	endpointv3 "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	tlsv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/transport_sockets/tls/v3"
)

// Set is everything that one Envoy loads: the files of one Gateway. Listeners stand in the bootstrap. Each slice is
// sorted by name.
type Set struct {
	// Name is the directory: <namespace>-<gateway>.
	Name      string
	Bootstrap *bootstrapv3.Bootstrap
	Routes    []*routev3.RouteConfiguration       // rds/<name>.json, one each
	Clusters  []*clusterv3.Cluster                // cds.json, all
	Endpoints []*endpointv3.ClusterLoadAssignment // eds/<name>.json, one each
	Secrets   []*tlsv3.Secret                     // sds/<name>.json, one each: file names of PEM files, never keys
}
