package schema

import (
	"encoding/json"
	"fmt"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/routedelta/routedelta/render/schema/internal/bundle"
)

// version is the definition of a kind in one version.
type version struct {
	bundle.Version
	namespaced bool
	// storage is the version that objects are stored in.
	storage    string
	structural *structuralschema.Structural
	root       *node
	// validator is the library's, for the words of what is refused.
	validator func() (validation.SchemaValidator, error)
}

// newVersion reads a definition.
func (v *Validator) newVersion(archive bundle.Archive, of *kind, described bundle.Version) (*version, error) {
	data, err := archive.Read(described.Schema)
	if err != nil {
		return nil, err
	}
	var properties apiextensionsv1.JSONSchemaProps
	if err := json.Unmarshal(data, &properties); err != nil {
		return nil, fmt.Errorf("reading the schema of %s %s: %w", of.Kind.Kind, described.Name, err)
	}
	internal := new(apiextensions.JSONSchemaProps)
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&properties, internal, nil); err != nil {
		return nil, fmt.Errorf("converting the schema of %s %s: %w", of.Kind.Kind, described.Name, err)
	}
	structural, err := structuralschema.NewStructural(internal)
	if err != nil {
		return nil, fmt.Errorf("the schema of %s %s is not structural: %w", of.Kind.Kind, described.Name, err)
	}
	if err := defaulting.PruneDefaults(structural); err != nil {
		return nil, fmt.Errorf("the defaults of %s %s: %w", of.Kind.Kind, described.Name, err)
	}
	root := v.newNode(structural, true)
	if described.Status {
		root.drop("status")
	}
	return &version{
		Version: described, namespaced: of.Namespaced, storage: of.storage,
		structural: structural, root: root,
		validator: sync.OnceValues(func() (validation.SchemaValidator, error) {
			validator, _, err := validation.NewSchemaValidator(internal)
			return validator, err
		}),
	}, nil
}

// resetStatus puts the status that a new object has into the place of one that a client wrote, which the server drops.
func (d *version) resetStatus(value map[string]any) {
	delete(value, "status")
	if status := d.structural.Properties["status"]; status.Default.Object != nil {
		value["status"] = runtime.DeepCopyJSONValue(status.Default.Object)
		defaulting.Default(value["status"], &status)
	}
}

// convert takes an object to the version in which it is stored and back, as the server does where the strategy of conversion
// is None: fields that the other version does not have are lost.
func (d *version) convert(v *Validator, of schema.GroupVersionKind, value map[string]any) error {
	if d.Name == d.storage {
		return nil
	}
	of.Version = d.storage
	stored, err := v.version(of)
	if err != nil {
		return err
	}
	for _, next := range []*version{stored, d} {
		pruning.Prune(value, next.structural, true)
		defaulting.PruneNonNullableNullsWithoutDefaults(value, next.structural)
		defaulting.Default(value, next.structural)
	}
	return nil
}
