package api

import (
	"fmt"
	"io/fs"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

// Resource is one kind of object that the server knows.
type Resource struct {
	schema.GroupVersionKind
	// Plural names the kind in a path.
	Plural     string
	Namespaced bool
	// Status: the kind has the status subresource, so that a write of the object leaves the status alone and the other way round.
	Status bool
	// Custom: the kind is that of a CRD, which says what an object of it may hold.
	Custom bool
}

// GroupResource names the resource in errors.
func (r Resource) GroupResource() schema.GroupResource {
	return schema.GroupResource{Group: r.Group, Resource: r.Plural}
}

// builtin are the kinds of Kubernetes that the suite and what stands in for a cluster use.
var builtin = []Resource{
	{GroupVersionKind: kind("", "v1", "Namespace"), Plural: "namespaces", Status: true},
	{GroupVersionKind: kind("", "v1", "Service"), Plural: "services", Namespaced: true, Status: true},
	{GroupVersionKind: kind("", "v1", "Secret"), Plural: "secrets", Namespaced: true},
	{GroupVersionKind: kind("", "v1", "ConfigMap"), Plural: "configmaps", Namespaced: true},
	{GroupVersionKind: kind("", "v1", "Pod"), Plural: "pods", Namespaced: true, Status: true},
	{GroupVersionKind: kind("", "v1", "ServiceAccount"), Plural: "serviceaccounts", Namespaced: true},
	{GroupVersionKind: kind("apps", "v1", "Deployment"), Plural: "deployments", Namespaced: true, Status: true},
	{GroupVersionKind: kind("discovery.k8s.io", "v1", "EndpointSlice"), Plural: "endpointslices", Namespaced: true},
	{GroupVersionKind: kind("apiextensions.k8s.io", "v1", "CustomResourceDefinition"), Plural: "customresourcedefinitions", Status: true},
}

func kind(group, version, kind string) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: group, Version: version, Kind: kind}
}

// ReadCRDs reads the CustomResourceDefinitions of a directory; what else is in it (kustomizations, admission policies) is left out.
func ReadCRDs(dir fs.FS) ([]*apiextensionsv1.CustomResourceDefinition, error) {
	names, err := fs.Glob(dir, "*.yaml")
	if err != nil {
		return nil, err
	}
	var crds []*apiextensionsv1.CustomResourceDefinition
	for _, name := range names {
		data, err := fs.ReadFile(dir, name)
		if err != nil {
			return nil, err
		}
		crd := &apiextensionsv1.CustomResourceDefinition{}
		if err := yaml.Unmarshal(data, crd); err != nil {
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
		if crd.Kind == "CustomResourceDefinition" {
			crds = append(crds, crd)
		}
	}
	if len(crds) == 0 {
		return nil, fmt.Errorf("no CustomResourceDefinition among %s", strings.Join(names, ", "))
	}
	return crds, nil
}

// served gives the resource of a CRD in each version that is served.
func served(crd *apiextensionsv1.CustomResourceDefinition) []Resource {
	var resources []Resource
	for _, version := range crd.Spec.Versions {
		if !version.Served {
			continue
		}
		resources = append(resources, Resource{
			GroupVersionKind: kind(crd.Spec.Group, version.Name, crd.Spec.Names.Kind),
			Plural:           crd.Spec.Names.Plural,
			Namespaced:       crd.Spec.Scope == apiextensionsv1.NamespaceScoped,
			Status:           version.Subresources != nil && version.Subresources.Status != nil,
			Custom:           true,
		})
	}
	return resources
}
