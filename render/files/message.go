package files

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// appendMessage appends the text of a message without white space: protojson's, with the names of the .proto files. protojson
// itself makes half of the garbage of a rendering, and puts blanks into its output that differ from build to build.
//
// A message is written from its Go struct, as encoding/json writes one, by a plan for each type. To ask it for its fields by
// protoreflect takes three times as long: that looks a type up for each field which might be set, and a message of Envoy has dozens.
func (w *writer) appendMessage(text []byte, message proto.Message) ([]byte, error) {
	return w.append(text, message, w.message)
}

// appendPacked appends the text of a message as a discovery file holds it, its type in front.
func (w *writer) appendPacked(text []byte, message proto.Message) ([]byte, error) {
	return w.append(text, message, func(p *plan, m reflect.Value) error {
		return w.packed("type.googleapis.com/"+string(p.of.FullName()), p, m)
	})
}

func (w *writer) append(text []byte, message proto.Message, write func(*plan, reflect.Value) error) ([]byte, error) {
	w.text, w.names = text, w.names[:0]
	m, p := w.open(message)
	if err := write(p, m); err != nil {
		return nil, fmt.Errorf("writing %s as JSON: %w", p.of.FullName(), err)
	}
	return w.text, proto.CheckInitialized(message)
}

// writer appends the JSON of one message after the other.
type writer struct {
	text  []byte
	plans map[reflect.Type]*plan
	// names are those of the maps that are being written, those of the innermost last: a list for each would be much of the garbage.
	names []string
}

func newWriter() *writer { return &writer{plans: map[reflect.Type]*plan{}} }

// open gives a message as a pointer to its struct, and the plan for it.
func (w *writer) open(message proto.Message) (reflect.Value, *plan) {
	m := reflect.ValueOf(message)
	return m, w.planOf(m.Type(), message.ProtoReflect().Descriptor())
}

// message writes any message.
func (w *writer) message(p *plan, m reflect.Value) error {
	if p.whole != nil {
		return p.whole(w, m.Interface().(proto.Message))
	}
	w.text = append(w.text, '{')
	if err := w.fields(p, m); err != nil {
		return err
	}
	w.text = append(w.text, '}')
	return nil
}

// packed writes a message with its type, as in an Any. What has a form of its own goes below "value".
func (w *writer) packed(url string, p *plan, m reflect.Value) error {
	w.text = append(w.text, `{"@type":`...)
	if err := w.string(url); err != nil {
		return err
	}
	switch {
	case isWellKnown(p.of):
		w.key(`"value":`)
		if err := w.message(p, m); err != nil {
			return err
		}
	case p.whole != nil: // an object with braces of its own
		begin := len(w.text)
		if err := w.message(p, m); err != nil {
			return err
		}
		if w.text[begin+1] == '}' {
			w.text = w.text[:begin]
			break
		}
		w.text[begin] = ','
		w.text = w.text[:len(w.text)-1]
	default:
		if err := w.fields(p, m); err != nil {
			return err
		}
	}
	w.text = append(w.text, '}')
	return nil
}

// fields writes the fields that are set, in the order of the .proto file.
func (w *writer) fields(p *plan, m reflect.Value) error {
	if m.IsNil() { // an empty message, to protobuf
		return nil
	}
	m = m.Elem()
	for i := range p.slots {
		s := &p.slots[i]
		value := m.Field(s.index)
		f := &s.field
		if s.oneof != nil {
			if f, value = s.chosen(value); f == nil {
				continue
			}
		} else if !f.isSet(value) {
			continue
		}
		w.key(f.key)
		if err := f.write(w, f, value); err != nil {
			return err
		}
	}
	return nil
}

// key writes the name of a field in quotes and a colon.
func (w *writer) key(key string) {
	w.comma()
	w.text = append(w.text, key...)
}

// comma separates from the item before, if there is one.
func (w *writer) comma() {
	if last := w.text[len(w.text)-1]; last != '{' && last != '[' {
		w.text = append(w.text, ',')
	}
}

// singular writes one value.
func (w *writer) singular(f *field, value reflect.Value) error {
	if f.message() {
		if f.plan == nil {
			f.plan = w.planOf(value.Type(), f.Message())
		}
		return w.message(f.plan, value)
	}
	if value.Kind() == reflect.Pointer { // a scalar that may be absent
		value = value.Elem()
	}
	return w.scalar(f.FieldDescriptor, value)
}

func (w *writer) list(f *field, list reflect.Value) error {
	w.text = append(w.text, '[')
	for i := range list.Len() {
		w.grow()
		w.comma()
		if err := w.singular(f, list.Index(i)); err != nil {
			return err
		}
	}
	w.text = append(w.text, ']')
	return nil
}

// grow doubles the room for the text before it is full. A large slice grows by a quarter on its own, which copies a table of many
// rules five times.
func (w *writer) grow() {
	if spare := cap(w.text) - len(w.text); spare < 1<<10 {
		w.text = slices.Grow(w.text, max(len(w.text), 1<<12))
	}
}

func (w *writer) mapping(f *field, entries reflect.Value) error {
	keys := entries.MapKeys()
	slices.SortFunc(keys, compareKeys)
	w.text = append(w.text, '{')
	for _, key := range keys {
		w.comma()
		begin := len(w.text)
		if err := w.scalar(f.MapKey(), key); err != nil {
			return err
		}
		if w.text[begin] != '"' { // every key of JSON is a string
			w.text = append(slices.Insert(w.text, begin, '"'), '"')
		}
		w.text = append(w.text, ':')
		if err := w.singular(f.values, entries.MapIndex(key)); err != nil {
			return err
		}
	}
	w.text = append(w.text, '}')
	return nil
}

// compareKeys orders the keys of one map: numbers by value, false before true.
func compareKeys(a, b reflect.Value) int {
	switch {
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.Kind() == reflect.Bool && a.Bool() == b.Bool():
		return 0
	case a.Kind() == reflect.Bool && a.Bool():
		return 1
	case a.Kind() == reflect.Bool:
		return -1
	}
	return cmp.Compare(a.String(), b.String())
}

// scalar writes a value without fields. Integers of 64 bits are strings, since JavaScript's numbers cannot hold them.
func (w *writer) scalar(field protoreflect.FieldDescriptor, value reflect.Value) error {
	switch field.Kind() {
	case protoreflect.StringKind:
		return w.string(value.String())
	case protoreflect.BoolKind:
		w.text = strconv.AppendBool(w.text, value.Bool())
	case protoreflect.EnumKind:
		w.enum(field.Enum(), protoreflect.EnumNumber(value.Int()))
	case protoreflect.FloatKind:
		w.float(value.Float(), 32)
	case protoreflect.DoubleKind:
		w.float(value.Float(), 64)
	case protoreflect.BytesKind:
		w.quoted(base64.StdEncoding.EncodeToString(value.Bytes()))
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		w.quoted(strconv.FormatInt(value.Int(), 10))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		w.quoted(strconv.FormatUint(value.Uint(), 10))
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		w.text = strconv.AppendInt(w.text, value.Int(), 10)
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		w.text = strconv.AppendUint(w.text, value.Uint(), 10)
	}
	return nil
}

// enum writes the name of a number, or the number where nobody has named it.
func (w *writer) enum(of protoreflect.EnumDescriptor, number protoreflect.EnumNumber) {
	switch value := of.Values().ByNumber(number); {
	case of.FullName() == "google.protobuf.NullValue":
		w.text = append(w.text, "null"...)
	case value == nil:
		w.text = strconv.AppendInt(w.text, int64(number), 10)
	default:
		w.quoted(string(value.Name()))
	}
}
