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
	for _, route := range objects.HTTPRoutes {
		for _, rule := range route.Object.Spec.Rules {
			r.filters(rule.Filters)
			for _, backend := range rule.BackendRefs {
				r.filters(backend.Filters)
				if backend.Kind != nil && *backend.Kind != "Service" {
					r[referent{string(*backend.Kind), string(backend.Name)}] = true
				}
			}
		}
	}
}

func (r referents) filters(filters []gatewayv1.HTTPRouteFilter) {
	for _, filter := range filters {
		if ref := filter.ExtensionRef; ref != nil {
			r[referent{string(ref.Kind), string(ref.Name)}] = true
		}
	}
}
