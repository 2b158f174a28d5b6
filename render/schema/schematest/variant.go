package schematest

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Side is what a probe is for.
type Side string

const (
	// Accepted objects are right.
	Accepted Side = "accepted"
	// Refused objects break the rule that the probe is about.
	Refused Side = "refused"
	// Either: the object is at a limit or has an odd value, and the server says what it makes of it.
	Either Side = "either"
)

// variant is another value for a node.
type variant struct {
	Rule // without the path
	side Side
	// what tells variants of one rule and side apart.
	what  string
	value any
}

// variantsOf derives values from a schema and a right value: for each rule one that breaks it, and those at its limits.
func variantsOf(s *apiextensionsv1.JSONSchemaProps, value any) []variant {
	v := variants{schema: s, value: value}
	v.types()
	switch value := value.(type) {
	case map[string]any:
		v.object(value)
	case []any:
		v.list(value)
	case string:
		v.text(value)
	case int64:
		v.number()
	}
	v.enum()
	return v.found
}

type variants struct {
	schema *apiextensionsv1.JSONSchemaProps
	value  any
	found  []variant
}

func (v *variants) add(keyword, text string, side Side, what string, value any) {
	v.found = append(v.found, variant{Rule{Keyword: keyword, Text: text}, side, what, value})
}

// types puts a value of another type, and those that stand for none, into the place of each.
func (v *variants) types() {
	odd := map[string]any{"object": "text", "array": "text", "string": int64(7), "integer": "text", "boolean": "yes"}
	v.add("type", "", Refused, "", odd[v.schema.Type])
	v.add("type", "", Either, "null", nil)
	switch v.schema.Type {
	case "object":
		v.add("type", "", Refused, "list", []any{})
		v.add("type", "", Either, "empty", map[string]any{})
	case "array":
		v.add("type", "", Refused, "object", map[string]any{})
		v.add("type", "", Either, "empty", []any{})
		v.add("type", "", Either, "of null", []any{nil})
	case "string":
		v.add("type", "", Either, "empty", "")
		v.add("type", "", Refused, "boolean", true)
	case "integer":
		v.add("type", "", Refused, "fraction", 1.5)
		v.add("type", "", Either, "huge", 1e20)
	}
}

func (v *variants) object(value map[string]any) {
	without := func(name string) map[string]any {
		changed := maps.Clone(value)
		delete(changed, name)
		return changed
	}
	with := func(name string, item any) map[string]any {
		changed := maps.Clone(value)
		changed[name] = item
		return changed
	}
	if len(v.schema.Properties) > 0 {
		v.add(Unknown, "", Refused, "", with("unknownField", "a"))
	}
	for _, name := range v.schema.Required {
		if v.schema.Properties[name].Default == nil {
			v.add("required", name, Refused, "", without(name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v.schema.Properties)) {
		if v.schema.Properties[name].Default != nil {
			v.add("default", name, Accepted, "", without(name))
			v.add("default", name, Either, "null", with(name, nil))
		}
	}
	if most := v.schema.MaxProperties; most != nil {
		v.add("maxProperties", "", Either, "most", entries(value, int(*most)))
		v.add("maxProperties", "", Refused, "", entries(value, int(*most)+1))
	}
}

// entries gives a map as many entries.
func entries(value map[string]any, number int) map[string]any {
	item := value[slices.Sorted(maps.Keys(value))[0]]
	changed := map[string]any{}
	for i := range number {
		changed["a"+strconv.Itoa(i)] = item
	}
	return changed
}

func (v *variants) list(value []any) {
	if least := v.schema.MinItems; least != nil && *least > 0 {
		v.add("minItems", "", Refused, "", value[:*least-1])
	}
	if most := v.schema.MaxItems; most != nil {
		v.add("maxItems", "", Either, "most", items(value[0], int(*most)))
		v.add("maxItems", "", Refused, "", items(value[0], int(*most)+1))
	}
	if v.schema.XListType != nil && *v.schema.XListType != "atomic" {
		v.add(Duplicate, "", Refused, "", []any{value[0], value[0]})
	}
}

// items makes a list of different items where that is easy.
func items(item any, number int) []any {
	list := make([]any, number)
	for i := range list {
		switch item := item.(type) {
		case string:
			list[i] = item + strconv.Itoa(i)
		case map[string]any:
			changed := maps.Clone(item)
			for name, value := range item {
				if text, is := value.(string); is && (name == "name" || name == "value" || name == "hostname") {
					changed[name] = text + strconv.Itoa(i)
				} else if number, is := value.(int64); is && name == "port" {
					changed[name] = number + int64(i)
				}
			}
			list[i] = changed
		default:
			list[i] = item
		}
	}
	return list
}

func (v *variants) number() {
	if least := v.schema.Minimum; least != nil {
		v.add("minimum", "", Refused, "", int64(*least)-1)
		v.add("minimum", "", Either, "least", int64(*least))
	}
	if most := v.schema.Maximum; most != nil {
		v.add("maximum", "", Refused, "", int64(*most)+1)
		v.add("maximum", "", Either, "most", int64(*most))
	}
	if v.schema.Format == "int32" {
		v.add("format", v.schema.Format, Refused, "", int64(1)<<31)
		v.add("format", v.schema.Format, Either, "most", int64(1)<<31-1)
	}
}

func (v *variants) enum() {
	for _, allowed := range v.schema.Enum {
		if value := decoded(allowed); value != v.value {
			v.add("enum", "", Either, string(allowed.Raw), value)
		}
	}
	if len(v.schema.Enum) > 0 {
		var other any = "Other"
		if v.schema.Type == "integer" {
			other = int64(999)
		}
		v.add("enum", "", Refused, "", other)
	}
}

// decoded gives a value of a schema as the API server decodes it.
func decoded(raw apiextensionsv1.JSON) any {
	var value any
	decoder := json.NewDecoder(strings.NewReader(string(raw.Raw)))
	decoder.UseNumber()
	if decoder.Decode(&value) != nil {
		return nil
	}
	if number, is := value.(json.Number); is {
		whole, _ := number.Int64()
		return whole
	}
	return runtime.DeepCopyJSONValue(value)
}
