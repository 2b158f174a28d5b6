package schema

import (
	"net/netip"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"
	gatewayv1beta1 "sigs.k8s.io/gateway-api/apis/v1beta1"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// checkReferenceGrant applies the rules of ReferenceGrant.
func checkReferenceGrant(c *checker, grant *gatewayv1beta1.ReferenceGrant) {
	c.subdomain(metadataName, grant.Name)
	from, to := specPath.Child("from"), specPath.Child("to")
	if len(grant.Spec.From) == 0 {
		c.missing(from)
	}
	if len(grant.Spec.To) == 0 {
		c.missing(to)
	}
	c.atMost(from, len(grant.Spec.From), 16)
	c.atMost(to, len(grant.Spec.To), 16)
	for i, item := range grant.Spec.From {
		c.group(from.Index(i).Child("group"), string(item.Group))
		c.kindOf(from.Index(i).Child("kind"), string(item.Kind))
		c.label(from.Index(i).Child("namespace"), string(item.Namespace))
	}
	for i, item := range grant.Spec.To {
		c.group(to.Index(i).Child("group"), string(item.Group))
		c.kindOf(to.Index(i).Child("kind"), string(item.Kind))
		if item.Name != nil {
			c.objectName(to.Index(i).Child("name"), string(*item.Name))
		}
	}
}

// checkService applies the rules that bear on routing, from Kubernetes' validation of Services.
func checkService(c *checker, service *corev1.Service) {
	defaultService(&service.Spec)
	c.label(metadataName, service.Name)
	if !oneOf(c, specPath.Child("type"), service.Spec.Type, corev1.ServiceTypeClusterIP, corev1.ServiceTypeNodePort,
		corev1.ServiceTypeLoadBalancer, corev1.ServiceTypeExternalName) {
		return
	}
	external := service.Spec.Type == corev1.ServiceTypeExternalName
	headless := service.Spec.ClusterIP == corev1.ClusterIPNone
	ports := specPath.Child("ports")
	if external && service.Spec.ExternalName == "" {
		c.missing(specPath.Child("externalName"))
	}
	if len(service.Spec.Ports) == 0 && !external && !headless {
		c.missing(ports)
	}
	names := map[string]bool{}
	for i, port := range service.Spec.Ports {
		at := ports.Index(i)
		c.port(at.Child("port"), port.Port)
		oneOf(c, at.Child("protocol"), port.Protocol, corev1.ProtocolTCP, corev1.ProtocolUDP, corev1.ProtocolSCTP)
		if port.TargetPort != intstr.FromInt32(port.Port) {
			checkTargetPort(c, at.Child("targetPort"), port.TargetPort)
		}
		switch {
		case port.Name == "" && len(service.Spec.Ports) > 1:
			c.refuse(diagnostic.MissingValue, at.Child("name"), "several ports need a name each", "required value")
		case port.Name != "":
			c.label(at.Child("name"), port.Name)
		}
		if names[port.Name] && port.Name != "" {
			c.refuse(diagnostic.DuplicateItem, at.Child("name"), "", "duplicate value: %q", port.Name)
		}
		names[port.Name] = true
	}
}

// checkTargetPort checks a port of pods, by number or name.
func checkTargetPort(c *checker, at *field.Path, port intstr.IntOrString) {
	if port.Type == intstr.Int {
		c.port(at, port.IntVal)
		return
	}
	c.name(at, port.StrVal, dnsLabel, 15, "lower case letters, digits and '-'")
}

// checkEndpointSlice applies the rules that bear on routing, from Kubernetes' validation of EndpointSlices.
func checkEndpointSlice(c *checker, slice *discoveryv1.EndpointSlice) {
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
}

// checkAddress checks one address against the type of its slice.
func checkAddress(c *checker, at *field.Path, of discoveryv1.AddressType, address string) {
	if of == discoveryv1.AddressTypeFQDN {
		c.subdomain(at, address)
		return
	}
	parsed, err := netip.ParseAddr(address)
	if err != nil || parsed.Zone() != "" || parsed.Is4() != (of == discoveryv1.AddressTypeIPv4) {
		c.refuse(diagnostic.BadValue, at, "", "invalid value %q: not an address of type %s", clip(address), of)
	}
}

// checkNamespace applies the rules of a Namespace.
func checkNamespace(c *checker, namespace *corev1.Namespace) { c.label(metadataName, namespace.Name) }

// checkSecret applies the rules of a Secret, of which only name and type are read.
func checkSecret(c *checker, secret *corev1.Secret) { c.subdomain(metadataName, secret.Name) }
