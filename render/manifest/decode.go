package manifest

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// decoder reads the value of one object into its Go type. It goes on after an error, so that one run shows all of them. Of a
// value that its definition was applied to, there is nothing left to find.
type decoder struct {
	object diagnostic.Object
	places *Places
	path   []byte
	found  diagnostic.List
	// keepKeys keeps the private keys of Secrets.
	keepKeys bool
	// ordered: fields are read in the order of their names, so that the first hundred findings are the same each time.
	ordered bool
}

// decode fills a struct from the value of an object.
func (d *decoder) decode(value map[string]any, s *shape, into reflect.Value) {
	d.fields(value, s, into)
	if len(d.found) == mostFindings {
		d.found, d.ordered = nil, true
		d.fields(value, s, into)
	}
}

// value sets one value.
func (d *decoder) value(value any, s *shape, into reflect.Value) {
	if s.kind == skipShape || value == nil {
		return
	}
	for into.Kind() == reflect.Pointer {
		into.Set(reflect.New(into.Type().Elem()))
		into = into.Elem()
	}
	right := false
	switch value := value.(type) {
	case map[string]any:
		if right = s.kind == objectShape; right {
			d.fields(value, s, into)
		} else if right = s.kind == mapShape; right {
			d.entries(value, s, into)
		}
	case []any:
		if right = s.kind == listShape; right {
			d.list(value, s, into)
		}
	default:
		right = d.scalar(value, s, into)
	}
	if !right {
		d.wrongType(value, s)
	}
}

// fields sets the fields of a struct.
func (d *decoder) fields(value map[string]any, s *shape, into reflect.Value) {
	if !d.ordered {
		for name, item := range value {
			d.field(name, item, s, into)
		}
		return
	}
	for _, name := range slices.Sorted(maps.Keys(value)) {
		d.field(name, value[name], s, into)
	}
}

func (d *decoder) field(name string, value any, s *shape, into reflect.Value) {
	field := s.fields[name]
	if field == nil && s.open {
		return
	}
	length := len(d.path)
	if length > 0 {
		d.path = append(d.path, '.')
	}
	d.path = append(d.path, name...)
	switch {
	case field == nil:
		d.report(diagnostic.UnknownField, fmt.Sprintf("unknown field %q", diagnostic.Clip(name)), unknownFieldHint(name, s))
	case field.index == nil:
		d.value(value, field.shape, reflect.Value{})
	case field.shape.kind != skipShape && value != nil:
		d.value(value, field.shape, into.FieldByIndex(field.index))
	}
	d.path = d.path[:length]
}

// list sets a slice.
func (d *decoder) list(value []any, s *shape, into reflect.Value) {
	into.Set(reflect.MakeSlice(into.Type(), len(value), len(value)))
	length := len(d.path)
	for i, item := range value {
		d.path = append(strconv.AppendInt(append(d.path, '['), int64(i), 10), ']')
		if item == nil { // absent elsewhere, but not here
			d.wrongType(item, s.elem)
		}
		d.value(item, s.elem, into.Index(i))
		d.path = d.path[:length]
	}
}

// entries sets a map.
func (d *decoder) entries(value map[string]any, s *shape, into reflect.Value) {
	into.Set(reflect.MakeMapWithSize(into.Type(), len(value)))
	length := len(d.path)
	for _, name := range slices.Sorted(maps.Keys(value)) {
		d.path = append(append(append(d.path, '['), name...), ']')
		element := reflect.New(into.Type().Elem()).Elem()
		d.value(value[name], s.elem, element)
		into.SetMapIndex(reflect.ValueOf(name).Convert(into.Type().Key()), element)
		d.path = d.path[:length]
	}
}

// scalar sets a value without parts and tells whether it has the right type.
func (d *decoder) scalar(value any, s *shape, into reflect.Value) bool {
	switch s.kind {
	case stringShape:
		text, is := value.(string)
		if is {
			into.SetString(text)
		}
		return is
	case boolShape:
		truth, is := value.(bool)
		if is {
			into.SetBool(truth)
		}
		return is
	case intShape:
		whole, is := value.(int64)
		if is = is && !into.OverflowInt(whole); is {
			into.SetInt(whole)
		}
		return is
	case uintShape:
		whole, is := value.(int64)
		if is = is && whole >= 0 && !into.OverflowUint(uint64(whole)); is {
			into.SetUint(uint64(whole))
		}
		return is
	case customShape:
		d.custom(value, into)
		return true
	}
	return false
}

// custom sets a value whose type reads its own JSON.
func (d *decoder) custom(value any, into reflect.Value) {
	data, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(data, into.Addr().Interface())
	}
	if err != nil {
		d.report(diagnostic.WrongType, fmt.Sprintf("invalid value %s: %v", diagnostic.Clip(string(data)), err), "")
	}
}

// unknownFieldHint says what the author of an unknown field may have meant.
func unknownFieldHint(name string, s *shape) string {
	if near := diagnostic.Nearest(name, s.names); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	if len(s.names) > 0 && len(s.names) <= 12 {
		return "fields here are: " + strings.Join(s.names, ", ")
	}
	return "remove the field or correct its name"
}

func (d *decoder) wrongType(value any, s *shape) {
	has := typeOf(value)
	whole := s.kind == intShape || s.kind == uintShape
	if whole && has == "integer" {
		has = "one out of its range"
	}
	d.report(diagnostic.WrongType, fmt.Sprintf("must be of type %s, not %s", s.kind, has), wrongTypeHint(value, s))
}

// wrongTypeHint says how a value of another type is written.
func wrongTypeHint(value any, of *shape) string {
	want := of.kind
	switch value := value.(type) {
	case string:
		if want != intShape && want != uintShape {
			break
		}
		if _, err := strconv.ParseInt(value, 10, 64); err != nil {
			return "write a whole number"
		}
		return "remove the quotes"
	case int64, float64:
		if of.duration {
			return durationHint
		}
		if want == stringShape {
			return fmt.Sprintf("put quotes around it: \"%v\"", value)
		}
	case bool: // as on, yes and y are as well
		if want == stringShape {
			return "put quotes around it"
		}
	}
	if want == listShape {
		return `write a list: put "- " in front of each item`
	}
	return ""
}

// typeOf names the type of a value, in the words of the API server.
func typeOf(value any) string {
	switch value.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case bool:
		return "boolean"
	case int64:
		return "integer"
	case float64:
		return "number"
	}
	return "null"
}

func (d *decoder) report(code diagnostic.Code, message, hint string) {
	if len(d.found) == mostFindings {
		return
	}
	field := string(d.path)
	d.found = append(d.found, diagnostic.Diagnostic{
		Code: code, Severity: diagnostic.Error, Object: d.object, Field: visiblePath(field),
		Position: d.places.At(field), Message: message, Hint: hint,
	})
}
