package attach

import (
	"iter"

	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/model"
)

// homes finds the namespaces of Gateways whose manifests name none, by the routes and ListenerSets that name them: four of ten manifests
// of public GitOps repositories leave the namespace to what applies them (kustomize, Flux), while who attaches from other namespaces
// has to write it. Where all of them agree on one namespace, and no other Gateway has that name, the Gateway is taken to be
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
	for name := range namedGateways(objects) {
		written, found := homeless[name.Name]
		if !found || known[name] || r.index.invalid[otherKey{"Gateway", name}] {
			continue
		}
		if asked[written] == nil {
			asked[written] = map[model.Name]bool{}
		}
		asked[written][name] = true
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

// namedGateways are the names of Gateways in routes and ListenerSets.
func namedGateways(objects *manifest.Objects) iter.Seq[model.Name] {
	return func(yield func(model.Name) bool) {
		for route := range objects.Routes() {
			for _, ref := range route.ParentRefs {
				if isGateway(ref) && !yield(parentName(ref, route.Object.GetNamespace())) {
					return
				}
			}
		}
		for _, located := range objects.ListenerSets {
			if isGatewayReference(located.Object.Spec.ParentRef) && !yield(setParent(located.Object)) {
				return
			}
		}
	}
}
