package schematest

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/yaml"
)

//go:embed objects.yaml
var objectsFile []byte

//go:embed rules.yaml
var rulesFile []byte

// CELValues are the values of rules.yaml for the rules with one message.
type CELValues struct {
	Message  string `json:"message"`
	Accepted []any  `json:"accepted"`
	Refused  []any  `json:"refused"`
	// Shadowed says why no new object can break the rule.
	Shadowed string `json:"shadowed"`
}

// Tables are the two files of objects and values.
type Tables struct {
	objects []map[string]any
	// Values by message.
	Values map[string]CELValues
}

// ReadTables reads both files.
func ReadTables() (Tables, error) {
	tables := Tables{Values: map[string]CELValues{}}
	objects, err := Decode(objectsFile)
	if err != nil {
		return Tables{}, fmt.Errorf("reading objects.yaml: %w", err)
	}
	tables.objects = objects
	data, err := yaml.ToJSON(rulesFile)
	if err != nil {
		return Tables{}, fmt.Errorf("reading rules.yaml: %w", err)
	}
	var list []CELValues
	if err := utiljson.Unmarshal(data, &list); err != nil {
		return Tables{}, fmt.Errorf("reading rules.yaml: %w", err)
	}
	for _, values := range list {
		for _, side := range [][]any{values.Accepted, values.Refused} {
			for i := range side {
				side[i] = whole(side[i])
			}
		}
		tables.Values[values.Message] = values
	}
	return tables, nil
}

// Decode reads a stream of YAML documents as the API server does: whole numbers are int64.
func Decode(data []byte) ([]map[string]any, error) {
	var objects []map[string]any
	for text := range bytes.SplitSeq(append([]byte("\n"), data...), []byte("\n---")) {
		text, err := yaml.ToJSON(text)
		if err != nil {
			return nil, err
		}
		var object map[string]any
		if err := utiljson.Unmarshal(text, &object); err != nil {
			return nil, err
		}
		if object != nil {
			objects = append(objects, object)
		}
	}
	return objects, nil
}

// whole gives a decoded value with whole numbers as int64.
func whole(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, item := range value {
			value[name] = whole(item)
		}
	case []any:
		for i, item := range value {
			value[i] = whole(item)
		}
	case float64:
		if value == float64(int64(value)) {
			return int64(value)
		}
	}
	return value
}

// Objects are the right objects of a definition, the smallest first: those of its kind that have no field that it does not know.
func (t Tables) Objects(d *Definition) []map[string]any {
	var found []map[string]any
	for _, object := range t.objects {
		if object["kind"] == d.Kind && knows(d.Schema, map[string]any{"spec": object["spec"]}) {
			object = runtime.DeepCopyJSON(object)
			object["apiVersion"] = d.GroupVersion().String()
			found = append(found, object)
		}
	}
	slices.SortStableFunc(found, func(a, b map[string]any) int { return size(a) - size(b) })
	return found
}

func size(object map[string]any) int {
	data, _ := json.Marshal(object) // decoded from YAML, it marshals
	return len(data)
}

// knows tells whether a schema has all fields of a value.
func knows(s *apiextensionsv1.JSONSchemaProps, value any) bool {
	switch value := value.(type) {
	case map[string]any:
		for name, item := range value {
			inner, known := s.Properties[name]
			if !known && s.AdditionalProperties != nil {
				inner, known = *s.AdditionalProperties.Schema, true
			}
			if !known || !knows(&inner, item) {
				return false
			}
		}
	case []any:
		return !slices.ContainsFunc(value, func(item any) bool { return !knows(s.Items.Schema, item) })
	}
	return true
}
