package krm

import (
	"fmt"

	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// needsHash has kustomize end a name with a digest of the data, and rewrite all that refers to it. It is what generators ask for with
// kustomize.config.k8s.io/needs-hash, an annotation that means nothing on what a transformer returns (api v0.21.1, resource.go).
const needsHash = "internal.config.kubernetes.io/needsHashSuffix"

// configMaps are the ConfigMaps of a rendering, and what stands in their way.
func (f *function) configMaps(rendering *render.Rendering) ([]ConfigMap, diagnostic.List) {
	options := f.configured.Spec
	hashes := options.ConfigMap.HashSuffix && f.underKustomize()
	if hashes {
		options.ConfigMap.HashSuffix = false
	}
	made, err := ConfigMaps(rendering, options)
	if err != nil {
		return nil, diagnostic.List{{Code: diagnostic.NotHeld, Severity: diagnostic.Error, Message: err.Error()}}
	}
	taken := map[name]item{}
	for _, one := range f.items {
		if one.isConfigMap() && !one.isRendered() {
			taken[one.name()] = one
		}
	}
	var found diagnostic.List
	for _, configMap := range made {
		if hashes {
			configMap.Annotations[needsHash] = "enabled"
		}
		if other, is := taken[configMap.name()]; is {
			found = append(found, diagnostic.Diagnostic{
				Code: diagnostic.NameTaken, Severity: diagnostic.Error, Position: diagnostic.Position{File: other.file()},
				Object:  diagnostic.Object{Kind: "ConfigMap", Namespace: other.Namespace, Name: other.Name},
				Message: fmt.Sprintf("the name is wanted for the files of Gateway %s, and the object has no label %s", configMap.Annotations[GatewayAnnotation], RenderedLabel),
				Hint:    "rename the ConfigMap",
			})
		}
	}
	return made, found
}
