package api

import (
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/json"
)

// applyDefaults fills in what a structural schema says of absent fields, from the outside to the inside: a default may hold
// objects that lack fields themselves.
func applyDefaults(value any, schema *apiextensionsv1.JSONSchemaProps) error {
	switch value := value.(type) {
	case map[string]any:
		return defaultFields(value, schema)
	case []any:
		if schema.Items == nil || schema.Items.Schema == nil {
			return nil
		}
		for _, item := range value {
			if err := applyDefaults(item, schema.Items.Schema); err != nil {
				return err
			}
		}
	}
	return nil
}

func defaultFields(fields map[string]any, schema *apiextensionsv1.JSONSchemaProps) error {
	for name, property := range schema.Properties {
		if _, present := fields[name]; !present && property.Default != nil {
			var value any
			if err := json.Unmarshal(property.Default.Raw, &value); err != nil {
				return fmt.Errorf("reading the default of %s: %w", name, err)
			}
			fields[name] = runtime.DeepCopyJSONValue(value)
		}
	}
	for name, value := range fields {
		property, ok := schema.Properties[name]
		switch {
		case ok:
		case schema.AdditionalProperties != nil && schema.AdditionalProperties.Schema != nil:
			property = *schema.AdditionalProperties.Schema
		default:
			continue
		}
		if err := applyDefaults(value, &property); err != nil {
			return err
		}
	}
	return nil
}
