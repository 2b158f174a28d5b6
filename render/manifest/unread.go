package manifest

import gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

// referent is an object by kind and name. The namespace is left out: a manifest may leave it to what applies it.
type referent struct{ kind, name string }

// referents are the filters and backends of kinds that are not read which routes name.
type referents map[referent]bool

// Unread are, for each of several inputs, the objects of kinds that are not read and that bear on requests: by themselves, or
// because a route of any of the inputs names them.
func Unread(inputs ...*Objects) [][]Other {
	named := referents{}
	for _, objects := range inputs {
		named.add(objects)
	}
	found := make([][]Other, len(inputs))
	for i, objects := range inputs {
		for _, other := range objects.Others {
			if other.Bears || named[referent{other.Kind, other.Name}] {
				found[i] = append(found[i], other)
			}
		}
	}
	return found
}

func (r referents) add(objects *Objects) {
	for route := range objects.Routes() {
		for _, rule := range route.Rules {
			r.rule(rule)
		}
	}
}

// rule adds what a rule of a route of any kind names.
func (r referents) rule(rule any) {
	switch rule := rule.(type) {
	case *gatewayv1.HTTPRouteRule:
		r.filters(rule.Filters)
		for _, ref := range rule.BackendRefs {
			r.filters(ref.Filters)
			r.backend(ref.BackendObjectReference)
		}
	case *gatewayv1.GRPCRouteRule:
		r.grpcFilters(rule.Filters)
		for _, ref := range rule.BackendRefs {
			r.grpcFilters(ref.Filters)
			r.backend(ref.BackendObjectReference)
		}
	case *gatewayv1.TLSRouteRule:
		r.backends(rule.BackendRefs)
	case *gatewayv1.TCPRouteRule:
		r.backends(rule.BackendRefs)
	case *gatewayv1.UDPRouteRule:
		r.backends(rule.BackendRefs)
	}
}

func (r referents) backends(refs []gatewayv1.BackendRef) {
	for _, ref := range refs {
		r.backend(ref.BackendObjectReference)
	}
}

func (r referents) backend(ref gatewayv1.BackendObjectReference) {
	if ref.Kind != nil && *ref.Kind != "Service" {
		r[referent{string(*ref.Kind), string(ref.Name)}] = true
	}
}

func (r referents) filters(filters []gatewayv1.HTTPRouteFilter) {
	for _, filter := range filters {
		r.filter(filter.ExtensionRef, filter.RequestMirror)
	}
}

func (r referents) grpcFilters(filters []gatewayv1.GRPCRouteFilter) {
	for _, filter := range filters {
		r.filter(filter.ExtensionRef, filter.RequestMirror)
	}
}

func (r referents) filter(extension *gatewayv1.LocalObjectReference, mirror *gatewayv1.HTTPRequestMirrorFilter) {
	if extension != nil {
		r[referent{string(extension.Kind), string(extension.Name)}] = true
	}
	if mirror != nil {
		r.backend(mirror.BackendRef)
	}
}
