package schema

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// checkBackendRefs applies the rules of a rule's backendRefs.
func checkBackendRefs(c *checker, rule *field.Path, of *gatewayv1.HTTPRouteRule) {
	at := rule.Child("backendRefs")
	c.atMost(at, len(of.BackendRefs), 16)
	if len(of.BackendRefs) > 0 && hasFilter(of.Filters, gatewayv1.HTTPRouteFilterRequestRedirect) {
		c.refuse(diagnostic.BadCombine, at, "remove the backendRefs: a redirect never reaches them",
			"RequestRedirect filter must not be used together with backendRefs")
	}
	for i := range of.BackendRefs {
		backend := &of.BackendRefs[i]
		checkBackend(c, at.Index(i), &backend.BackendObjectReference)
		c.within(at.Index(i).Child("weight"), int64(*backend.Weight), 0, 1_000_000)
		checkFilters(c, at.Index(i).Child("filters"), backend.Filters)
	}
}

// checkBackend applies the rules of a reference to a backend.
func checkBackend(c *checker, at *field.Path, backend *gatewayv1.BackendObjectReference) {
	c.group(at.Child("group"), string(*backend.Group))
	c.kindOf(at.Child("kind"), string(*backend.Kind))
	c.objectName(at.Child("name"), string(backend.Name))
	if backend.Namespace != nil {
		c.label(at.Child("namespace"), string(*backend.Namespace))
	}
	switch {
	case backend.Port != nil:
		c.port(at.Child("port"), *backend.Port)
	case *backend.Group == "" && *backend.Kind == "Service":
		c.refuse(diagnostic.MissingValue, at.Child("port"), "write the port of the Service, not that of the pods", "Must have port for Service reference")
	}
}

// hasFilter tells whether a filter of a type is in a list.
func hasFilter(filters []gatewayv1.HTTPRouteFilter, of gatewayv1.HTTPRouteFilterType) bool {
	for i := range filters {
		if filters[i].Type == of {
			return true
		}
	}
	return false
}
