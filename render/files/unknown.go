package files

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// unknownField is a part of a file that Envoy ignores in silence.
type unknownField struct {
	line    int
	field   string
	message string
}

// unknownFields finds the fields and enum values of a JSON or YAML file that its message does not have. Envoy ignores them in
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
	parser := &placedParser{decoder: json.NewDecoder(bytes.NewReader(text)), text: text, line: 1}
	parser.decoder.UseNumber()
	root, err := parser.value()
	if err != nil {
		return nil
	}
	finder := &unknownFinder{}
	finder.message(root, message, "")
	return finder.found
}

// placed is a JSON value with its line.
type placed struct {
	line   int
	scalar json.Token
	names  []string // of the fields of an object
	values []placed // of an object or an array
	object bool
}

type placedParser struct {
	decoder *json.Decoder
	text    []byte
	counted int64
	line    int
}

// token is the next token; line is where it ends.
func (p *placedParser) token() (json.Token, error) {
	token, err := p.decoder.Token()
	offset := p.decoder.InputOffset()
	p.line += bytes.Count(p.text[p.counted:offset], []byte("\n"))
	p.counted = offset
	return token, err
}

func (p *placedParser) value() (placed, error) {
	token, err := p.token()
	if err != nil {
		return placed{}, err
	}
	v := placed{line: p.line}
	delim, ok := token.(json.Delim)
	if !ok {
		v.scalar = token
		return v, nil
	}
	v.object = delim == '{'
	for p.decoder.More() {
		if v.object {
			name, err := p.token()
			if err != nil {
				return v, err
			}
			v.names = append(v.names, name.(string))
		}
		inner, err := p.value()
		if err != nil {
			return v, err
		}
		v.values = append(v.values, inner)
	}
	_, err = p.token()
	return v, err
}

// field is the value of a field of an object, as text.
func (v placed) field(name string) string {
	for i, have := range v.names {
		if have == name {
			text, _ := v.values[i].scalar.(string)
			return text
		}
	}
	return ""
}

type unknownFinder struct{ found []unknownField }

func (f *unknownFinder) message(v placed, message protoreflect.MessageDescriptor, field string) {
	if message.FullName() == "google.protobuf.Any" {
		f.packed(v, field)
		return
	}
	// These have a JSON form of their own.
	if strings.HasPrefix(string(message.FullName()), "google.protobuf.") || !v.object {
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
	f.found = append(f.found, unknownField{line: v.line, field: field, message: message})
}
