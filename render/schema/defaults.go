package schema

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
)

// setDefault fills in a field that the manifest leaves out.
func setDefault[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}

// defaultGateway fills in the defaults of the Gateway's CRD.
func defaultGateway(spec *gatewayv1.GatewaySpec) {
	for i := range spec.Listeners {
		listener := &spec.Listeners[i]
		if listener.AllowedRoutes == nil {
			listener.AllowedRoutes = &gatewayv1.AllowedRoutes{}
		}
		if listener.AllowedRoutes.Namespaces == nil {
			listener.AllowedRoutes.Namespaces = &gatewayv1.RouteNamespaces{}
		}
		setDefault(&listener.AllowedRoutes.Namespaces.From, gatewayv1.NamespacesFromSame)
		for j := range listener.AllowedRoutes.Kinds {
			setDefault(&listener.AllowedRoutes.Kinds[j].Group, gatewayv1.GroupName)
		}
		if listener.TLS == nil {
			continue
		}
		setDefault(&listener.TLS.Mode, gatewayv1.TLSModeTerminate)
		for j := range listener.TLS.CertificateRefs {
			setDefault(&listener.TLS.CertificateRefs[j].Group, "")
			setDefault(&listener.TLS.CertificateRefs[j].Kind, "Secret")
		}
	}
	for i := range spec.Addresses {
		setDefault(&spec.Addresses[i].Type, gatewayv1.IPAddressType)
	}
}

// defaultHTTPRoute fills in the defaults of the HTTPRoute's CRD.
func defaultHTTPRoute(spec *gatewayv1.HTTPRouteSpec) {
	for i := range spec.ParentRefs {
		setDefault(&spec.ParentRefs[i].Group, gatewayv1.GroupName)
		setDefault(&spec.ParentRefs[i].Kind, "Gateway")
	}
	if spec.Rules == nil {
		spec.Rules = []gatewayv1.HTTPRouteRule{{}}
	}
	for i := range spec.Rules {
		rule := &spec.Rules[i]
		if len(rule.Matches) == 0 {
			rule.Matches = []gatewayv1.HTTPRouteMatch{{}}
		}
		for j := range rule.Matches {
			defaultMatch(&rule.Matches[j])
		}
		for j := range rule.Filters {
			defaultFilter(&rule.Filters[j])
		}
		for j := range rule.BackendRefs {
			backend := &rule.BackendRefs[j]
			defaultBackend(&backend.BackendObjectReference)
			setDefault(&backend.Weight, 1)
			for k := range backend.Filters {
				defaultFilter(&backend.Filters[k])
			}
		}
	}
}

// defaultMatch fills in a match. One without a path matches every path.
func defaultMatch(match *gatewayv1.HTTPRouteMatch) {
	if match.Path == nil {
		match.Path = &gatewayv1.HTTPPathMatch{}
	}
	setDefault(&match.Path.Type, gatewayv1.PathMatchPathPrefix)
	setDefault(&match.Path.Value, "/")
	for i := range match.Headers {
		setDefault(&match.Headers[i].Type, gatewayv1.HeaderMatchExact)
	}
	for i := range match.QueryParams {
		setDefault(&match.QueryParams[i].Type, gatewayv1.QueryParamMatchExact)
	}
}

// defaultFilter fills in a filter.
func defaultFilter(filter *gatewayv1.HTTPRouteFilter) {
	if filter.RequestRedirect != nil {
		setDefault(&filter.RequestRedirect.StatusCode, 302)
	}
	if mirror := filter.RequestMirror; mirror != nil {
		defaultBackend(&mirror.BackendRef)
		if mirror.Fraction != nil {
			setDefault(&mirror.Fraction.Denominator, 100)
		}
	}
	if filter.ExternalAuth != nil {
		defaultBackend(&filter.ExternalAuth.BackendRef)
	}
	if filter.CORS != nil && filter.CORS.MaxAge == 0 {
		filter.CORS.MaxAge = 5
	}
}

// defaultBackend fills in a reference to a backend.
func defaultBackend(backend *gatewayv1.BackendObjectReference) {
	setDefault(&backend.Group, "")
	setDefault(&backend.Kind, "Service")
}

// defaultService fills in what Kubernetes does for a Service.
func defaultService(spec *corev1.ServiceSpec) {
	if spec.Type == "" {
		spec.Type = corev1.ServiceTypeClusterIP
	}
	for i := range spec.Ports {
		port := &spec.Ports[i]
		if port.Protocol == "" {
			port.Protocol = corev1.ProtocolTCP
		}
		if port.TargetPort == (intstr.IntOrString{}) {
			port.TargetPort = intstr.FromInt32(port.Port)
		}
	}
}

// defaultEndpointSlice fills in what Kubernetes does for an EndpointSlice.
func defaultEndpointSlice(slice *discoveryv1.EndpointSlice) {
	for i := range slice.Ports {
		setDefault(&slice.Ports[i].Name, "")
		setDefault(&slice.Ports[i].Protocol, corev1.ProtocolTCP)
	}
}
