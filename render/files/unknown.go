package files

import (
	"fmt"
	"path"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// envoyVersion is that of the definitions in go.mod.
const envoyVersion = "1.40"

// unknownField is a part of a file that its message does not have.
type unknownField struct {
	code    diagnostic.Code
	line    int
	field   string
	message string
}

// unknownFields finds the fields, enum values and packed types of a JSON or YAML file that nobody knows. Envoy ignores them in
// files (server.dynamic_unknown_fields counts them), so a misspelt field is a setting that is not set.
func unknownFields(file string, data []byte, message protoreflect.MessageDescriptor) []unknownField {
	switch path.Ext(file) {
	case ".pb", ".pb_text":
		return nil
	}
	text, err := jsonText(file, data)
	if err != nil {
		return nil
	}
	root, err := parsePlaced(text)
	if err != nil {
		return nil
	}
	finder := &unknownFinder{}
	finder.message(root, message, "")
	return finder.found
}

type unknownFinder struct{ found []unknownField }

func (f *unknownFinder) message(v placed, message protoreflect.MessageDescriptor, field string) {
	if message.FullName() == "google.protobuf.Any" {
		f.packed(v, field)
		return
	}
	// These have a JSON form of their own.
	if strings.HasPrefix(string(message.FullName()), "google.protobuf.") || !v.object() {
		return
	}
	for i, name := range v.names {
		if name == "@type" {
			continue
		}
		inner := at(field, name)
		known := message.Fields().ByTextName(name)
		if known == nil {
			known = message.Fields().ByJSONName(name)
		}
		if known == nil {
			f.add(v.values[i], inner, fmt.Sprintf("%s has no field %q", message.FullName(), name))
			continue
		}
		f.value(v.values[i], known, inner)
	}
}

func (f *unknownFinder) packed(v placed, field string) {
	if url := unknownType(v); url != "" {
		f.found = append(f.found, unknownField{diagnostic.WrongSlotType, v.line, field, fmt.Sprintf("Envoy %s has no type %s", envoyVersion, url)})
		return
	}
	found, err := protoregistry.GlobalTypes.FindMessageByURL(v.field("@type"))
	if err != nil {
		return
	}
	f.message(v, found.Descriptor(), field)
}

func (f *unknownFinder) value(v placed, known protoreflect.FieldDescriptor, field string) {
	switch {
	case known.IsMap():
		for i, name := range v.names {
			f.single(v.values[i], known.MapValue(), field+"["+quote(name)+"]")
		}
	case known.IsList():
		for i, item := range v.values {
			f.single(item, known, indexed(field, i))
		}
	default:
		f.single(v, known, field)
	}
}

func (f *unknownFinder) single(v placed, known protoreflect.FieldDescriptor, field string) {
	switch known.Kind() {
	case protoreflect.MessageKind:
		f.message(v, known.Message(), field)
	case protoreflect.EnumKind:
		if name, ok := v.scalar.(string); ok && known.Enum().Values().ByName(protoreflect.Name(name)) == nil {
			f.add(v, field, fmt.Sprintf("%s has no value %q", known.Enum().FullName(), name))
		}
	}
}

func (f *unknownFinder) add(v placed, field, message string) {
	f.found = append(f.found, unknownField{diagnostic.UnknownEnvoyField, v.line, field, message + ": Envoy ignores it"})
}
