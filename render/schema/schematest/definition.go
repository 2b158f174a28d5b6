package schematest

import (
	"fmt"
	"io/fs"
	"reflect"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/routedelta/routedelta/render/schema/internal/definition"
)

// Definition is what a CustomResourceDefinition says of one served version of a kind.
type Definition struct {
	schema.GroupVersionKind
	// Resource is the kind's name in paths of the API.
	Resource   string
	Namespaced bool
	Schema     *apiextensionsv1.JSONSchemaProps
	// Twin: another version with the same schema comes before this one.
	Twin bool
}

// Name is how a definition is called in the names of probes: HTTPRoute v1.
func (d *Definition) Name() string { return d.Kind + " " + d.Version }

// Read reads the definitions of gateway.networking.k8s.io from a folder of files; each kind's versions come in their order.
func Read(folder fs.FS) ([]*Definition, error) {
	paths, err := fs.Glob(folder, "gateway.networking.k8s.io_*.yaml")
	if err != nil {
		return nil, err
	}
	var found []*Definition
	for _, path := range paths {
		data, err := fs.ReadFile(folder, path)
		if err != nil {
			return nil, err
		}
		definitions, err := readOne(data)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", path, err)
		}
		found = append(found, definitions...)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("there are no definitions")
	}
	return found, nil
}

// readOne reads one file; one of another kind (an admission policy) gives no definitions.
func readOne(data []byte) ([]*Definition, error) {
	var crd apiextensionsv1.CustomResourceDefinition
	if err := yaml.Unmarshal(data, &crd); err != nil || crd.Kind != "CustomResourceDefinition" {
		return nil, err
	}
	var found []*Definition
	for _, version := range crd.Spec.Versions {
		if !version.Served {
			continue
		}
		d := &Definition{
			GroupVersionKind: schema.GroupVersionKind{Group: crd.Spec.Group, Version: version.Name, Kind: crd.Spec.Names.Kind},
			Resource:         crd.Spec.Names.Plural,
			Namespaced:       crd.Spec.Scope == apiextensionsv1.NamespaceScoped,
			Schema:           version.Schema.OpenAPIV3Schema,
		}
		definition.DropDescriptions(d.Schema)
		for _, other := range found {
			d.Twin = d.Twin || reflect.DeepEqual(d.Schema, other.Schema)
		}
		found = append(found, d)
	}
	return found, nil
}
