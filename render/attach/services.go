package attach

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/model"
)

// servicePort finds the port of a Service that a reference names.
func servicePort(service *corev1.Service, key backendKey) (corev1.ServicePort, *resolvedBackend) {
	if key.port == 0 {
		problem := withoutPort(key)
		return corev1.ServicePort{}, &problem
	}
	transport := corev1.ProtocolTCP
	if key.use == useUDP {
		transport = corev1.ProtocolUDP
	}
	var known []string
	for _, port := range service.Spec.Ports {
		if cmp.Or(port.Protocol, corev1.ProtocolTCP) != transport {
			continue
		}
		if uint32(port.Port) == key.port {
			return port, nil
		}
		known = append(known, fmt.Sprint(port.Port))
	}
	return corev1.ServicePort{}, &resolvedBackend{
		reason:  gatewayv1.RouteReasonBackendNotFound,
		code:    diagnostic.BackendPort,
		message: fmt.Sprintf("Service %s has no %s port %d", key.Name, transport, key.port),
		hint:    "its ports are " + cmp.Or(strings.Join(known, ", "), "none"),
	}
}

// serviceBackend is a port of a Service: by its endpoints where EndpointSlices are in the input, else by its DNS name.
func (r *resolver) serviceBackend(service *corev1.Service, port corev1.ServicePort, key backendKey) resolvedBackend {
	backend := &model.Backend{Name: key.Name, Port: key.port, Protocol: key.use.protocol()}
	resolved := resolvedBackend{backend: backend}
	switch protocol := appProtocol(port); {
	case !key.use.asksProtocol(), protocol == "", protocol == "http", protocol == "kubernetes.io/ws", speaksTLS(port):
	case protocol == "kubernetes.io/h2c", protocol == "grpc", protocol == "http2":
		backend.Protocol = model.BackendH2C
	default:
		resolved.code = diagnostic.FieldUnsupported
		resolved.message = fmt.Sprintf("appProtocol %s of Service %s is none that is known: the backend is spoken to in plain HTTP/1.1", protocol, key.Name)
	}
	endpointSlices := r.index.slices[key.Name]
	if len(endpointSlices) == 0 {
		backend.DNSName = r.dnsName(key.Name)
		// The name of a headless Service stands for its endpoints, which listen on the target port.
		if service.Spec.ClusterIP == corev1.ClusterIPNone && port.TargetPort.Type == intstr.Int && port.TargetPort.IntVal > 0 {
			backend.DNSPort = uint32(port.TargetPort.IntVal)
		}
		return resolved
	}
	backend.Endpoints = endpoints(endpointSlices, port.Name, family(service))
	if len(backend.Endpoints) == 0 {
		resolved.code = diagnostic.NoEndpoint
		resolved.message = fmt.Sprintf("Service %s has no ready endpoint for port %d: %s", key.Name, key.port, key.use.unserved())
	}
	return resolved
}

// unserved is what becomes of what is sent to a backend without endpoints, for messages.
func (u usage) unserved() string {
	switch u {
	case useTCP, usePass, useTLS:
		return "connections are closed"
	case useUDP:
		return "datagrams are dropped"
	case useAuth, useGRPCAuth:
		return "no request is allowed"
	}
	return "requests answer 503"
}

// protocol is what is spoken to a backend whose Service says nothing. "Implementations MAY infer the protocol from the Route type"
// (BackendRef): gRPC has no HTTP/1.1.
func (u usage) protocol() model.BackendProtocol {
	switch u {
	case useGRPC, useGRPCAuth:
		return model.BackendH2C
	case useUDP:
		return model.BackendUDP
	}
	return model.BackendHTTP1
}

// appProtocol in lower case: the names of IANA and of KEP-3726 are, and manifests write HTTPS as well.
func appProtocol(port corev1.ServicePort) string {
	if port.AppProtocol == nil {
		return ""
	}
	return strings.ToLower(*port.AppProtocol)
}

// speaksTLS tells whether a Service's port says that TLS is spoken behind it. With whom, only a BackendTLSPolicy says.
func speaksTLS(port corev1.ServicePort) bool {
	protocol := appProtocol(port)
	return protocol == "https" || protocol == "kubernetes.io/wss"
}

// family is the address family of a Service's first address: its endpoints exist once in each family of a dual-stack Service.
func family(service *corev1.Service) discoveryv1.AddressType {
	if len(service.Spec.IPFamilies) > 0 && service.Spec.IPFamilies[0] == corev1.IPv6Protocol {
		return discoveryv1.AddressTypeIPv6
	}
	return discoveryv1.AddressTypeIPv4
}

// endpoints are the ready addresses behind a port, by zone. A slice names its ports as the Service does. "A nil value should be
// interpreted as true" (EndpointConditions.ready).
func endpoints(endpointSlices []*discoveryv1.EndpointSlice, portName string, preferred discoveryv1.AddressType) []model.Locality {
	if !slices.ContainsFunc(endpointSlices, func(s *discoveryv1.EndpointSlice) bool { return s.AddressType == preferred }) {
		preferred = other(preferred)
	}
	byZone := map[string][]model.Endpoint{}
	for _, s := range endpointSlices {
		port := slicePort(s, portName)
		if s.AddressType != preferred || port == 0 {
			continue
		}
		for _, e := range s.Endpoints {
			if e.Conditions.Ready != nil && !*e.Conditions.Ready {
				continue
			}
			zone := ""
			if e.Zone != nil {
				zone = *e.Zone
			}
			byZone[zone] = append(byZone[zone], addresses(e, port)...)
		}
	}
	return localities(byZone)
}

func other(family discoveryv1.AddressType) discoveryv1.AddressType {
	if family == discoveryv1.AddressTypeIPv4 {
		return discoveryv1.AddressTypeIPv6
	}
	return discoveryv1.AddressTypeIPv4
}

func slicePort(s *discoveryv1.EndpointSlice, name string) uint32 {
	for _, p := range s.Ports {
		portName := ""
		if p.Name != nil {
			portName = *p.Name
		}
		if portName == name && p.Port != nil && *p.Port > 0 {
			return uint32(*p.Port)
		}
	}
	return 0
}

// addresses is the first address of an endpoint: the others are "fungible and consumers may choose" (Endpoint.addresses).
func addresses(e discoveryv1.Endpoint, port uint32) []model.Endpoint {
	for _, address := range e.Addresses {
		if parsed, err := netip.ParseAddr(address); err == nil {
			return []model.Endpoint{{Address: parsed.String(), Port: port}}
		}
	}
	return nil
}

func localities(byZone map[string][]model.Endpoint) []model.Locality {
	var list []model.Locality
	for zone, members := range byZone {
		slices.SortFunc(members, func(a, b model.Endpoint) int {
			return cmp.Or(netip.MustParseAddr(a.Address).Compare(netip.MustParseAddr(b.Address)), cmp.Compare(a.Port, b.Port))
		})
		if members = slices.Compact(members); len(members) > 0 {
			list = append(list, model.Locality{Zone: zone, Endpoints: members})
		}
	}
	slices.SortFunc(list, func(a, b model.Locality) int { return cmp.Compare(a.Zone, b.Zone) })
	return list
}
