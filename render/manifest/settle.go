package manifest

import (
	"fmt"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// Settle gives each route that names no namespace the one that the route of its name has in another state of the same manifests:
// a namespace that is left to kustomize in one commit and written in the other moves nothing. Where there is no such route, or more
// than one, or either state holds both, the route stays where it is.
func Settle(objects, other *Objects) diagnostic.List {
	here, there := namespacesByRoute(objects), namespacesByRoute(other)
	var found diagnostic.List
	for i := range objects.HTTPRoutes {
		route := &objects.HTTPRoutes[i]
		name := route.Object.Name
		if !route.NamespaceAbsent || len(here[name]) != 1 || len(there[name]) != 1 || there[name][0] == route.Object.Namespace {
			continue
		}
		route.Object.Namespace = there[name][0]
		found = append(found, diagnostic.Diagnostic{
			Code: diagnostic.NamespaceUnknown, Severity: diagnostic.Info, Field: "metadata", Position: route.Places.At("metadata"),
			Object:  diagnostic.Object{Kind: "HTTPRoute", Namespace: route.Object.Namespace, Name: name},
			Message: fmt.Sprintf("the manifest names no namespace on this side of the change: it is taken to be %s, as on the other", route.Object.Namespace),
		})
	}
	sortLocated(objects.HTTPRoutes)
	return found
}

// namespacesByRoute are the namespaces that hold a route of a name.
func namespacesByRoute(objects *Objects) map[string][]string {
	found := map[string][]string{}
	for _, route := range objects.HTTPRoutes {
		found[route.Object.Name] = append(found[route.Object.Name], route.Object.Namespace)
	}
	return found
}
