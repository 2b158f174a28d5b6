package typed

import (
	"net/netip"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// EndpointSlice applies the rules that bear on routing, from Kubernetes' validation of EndpointSlices.
func EndpointSlice(slice *discoveryv1.EndpointSlice) diagnostic.List {
	c := &checker{}
	defaultEndpointSlice(slice)
	c.subdomain(metadataName, slice.Name)
	types := []discoveryv1.AddressType{discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6, discoveryv1.AddressTypeFQDN}
	addressType := field.NewPath("addressType")
	if slice.AddressType == "" {
		c.missing(addressType)
	} else {
		oneOf(c, addressType, slice.AddressType, types...)
	}
	for i, port := range slice.Ports {
		at := field.NewPath("ports").Index(i)
		if port.Port != nil {
			c.port(at.Child("port"), *port.Port)
		}
		oneOf(c, at.Child("protocol"), *port.Protocol, corev1.ProtocolTCP, corev1.ProtocolUDP, corev1.ProtocolSCTP)
	}
	for i, endpoint := range slice.Endpoints {
		at := field.NewPath("endpoints").Index(i).Child("addresses")
		if len(endpoint.Addresses) == 0 {
			c.missing(at)
		}
		if !slices.Contains(types, slice.AddressType) {
			continue
		}
		for j, address := range endpoint.Addresses {
			checkAddress(c, at.Index(j), slice.AddressType, address)
		}
	}
	return c.found
}

// defaultEndpointSlice fills in what Kubernetes does for an EndpointSlice.
func defaultEndpointSlice(slice *discoveryv1.EndpointSlice) {
	name, protocol := "", corev1.ProtocolTCP
	for i := range slice.Ports {
		port := &slice.Ports[i]
		if port.Name == nil {
			port.Name = &name
		}
		if port.Protocol == nil {
			port.Protocol = &protocol
		}
	}
}

// checkAddress checks one address against the type of its slice.
func checkAddress(c *checker, at *field.Path, of discoveryv1.AddressType, address string) {
	if of == discoveryv1.AddressTypeFQDN {
		c.subdomain(at, address)
		return
	}
	parsed, err := netip.ParseAddr(address)
	if err != nil || parsed.Zone() != "" || parsed.Is4() != (of == discoveryv1.AddressTypeIPv4) {
		c.refuse(diagnostic.BadValue, at, "", "invalid value %q: not an address of type %s", diagnostic.Clip(address), of)
	}
}
