package files

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/known/anypb"
)

// appendMessage appends the text of a message without white space: protojson's, with the names of the .proto files. protojson
// itself makes half of the garbage of a rendering, and puts blanks into its output that differ from build to build.
func (w *writer) appendMessage(text []byte, message proto.Message) ([]byte, error) {
	return w.append(text, message, w.message)
}

// appendPacked appends the text of a message as a discovery file holds it, its type in front.
func (w *writer) appendPacked(text []byte, message proto.Message) ([]byte, error) {
	return w.append(text, message, func(m protoreflect.Message) error {
		return w.packed("type.googleapis.com/"+string(m.Descriptor().FullName()), m)
	})
}

func (w *writer) append(text []byte, message proto.Message, write func(protoreflect.Message) error) ([]byte, error) {
	m := message.ProtoReflect()
	w.text, w.set, w.names = text, w.set[:0], w.names[:0]
	if err := write(m); err != nil {
		return nil, fmt.Errorf("writing %s as JSON: %w", m.Descriptor().FullName(), err)
	}
	return w.text, proto.CheckInitialized(message)
}

// writer appends the JSON of one message after the other.
type writer struct {
	text []byte
	// set are the fields of the messages that are being written, those of the innermost last, and names those of the Structs. They
	// are here since a list for each of a table's messages would be most of the garbage.
	set   []setField
	names []string
	// note appends to set.
	note func(protoreflect.FieldDescriptor, protoreflect.Value) bool
}

// setField is a field with its value.
type setField struct {
	protoreflect.FieldDescriptor
	value protoreflect.Value
}

func newWriter() *writer {
	w := &writer{}
	w.note = func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		w.set = append(w.set, setField{field, value})
		return true
	}
	return w
}

// message writes any message.
func (w *writer) message(m protoreflect.Message) error {
	if isWellKnown(m.Descriptor()) {
		return w.wellKnown(m.Interface())
	}
	if metadata, is := m.Interface().(*corev3.Metadata); is && len(metadata.GetTypedFilterMetadata()) == 0 {
		return w.metadata(metadata)
	}
	w.text = append(w.text, '{')
	if err := w.fields(m); err != nil {
		return err
	}
	w.text = append(w.text, '}')
	return nil
}

// packed writes a message with its type, as in an Any. What has a form of its own goes below "value".
func (w *writer) packed(url string, m protoreflect.Message) error {
	w.text = append(w.text, `{"@type":`...)
	if err := w.string(url); err != nil {
		return err
	}
	write := w.fields
	if isWellKnown(m.Descriptor()) {
		w.key("value")
		write = w.message
	}
	if err := write(m); err != nil {
		return err
	}
	w.text = append(w.text, '}')
	return nil
}

// any writes the message that an Any holds.
func (w *writer) any(a *anypb.Any) error {
	if a.GetTypeUrl() == "" {
		if len(a.GetValue()) > 0 {
			return fmt.Errorf("a packed message of %d bytes has no type", len(a.GetValue()))
		}
		w.text = append(w.text, "{}"...)
		return nil
	}
	kind, err := protoregistry.GlobalTypes.FindMessageByURL(a.GetTypeUrl())
	if err != nil {
		return fmt.Errorf("a packed message of type %q: %w", a.GetTypeUrl(), err)
	}
	m := kind.New()
	if err := (proto.UnmarshalOptions{AllowPartial: true}).Unmarshal(a.GetValue(), m.Interface()); err != nil {
		return fmt.Errorf("a packed message of type %q: %w", a.GetTypeUrl(), err)
	}
	return w.packed(a.GetTypeUrl(), m)
}

// fields writes the fields that are set, in the order of the .proto file, extensions behind them.
func (w *writer) fields(m protoreflect.Message) error {
	begin := len(w.set)
	m.Range(w.note)
	end := len(w.set)
	slices.SortFunc(w.set[begin:], compareFields)
	for i := begin; i < end; i++ {
		field := w.set[i]
		w.key(field.TextName())
		if err := w.value(field.FieldDescriptor, field.value); err != nil {
			return err
		}
	}
	w.set = w.set[:begin]
	return nil
}

func compareFields(a, b setField) int {
	switch {
	case a.IsExtension() && b.IsExtension():
		return cmp.Compare(a.FullName(), b.FullName())
	case a.IsExtension():
		return 1
	case b.IsExtension():
		return -1
	}
	return cmp.Compare(a.Index(), b.Index())
}

// key writes the name of a field, which needs no escapes.
func (w *writer) key(name string) {
	w.comma()
	w.text = append(w.text, '"')
	w.text = append(w.text, name...)
	w.text = append(w.text, `":`...)
}

// comma separates from the item before, if there is one.
func (w *writer) comma() {
	if last := w.text[len(w.text)-1]; last != '{' && last != '[' {
		w.text = append(w.text, ',')
	}
}

func (w *writer) value(field protoreflect.FieldDescriptor, value protoreflect.Value) error {
	switch {
	case field.IsMap():
		return w.mapping(field.MapValue(), value.Map())
	case field.IsList():
		return w.list(field, value.List())
	}
	return w.singular(field, value)
}

func (w *writer) list(field protoreflect.FieldDescriptor, list protoreflect.List) error {
	w.text = append(w.text, '[')
	for i := range list.Len() {
		w.comma()
		if err := w.singular(field, list.Get(i)); err != nil {
			return err
		}
	}
	w.text = append(w.text, ']')
	return nil
}

func (w *writer) mapping(field protoreflect.FieldDescriptor, entries protoreflect.Map) error {
	keys := make([]protoreflect.MapKey, 0, entries.Len())
	entries.Range(func(key protoreflect.MapKey, _ protoreflect.Value) bool {
		keys = append(keys, key)
		return true
	})
	slices.SortFunc(keys, compareKeys)
	w.text = append(w.text, '{')
	for _, key := range keys {
		w.comma()
		if err := w.string(key.String()); err != nil {
			return err
		}
		w.text = append(w.text, ':')
		if err := w.singular(field, entries.Get(key)); err != nil {
			return err
		}
	}
	w.text = append(w.text, '}')
	return nil
}

// compareKeys orders the keys of one map: numbers by value, all else by text ("false" is before "true").
func compareKeys(a, b protoreflect.MapKey) int {
	switch a.Interface().(type) {
	case int32, int64:
		return cmp.Compare(a.Int(), b.Int())
	case uint32, uint64:
		return cmp.Compare(a.Uint(), b.Uint())
	}
	return cmp.Compare(a.String(), b.String())
}

// singular writes one value. Integers of 64 bits are strings, since JavaScript's numbers cannot hold them.
func (w *writer) singular(field protoreflect.FieldDescriptor, value protoreflect.Value) error {
	switch field.Kind() {
	case protoreflect.MessageKind, protoreflect.GroupKind:
		return w.message(value.Message())
	case protoreflect.StringKind:
		return w.string(value.String())
	case protoreflect.BoolKind:
		w.text = strconv.AppendBool(w.text, value.Bool())
	case protoreflect.EnumKind:
		w.enum(field.Enum(), value.Enum())
	case protoreflect.FloatKind:
		w.float(value.Float(), 32)
	case protoreflect.DoubleKind:
		w.float(value.Float(), 64)
	case protoreflect.BytesKind:
		w.quoted(base64.StdEncoding.EncodeToString(value.Bytes()))
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind,
		protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		w.quoted(value.String())
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
