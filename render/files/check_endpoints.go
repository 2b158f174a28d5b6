package files

import (
	"net/netip"

	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	endpointv3 "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// checkEndpoints finds host names where only an address is resolved: in a STATIC cluster, and in endpoints from a file.
func (c *checker) checkEndpoints() {
	each(c, func(path string, cluster *clusterv3.Cluster) {
		if cluster.GetClusterDiscoveryType() != nil && cluster.GetType() == clusterv3.Cluster_STATIC {
			c.checkAddressesOf(at(path, "load_assignment"), cluster.GetLoadAssignment())
		}
	})
	if assignment, ok := c.current.message.(*endpointv3.ClusterLoadAssignment); ok {
		c.checkAddressesOf("", assignment)
	}
}

func (c *checker) checkAddressesOf(path string, assignment *endpointv3.ClusterLoadAssignment) {
	for i, locality := range assignment.GetEndpoints() {
		for j, endpoint := range locality.GetLbEndpoints() {
			address := endpoint.GetEndpoint().GetAddress().GetSocketAddress()
			if address == nil || address.GetResolverName() != "" {
				continue
			}
			if _, err := netip.ParseAddr(address.GetAddress()); err != nil {
				c.errorf(diagnostic.BrokenResource, at(path, indexed("endpoints", i)+"."+indexed("lb_endpoints", j)), "%q is no IP address: a host name needs a STRICT_DNS cluster", address.GetAddress())
			}
		}
	}
}
