package xds

import (
	"cmp"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	endpointv3 "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"

	"github.com/routedelta/routedelta/render/model"
)

// loadAssignment lists the addresses of a backend. One without any is obeyed: Envoy answers 503.
func loadAssignment(name string, localities []model.Locality) *endpointv3.ClusterLoadAssignment {
	assignment := &endpointv3.ClusterLoadAssignment{ClusterName: name}
	for _, locality := range localities {
		group := &endpointv3.LocalityLbEndpoints{}
		if locality.Zone != "" {
			group.Locality = &corev3.Locality{Zone: locality.Zone}
		}
		for _, e := range locality.Endpoints {
			group.LbEndpoints = append(group.LbEndpoints, endpoint(e.Address, e.Port))
		}
		assignment.Endpoints = append(assignment.Endpoints, group)
	}
	return assignment
}

// dnsAssignment is the one name that Envoy resolves by itself.
func dnsAssignment(name string, b *model.Backend) *endpointv3.ClusterLoadAssignment {
	port := cmp.Or(b.DNSPort, b.Port)
	return &endpointv3.ClusterLoadAssignment{
		ClusterName: name,
		Endpoints: []*endpointv3.LocalityLbEndpoints{{
			LbEndpoints: []*endpointv3.LbEndpoint{endpoint(b.DNSName, port)},
		}},
	}
}

func endpoint(address string, port uint32) *endpointv3.LbEndpoint {
	return &endpointv3.LbEndpoint{HostIdentifier: &endpointv3.LbEndpoint_Endpoint{
		Endpoint: &endpointv3.Endpoint{Address: socketAddress(address, port)},
	}}
}
