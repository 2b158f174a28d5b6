package attach

import (
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/model"
)

// homes finds the namespaces of Gateways whose manifests name none, by the routes that name them: four of ten manifests of
// public GitOps repositories leave the namespace to what applies them (kustomize, Flux), while routes of other namespaces
// have to write it. Where all routes agree on one namespace, and no other Gateway has that name, the Gateway is taken to be
// there. A controller knows better, so strict leaves the name as it is written.
func (r *resolver) homes(objects *manifest.Objects) map[model.Name]model.Name {
	homes := map[model.Name]model.Name{}
	if !r.assume() {
		return homes
	}
	homeless := map[string]model.Name{} // by the bare name
	known := map[model.Name]bool{}
	for _, located := range objects.Gateways {
		name := model.Name{Namespace: located.Object.Namespace, Name: located.Object.Name}
		known[name] = true
		if located.NamespaceAbsent {
			homeless[name.Name] = name
		}
	}
	asked := map[model.Name]map[model.Name]bool{}
	for route := range objects.Routes() {
		for _, ref := range route.ParentRefs {
			name := parentName(ref, route.Object.GetNamespace())
			written, found := homeless[name.Name]
			if !isGateway(ref) || !found || known[name] || r.index.invalid[otherKey{"Gateway", name}] {
				continue
			}
			if asked[written] == nil {
				asked[written] = map[model.Name]bool{}
			}
			asked[written][name] = true
		}
	}
	for written, names := range asked {
		for name := range names {
			if len(names) == 1 {
				homes[written] = name
			}
		}
	}
	return homes
}
