package config

import (
	"reflect"
	"strings"
)

// Schema is the JSON schema of the document (draft 2020-12), made of the types above, so that the two cannot differ. Editors read it
// from docs/routedelta.schema.json.
func Schema() map[string]any {
	schema := object(reflect.TypeFor[Config]())
	schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	schema["title"] = Kind
	schema["required"] = []string{"apiVersion", "kind"}
	properties := schema["properties"].(map[string]any)
	properties["apiVersion"] = map[string]any{"const": APIVersion}
	properties["kind"] = map[string]any{"const": Kind}
	// kustomize and kpt put more into metadata than is read here.
	delete(properties["metadata"].(map[string]any), "additionalProperties")
	spec := properties["spec"].(map[string]any)["properties"].(map[string]any)
	for name, words := range choices() {
		spec[name].(map[string]any)["enum"] = words
	}
	return schema
}

func object(t reflect.Type) map[string]any {
	properties := map[string]any{}
	for i := range t.NumField() {
		if !t.Field(i).IsExported() {
			continue // it is no field of the document
		}
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
		properties[name] = schemaOf(t.Field(i).Type)
	}
	return map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
}

func schemaOf(t reflect.Type) map[string]any {
	switch t.Kind() {
	case reflect.Struct:
		return object(t)
	case reflect.Slice:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": schemaOf(t.Elem())}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int:
		return map[string]any{"type": "integer"}
	}
	return map[string]any{"type": "string"}
}
