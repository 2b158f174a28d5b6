package manifest

import (
	"fmt"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// kindName names a route apart from its namespace.
type kindName struct{ kind, name string }

// Settle gives each route that names no namespace the one that the route of its name has in another state of the same manifests:
// a namespace that is left to kustomize in one commit and written in the other moves nothing. Where there is no such route, or more
// than one, or either state holds both, the route stays where it is.
func Settle(objects, other *Objects) diagnostic.List {
	here, there := namespacesByRoute(objects), namespacesByRoute(other)
	var found diagnostic.List
	for route := range objects.Routes() {
		name := kindName{route.Kind, route.Object.GetName()}
		if !route.NamespaceAbsent || len(here[name]) != 1 || len(there[name]) != 1 || there[name][0] == route.Object.GetNamespace() {
			continue
		}
		route.Object.SetNamespace(there[name][0])
		found = append(found, diagnostic.Diagnostic{
			Code: diagnostic.NamespaceUnknown, Severity: diagnostic.Info, Field: "metadata", Position: route.Places.At("metadata"),
			Object:  route.Name(),
			Message: fmt.Sprintf("the manifest names no namespace on this side of the change: it is taken to be %s, as on the other", there[name][0]),
		})
	}
	objects.sort()
	return found
}

// namespacesByRoute are the namespaces that hold a route of a kind and name.
func namespacesByRoute(objects *Objects) map[kindName][]string {
	found := map[kindName][]string{}
	for route := range objects.Routes() {
		name := kindName{route.Kind, route.Object.GetName()}
		found[name] = append(found[name], route.Object.GetNamespace())
	}
	return found
}
