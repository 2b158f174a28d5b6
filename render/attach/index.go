package attach

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/model"
)

// index finds the objects that others refer to.
type index struct {
	services   map[model.Name]manifest.Located[*corev1.Service]
	slices     map[model.Name][]*discoveryv1.EndpointSlice // by Service
	secrets    map[model.Name]*manifest.Secret
	configMaps map[model.Name]*corev1.ConfigMap
	namespaces map[string]*corev1.Namespace
	grants     map[string][]grant
	others     map[otherKey]bool
	// invalid are the objects that the API would refuse. They have had their error, so that nothing more is said of references
	// to them.
	invalid map[otherKey]bool
}

type otherKey struct {
	kind string
	model.Name
}

func newIndex(objects *manifest.Objects) *index {
	x := &index{
		services:   map[model.Name]manifest.Located[*corev1.Service]{},
		slices:     map[model.Name][]*discoveryv1.EndpointSlice{},
		secrets:    map[model.Name]*manifest.Secret{},
		configMaps: map[model.Name]*corev1.ConfigMap{},
		namespaces: map[string]*corev1.Namespace{},
		grants:     grantsByNamespace(objects),
		others:     map[otherKey]bool{},
		invalid:    map[otherKey]bool{},
	}
	for _, s := range objects.Services {
		x.services[model.Name{Namespace: s.Object.Namespace, Name: s.Object.Name}] = s
	}
	for _, s := range objects.EndpointSlices {
		if service := s.Object.Labels[discoveryv1.LabelServiceName]; service != "" {
			name := model.Name{Namespace: s.Object.Namespace, Name: service}
			x.slices[name] = append(x.slices[name], s.Object)
		}
	}
	for _, s := range objects.Secrets {
		x.secrets[model.Name{Namespace: s.Object.Namespace, Name: s.Object.Name}] = s.Object
	}
	for _, c := range objects.ConfigMaps {
		x.configMaps[model.Name{Namespace: c.Object.Namespace, Name: c.Object.Name}] = c.Object
	}
	for _, n := range objects.Namespaces {
		x.namespaces[n.Object.Name] = n.Object
	}
	for _, o := range objects.Others {
		x.others[otherKey{o.Kind, model.Name{Namespace: o.Namespace, Name: o.Name}}] = true
	}
	for _, o := range objects.Invalid {
		x.invalid[otherKey{o.Kind, model.Name{Namespace: o.Namespace, Name: o.Name}}] = true
	}
	return x
}
