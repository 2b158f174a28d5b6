package fake

import (
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
)

// fill gives a form of this package the members that GitHub's description requires and that nothing here is about: an account has
// fourteen addresses, a repository ninety members. What is there is left as it is, to be checked as a whole afterwards.
func (c *contract) fill(request *openapi3filter.RequestValidationInput, a *answer) {
	response := request.Route.Operation.Responses.Status(a.status)
	if response == nil || a.form == nil {
		return
	}
	if media := response.Value.Content.Get("application/json"); media != nil && media.Schema != nil {
		a.form = filled(media.Schema.Value, a.form)
	}
}

// filled is the value with what the schema requires.
func filled(schema *openapi3.Schema, value any) any {
	switch value := value.(type) {
	case nil:
		return smallest(schema)
	case form:
		for _, part := range parts(schema) {
			for _, name := range part.Required {
				if _, there := value[name]; !there && part.Properties[name] != nil {
					value[name] = smallest(part.Properties[name].Value)
				}
			}
			for name, property := range part.Properties {
				if inner, there := value[name]; there && inner != nil {
					value[name] = filled(property.Value, inner)
				}
			}
		}
	case []any:
		for _, part := range parts(schema) {
			for i := range value {
				if part.Items != nil {
					value[i] = filled(part.Items.Value, value[i])
				}
			}
		}
	}
	return value
}

// parts are the schemas that a value has to hold to: all of allOf, and the first of the alternatives.
func parts(schema *openapi3.Schema) []*openapi3.Schema {
	all := []*openapi3.Schema{schema}
	for _, part := range schema.AllOf {
		all = append(all, parts(part.Value)...)
	}
	for _, alternatives := range []openapi3.SchemaRefs{schema.OneOf, schema.AnyOf} {
		if len(alternatives) > 0 {
			all = append(all, parts(alternatives[0].Value)...)
		}
	}
	return all
}

// smallest is a value that the schema takes.
func smallest(schema *openapi3.Schema) any {
	if schema.Nullable {
		return nil
	}
	for _, part := range parts(schema) {
		switch {
		case len(part.Enum) > 0:
			return part.Enum[0]
		case part.Type.Is("string"):
			return smallestText(part.Format)
		case part.Type.Is("integer"), part.Type.Is("number"):
			return 1
		case part.Type.Is("boolean"):
			return false
		case part.Type.Is("array"):
			return []any{}
		case part.Type.Is("object"):
			return filled(schema, form{})
		}
	}
	return nil
}

func smallestText(format string) string {
	switch format {
	case "uri":
		return "https://github.com/"
	case "date-time":
		return "2026-01-02T03:04:05Z"
	}
	return "x"
}
