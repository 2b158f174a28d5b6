package files

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// isWellKnown tells whether JSON writes a type in another way than by its fields:
// https://protobuf.dev/programming-guides/json (where Empty is no such type).
func isWellKnown(of protoreflect.MessageDescriptor) bool {
	name, found := strings.CutPrefix(string(of.FullName()), "google.protobuf.")
	if !found {
		return false
	}
	switch name {
	case "Any", "Struct", "ListValue", "Value", "Timestamp", "Duration", "FieldMask", "BoolValue", "StringValue",
		"BytesValue", "FloatValue", "DoubleValue", "Int32Value", "Int64Value", "UInt32Value", "UInt64Value":
		return true
	}
	return false
}

// writerOf is what writes the messages of a type as a whole, or nil. What stands in every table has a writer of its own.
func writerOf(of protoreflect.MessageDescriptor) func(*writer, proto.Message) error {
	switch {
	case isWellKnown(of):
		return (*writer).wellKnown
	case of.FullName() == "envoy.config.core.v3.Metadata":
		return (*writer).metadata
	}
	return nil
}

func (w *writer) wellKnown(message proto.Message) error {
	switch m := message.(type) {
	case *anypb.Any:
		return w.any(m)
	case *structpb.Struct:
		return w.structure(m)
	case *structpb.ListValue:
		return w.values(m)
	case *structpb.Value:
		return w.structured(m)
	case *durationpb.Duration:
		return w.duration(m)
	case *wrapperspb.BoolValue:
		w.text = strconv.AppendBool(w.text, m.GetValue())
		return nil
	case *wrapperspb.UInt32Value:
		w.text = strconv.AppendUint(w.text, uint64(m.GetValue()), 10)
		return nil
	}
	return w.rare(message)
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
	message := kind.New().Interface()
	if err := (proto.UnmarshalOptions{AllowPartial: true}).Unmarshal(a.GetValue(), message); err != nil {
		return fmt.Errorf("a packed message of type %q: %w", a.GetTypeUrl(), err)
	}
	m, p := w.open(message)
	return w.packed(a.GetTypeUrl(), p, m)
}

// rare leaves a message to protojson, which checks the bounds of times and paths.
func (w *writer) rare(message proto.Message) error {
	text, err := protojson.MarshalOptions{UseProtoNames: true, AllowPartial: true}.Marshal(message)
	if err != nil {
		return err
	}
	out := bytes.NewBuffer(w.text)
	if err := json.Compact(out, text); err != nil {
		return err
	}
	w.text = out.Bytes()
	return nil
}

// metadata writes what says of every rule and cluster where it comes from, and nothing else.
func (w *writer) metadata(message proto.Message) error {
	m, is := message.(*corev3.Metadata)
	if !is || len(m.GetTypedFilterMetadata()) > 0 {
		return w.rare(message)
	}
	w.text = append(w.text, '{')
	if len(m.GetFilterMetadata()) > 0 {
		w.key(`"filter_metadata":`)
		if err := writeMap(w, m.GetFilterMetadata(), w.structure); err != nil {
			return err
		}
	}
	w.text = append(w.text, '}')
	return nil
}

func (w *writer) structure(s *structpb.Struct) error {
	return writeMap(w, s.GetFields(), w.structured)
}

// writeMap writes a map in the order of its names.
func writeMap[V any](w *writer, entries map[string]V, write func(V) error) error {
	begin := len(w.names)
	for name := range entries {
		w.names = append(w.names, name)
	}
	end := len(w.names)
	slices.Sort(w.names[begin:])
	w.text = append(w.text, '{')
	for i := begin; i < end; i++ {
		name := w.names[i]
		w.comma()
		if err := w.string(name); err != nil {
			return err
		}
		w.text = append(w.text, ':')
		if err := write(entries[name]); err != nil {
			return err
		}
	}
	w.text = append(w.text, '}')
	w.names = w.names[:begin]
	return nil
}

func (w *writer) values(list *structpb.ListValue) error {
	w.text = append(w.text, '[')
	for _, value := range list.GetValues() {
		w.comma()
		if err := w.structured(value); err != nil {
			return err
		}
	}
	w.text = append(w.text, ']')
	return nil
}

var (
	errNoValue  = errors.New("a google.protobuf.Value holds nothing")
	errNoNumber = errors.New("a google.protobuf.Value holds a number that JSON does not have")
)

func (w *writer) structured(value *structpb.Value) error {
	switch v := value.GetKind().(type) {
	case *structpb.Value_NullValue:
		w.text = append(w.text, "null"...)
	case *structpb.Value_BoolValue:
		w.text = strconv.AppendBool(w.text, v.BoolValue)
	case *structpb.Value_NumberValue:
		if math.IsNaN(v.NumberValue) || math.IsInf(v.NumberValue, 0) {
			return errNoNumber
		}
		w.float(v.NumberValue, 64)
	case *structpb.Value_StringValue:
		return w.string(v.StringValue)
	case *structpb.Value_StructValue:
		return w.structure(v.StructValue)
	case *structpb.Value_ListValue:
		return w.values(v.ListValue)
	default:
		return errNoValue
	}
	return nil
}

// duration writes seconds, with as many triples of digits behind the point as it takes.
func (w *writer) duration(d *durationpb.Duration) error {
	if err := d.CheckValid(); err != nil {
		return err
	}
	seconds, nanos := d.GetSeconds(), d.GetNanos()
	w.text = append(w.text, '"')
	if seconds < 0 || nanos < 0 {
		w.text = append(w.text, '-')
		seconds, nanos = -seconds, -nanos
	}
	w.text = strconv.AppendInt(w.text, seconds, 10)
	if nanos != 0 {
		digits := strings.TrimSuffix(strings.TrimSuffix(fmt.Sprintf("%09d", nanos), "000"), "000")
		w.text = append(append(w.text, '.'), digits...)
	}
	w.text = append(w.text, 's', '"')
	return nil
}
