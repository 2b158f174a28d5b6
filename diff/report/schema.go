package report

import (
	"path"
	"reflect"
	"strings"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// Schema is the JSON schema (draft 2020-12) of the wire form, made of the types of this package, so that the two cannot differ.
// Other programs read it from docs/report.schema.json.
func Schema() map[string]any {
	return schemaOf(reflect.TypeFor[Report](), "Report of routedelta", Version)
}

// CheckSchema is the same of a Check; it is docs/check.schema.json.
func CheckSchema() map[string]any {
	return schemaOf(reflect.TypeFor[Check](), "Findings of routedelta check", CheckVersion)
}

func schemaOf(t reflect.Type, title, version string) map[string]any {
	s := schemaMaker{definitions: map[string]any{}}
	schema := s.object(t)
	schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	schema["title"] = title
	schema["properties"].(map[string]any)["version"] = map[string]any{"const": version}
	schema["$defs"] = s.definitions
	return schema
}

// words are the types of string that hold one of a few words. Fields of plain strings name theirs in a tag "enum".
func words(t reflect.Type) []string {
	switch t {
	case reflect.TypeFor[Severity]():
		return texts(severities()...)
	case reflect.TypeFor[TargetState]():
		return texts(TargetCompared, TargetUnchanged, TargetUndecided)
	case reflect.TypeFor[CaveatAbout]():
		return texts(Rerouters, Endpoints, RuntimeKeys)
	case reflect.TypeFor[table.OutcomeKind]():
		// "" is an outcome of which only the treatment is known.
		return texts(table.ToBackends, table.Redirected, table.Answered, table.NoRoute, table.Mixed, NotServed, "")
	case reflect.TypeFor[class.TermKind]():
		return texts(class.TermAny, class.TermExact, class.TermPrefix, class.TermSegments, class.TermSuffix, class.TermRegex)
	case reflect.TypeFor[diagnostic.Severity]():
		return texts(diagnostic.Error, diagnostic.Warning, diagnostic.Info)
	}
	return nil
}

func texts[T ~string](words ...T) []string {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = string(word)
	}
	return list
}

// schemaMaker keeps each type that has a name once, since outcomes hold outcomes.
type schemaMaker struct{ definitions map[string]any }

func (s schemaMaker) of(t reflect.Type) map[string]any {
	switch t.Kind() {
	case reflect.Struct:
		name := path.Base(t.PkgPath()) + "." + t.Name()
		if _, known := s.definitions[name]; !known {
			s.definitions[name] = nil // while it is made
			s.definitions[name] = s.object(t)
		}
		return map[string]any{"$ref": "#/$defs/" + name}
	case reflect.Pointer:
		return s.of(t.Elem())
	case reflect.Slice:
		return map[string]any{"type": "array", "items": s.of(t.Elem())}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int32, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Uint32, reflect.Uint64:
		return map[string]any{"type": "integer", "minimum": 0}
	}
	if list := words(t); list != nil {
		return map[string]any{"enum": list}
	}
	return map[string]any{"type": "string"}
}

// object holds the fields of a struct, those of embedded ones among them. What is not left out when empty is required.
func (s schemaMaker) object(t reflect.Type) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, field := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous || name == "" || name == "-" {
			continue
		}
		properties[name] = s.of(field.Type)
		if list := strings.Fields(field.Tag.Get("enum")); len(list) > 0 {
			properties[name] = map[string]any{"enum": list}
		}
		if !strings.Contains(options, "omit") {
			required = append(required, name)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}
