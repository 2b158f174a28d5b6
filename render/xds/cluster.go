package xds

import (
	"strconv"
	"time"

	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	httpv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/upstreams/http/v3"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/model"
)

// connectTimeout is Envoy's own default, written down so that a reader need not know it.
const connectTimeout = 5 * time.Second

// clusterName is <namespace>/<service>/<port>, with the protocol behind it where it makes a second variant, and with the kind
// in front where the backend is no Service.
func clusterName(b *model.Backend) string {
	name := b.Namespace + "/" + b.Name.Name + "/" + strconv.FormatUint(uint64(b.Port), 10)
	if b.Kind != "" {
		name = b.Kind + ":" + name
	}
	if b.Protocol != model.BackendHTTP1 {
		name += "/" + string(b.Protocol)
	}
	if b.TLS != nil {
		name += "/tls"
	}
	return name
}

// serviceName names the endpoints of a backend. It stands apart from the cluster's name: the variants of a backend share
// their endpoints. A UDP port is another port than the TCP port of its number.
func serviceName(b *model.Backend) string {
	name := b.Namespace + "/" + b.Name.Name + ":" + strconv.FormatUint(uint64(b.Port), 10)
	if b.Kind != "" {
		name = b.Kind + ":" + name
	}
	if b.Protocol == model.BackendUDP {
		name += "/udp"
	}
	return name
}

// usesEndpointFile tells whether the addresses of a backend stand in an EDS file.
func usesEndpointFile(b *model.Backend, endpoints Endpoints) bool {
	return b.DNSName == "" && endpoints == EndpointsFiles
}

// maxSessions is how many client ports send datagrams to a cluster at a time. Envoy counts them as connections, which stay for
// a minute after the last datagram; of those it allows 1,024 by default, and drops what is beyond.
const maxSessions = 65536

// maxRetries is how many retries to a cluster are under way at a time. Envoy allows 3 by default and gives what is beyond its first
// answer, so that the retries of a rule end just when a backend fails many requests. This is as many as it allows requests. It stands
// at every cluster, whether a rule with retries leads there or not: a cluster that changes is replaced with all its connections, and
// the first retry that a rule asks for must not do that to others.
const maxRetries = 1024

// cluster is one backend as Envoy connects to it. client is the certificate that is shown to a backend that speaks TLS, or nil.
func cluster(d *describer, b *model.Backend, endpoints Endpoints, client *model.Certificate) *clusterv3.Cluster {
	c := &clusterv3.Cluster{
		Name:           clusterName(b),
		ConnectTimeout: durationpb.New(connectTimeout),
		Metadata:       d.backend(b),
	}
	switch {
	case b.DNSName != "":
		c.ClusterDiscoveryType = &clusterv3.Cluster_Type{Type: clusterv3.Cluster_STRICT_DNS}
		c.LoadAssignment = dnsAssignment(c.Name, b)
		// Most cluster networks have IPv4; Envoy's own default asks for IPv6 addresses first.
		c.DnsLookupFamily = clusterv3.Cluster_V4_PREFERRED
	case usesEndpointFile(b, endpoints):
		c.ClusterDiscoveryType = &clusterv3.Cluster_Type{Type: clusterv3.Cluster_EDS}
		c.EdsClusterConfig = &clusterv3.Cluster_EdsClusterConfig{
			EdsConfig:   fileSource(files.EndpointsPath(serviceName(b))),
			ServiceName: serviceName(b),
		}
	default:
		c.ClusterDiscoveryType = &clusterv3.Cluster_Type{Type: clusterv3.Cluster_STATIC}
		c.LoadAssignment = loadAssignment(c.Name, b.Endpoints)
	}
	if b.Protocol == model.BackendH2C {
		c.TypedExtensionProtocolOptions = http2Only()
	}
	c.CircuitBreakers = limits(b)
	if b.TLS != nil {
		c.TransportSocket = upstreamTLS(b, client)
	}
	return c
}

// limits raises the limits of Envoy that no manifest speaks of and that what it asks for would run into.
func limits(b *model.Backend) *clusterv3.CircuitBreakers {
	threshold := &clusterv3.CircuitBreakers_Thresholds{MaxRetries: wrapperspb.UInt32(maxRetries)}
	if b.Protocol == model.BackendUDP {
		threshold = &clusterv3.CircuitBreakers_Thresholds{MaxConnections: wrapperspb.UInt32(maxSessions)}
	}
	return &clusterv3.CircuitBreakers{Thresholds: []*clusterv3.CircuitBreakers_Thresholds{threshold}}
}

// http2Only speaks HTTP/2 to a backend from the first byte (appProtocol kubernetes.io/h2c): without TLS there is nothing to agree
// on it by, and with TLS nothing else is offered.
func http2Only() map[string]*anypb.Any {
	return map[string]*anypb.Any{
		"envoy.extensions.upstreams.http.v3.HttpProtocolOptions": packed(&httpv3.HttpProtocolOptions{
			UpstreamProtocolOptions: &httpv3.HttpProtocolOptions_ExplicitHttpConfig_{
				ExplicitHttpConfig: &httpv3.HttpProtocolOptions_ExplicitHttpConfig{
					ProtocolConfig: &httpv3.HttpProtocolOptions_ExplicitHttpConfig_Http2ProtocolOptions{
						Http2ProtocolOptions: &corev3.Http2ProtocolOptions{},
					},
				},
			},
		}),
	}
}
