package table

import (
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	endpointv3 "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	"google.golang.org/protobuf/proto"

	"github.com/routedelta/routedelta/render/files"
)

// Connection is how Envoy reaches a backend: what a cluster and its endpoints say, without the names by which they find
// each other.
type Connection struct {
	Backend Backend
	// Variant tells clusters of one backend apart, such as by a protocol. It is a treatment of the routes that use it.
	Variant string
	// Known: the addresses are in the files. Else a server gives them.
	Known bool
	// ServedUnder is the name under which a server gives them, for a backend that is known by the name of its cluster. (Where a
	// Service is known, its endpoints are the same whatever the server calls them.)
	ServedUnder string
	// Addresses are sorted; each has what is not usual about it behind it: "10.0.0.1:8080 priority 1".
	Addresses []string
	// Properties are the other fields, one each.
	Properties []Treatment
}

// Fields of a cluster that are read by name, or that change nothing for a request.
var (
	readConnectionFields = namesOf(`name alt_stat_name metadata type eds_cluster_config load_assignment`)
	transportField       = namesOf(`transport_socket`)
)

// Assignments are the EDS files of a set by name.
type Assignments map[string]*endpointv3.ClusterLoadAssignment

// ReadAssignments indexes the endpoints of a set.
func ReadAssignments(set *files.Set) Assignments {
	byName := Assignments{}
	for _, assignment := range set.Endpoints {
		byName[assignment.GetClusterName()] = assignment
	}
	return byName
}

// Of is the endpoints of a cluster: its own, or those of its EDS file; nil where a server gives them.
func (a Assignments) Of(cluster *clusterv3.Cluster) *endpointv3.ClusterLoadAssignment {
	if cluster.GetType() != clusterv3.Cluster_EDS {
		return cluster.GetLoadAssignment()
	}
	return a[servedUnder(cluster)]
}

// Connect reads how Envoy reaches the backend of a cluster with these endpoints, nil for endpoints that a server gives.
func (n Names) Connect(cluster *clusterv3.Cluster, assignment *endpointv3.ClusterLoadAssignment) Connection {
	found := n.identify(cluster)
	c := Connection{Backend: found.Backend, Variant: found.variant, Properties: clusterProperties(cluster)}
	byDNS := cluster.GetType() == clusterv3.Cluster_STRICT_DNS || cluster.GetType() == clusterv3.Cluster_LOGICAL_DNS
	if !byDNS && cluster.GetType() != clusterv3.Cluster_EDS && cluster.GetType() != clusterv3.Cluster_STATIC {
		c.Properties = append(c.Properties, Treatment{Name: "type", Value: cluster.GetType().String()})
	}
	if assignment == nil {
		if cluster.GetType() == clusterv3.Cluster_EDS && found.Service == "" {
			c.ServedUnder = servedUnder(cluster)
		}
		return c
	}
	c.Known = true
	for _, locality := range assignment.GetEndpoints() {
		for _, endpoint := range locality.GetLbEndpoints() {
			c.Addresses = append(c.Addresses, addressText(locality, endpoint, byDNS))
		}
	}
	slices.Sort(c.Addresses)
	if policy := endpointPolicy(assignment); policy != "" {
		c.Properties = append(c.Properties, Treatment{Name: "endpoint policy", Value: policy})
	}
	return c
}

// clusterProperties are the fields that are not read by name, with TLS in words.
func clusterProperties(cluster *clusterv3.Cluster) []Treatment {
	tls, isTLS := upstreamTLS(cluster.GetTransportSocket())
	if !isTLS {
		return otherFields(cluster, readConnectionFields)
	}
	return append(otherFields(leaveOut(cluster, transportField), readConnectionFields), tls...)
}

// endpointPolicy is a policy as a text, "" for the one that Envoy follows without any (its dump writes it out).
func endpointPolicy(assignment *endpointv3.ClusterLoadAssignment) string {
	policy := proto.CloneOf(assignment.GetPolicy())
	if policy.GetOverprovisioningFactor().GetValue() == 140 {
		policy.OverprovisioningFactor = nil
	}
	if proto.Size(policy) == 0 {
		return ""
	}
	return canonical(policy)
}

// addressText is an address, with locality, priority and weight where they are set.
func addressText(locality *endpointv3.LocalityLbEndpoints, endpoint *endpointv3.LbEndpoint, byDNS bool) string {
	words := []string{socketText(endpoint.GetEndpoint().GetAddress())}
	if name := endpoint.GetEndpointName(); name != "" {
		words[0] = name
	}
	if byDNS {
		words = append(words, "(by DNS)")
	}
	if zone := zoneText(locality.GetLocality()); zone != "" {
		words = append(words, "zone "+zone)
	}
	if p := locality.GetPriority(); p != 0 {
		words = append(words, fmt.Sprintf("priority %d", p))
	}
	// No file may hold a weight of 0; Envoy's dump writes it for a locality that has none.
	if w := locality.GetLoadBalancingWeight(); w.GetValue() != 0 {
		words = append(words, fmt.Sprintf("zone weight %d", w.GetValue()))
	}
	// Without a weight it is 1, and without a status healthy: so Envoy's own dump writes them.
	if w := endpoint.GetLoadBalancingWeight(); w != nil && w.GetValue() != 1 {
		words = append(words, fmt.Sprintf("weight %d", w.GetValue()))
	}
	if h := endpoint.GetHealthStatus(); h != corev3.HealthStatus_UNKNOWN && h != corev3.HealthStatus_HEALTHY {
		words = append(words, strings.ToLower(h.String()))
	}
	return strings.Join(words, " ")
}

func zoneText(l *corev3.Locality) string {
	return strings.Trim(l.GetRegion()+"/"+l.GetZone()+"/"+l.GetSubZone(), "/")
}

func socketText(a *corev3.Address) string {
	switch {
	case a.GetSocketAddress() != nil:
		s := a.GetSocketAddress()
		if s.GetNamedPort() != "" {
			return net.JoinHostPort(s.GetAddress(), s.GetNamedPort())
		}
		return net.JoinHostPort(s.GetAddress(), strconv.FormatUint(uint64(s.GetPortValue()), 10))
	case a.GetPipe() != nil:
		return "unix:" + a.GetPipe().GetPath()
	}
	return canonical(a)
}
