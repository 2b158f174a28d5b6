package table

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
)

// maxCanonical bounds the texts that are kept in full; a longer one is cut and gets the digest of the whole.
const maxCanonical = 300

// canonical is a text of a message that two messages share exactly when they mean the same: fields by number, maps by
// key, messages inside Any unfolded. (prototext and protojson vary their white space from build to build.)
func canonical(message proto.Message) string {
	var w canonicalText
	if !message.ProtoReflect().IsValid() {
		return "{}" // a nil pointer: the message is not there
	}
	w.message(message.ProtoReflect())
	return shorten(w.String())
}

// canonicalField is the text of one field of a message.
func canonicalField(field protoreflect.FieldDescriptor, value protoreflect.Value) string {
	var w canonicalText
	w.field(field, value)
	return shorten(w.String())
}

func shorten(text string) string {
	if len(text) <= maxCanonical {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	cut := strings.ToValidUTF8(text[:maxCanonical], "")
	return cut + "... (sha256 " + hex.EncodeToString(sum[:16]) + ")"
}

type canonicalText struct{ strings.Builder }

func (w *canonicalText) message(m protoreflect.Message) {
	switch special := m.Interface().(type) {
	case *durationpb.Duration:
		w.WriteString(durationText(special))
		return
	case *anypb.Any:
		w.any(special)
		return
	}
	if value, ok := wrapped(m); ok {
		w.field(value, m.Get(value))
		return
	}
	w.WriteByte('{')
	for i, field := range setFields(m) {
		if i > 0 {
			w.WriteString(", ")
		}
		w.WriteString(string(field.Name()) + ": ")
		w.field(field, m.Get(field))
	}
	if unknown := m.GetUnknown(); len(unknown) > 0 {
		w.WriteString(" unknown " + strconv.Quote(string(unknown)))
	}
	w.WriteByte('}')
}

// wrapped is the field of a google.protobuf wrapper (BoolValue, UInt32Value...), which prints as its value.
func wrapped(m protoreflect.Message) (protoreflect.FieldDescriptor, bool) {
	name := m.Descriptor().FullName()
	if name.Parent() != "google.protobuf" || !strings.HasSuffix(string(name.Name()), "Value") || m.Descriptor().Fields().Len() != 1 {
		return nil, false
	}
	return m.Descriptor().Fields().Get(0), true
}

// any unfolds a message of a type that is linked in; its bytes may stand in any order. Of another type there are the bytes.
func (w *canonicalText) any(a *anypb.Any) {
	name := typeName(a.TypeUrl)
	w.WriteString(name + " ")
	inner, err := a.UnmarshalNew()
	if err != nil {
		w.WriteString(strconv.Quote(string(a.Value)))
		return
	}
	w.message(inner.ProtoReflect())
}

// typeName is the name of a message in the URL of an Any.
func typeName(url string) string { return url[strings.LastIndexByte(url, '/')+1:] }

// setFields are the fields that have a value, by number.
func setFields(m protoreflect.Message) []protoreflect.FieldDescriptor {
	var list []protoreflect.FieldDescriptor
	m.Range(func(field protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
		list = append(list, field)
		return true
	})
	slices.SortFunc(list, compareNumbers)
	return list
}

func compareNumbers(a, b protoreflect.FieldDescriptor) int {
	return cmp.Compare(a.Number(), b.Number())
}

func (w *canonicalText) field(field protoreflect.FieldDescriptor, value protoreflect.Value) {
	switch {
	case field.IsMap():
		w.mapField(field, value.Map())
	case field.IsList():
		list := value.List()
		w.WriteByte('[')
		for i := range list.Len() {
			if i > 0 {
				w.WriteString(", ")
			}
			w.scalar(field, list.Get(i))
		}
		w.WriteByte(']')
	default:
		w.scalar(field, value)
	}
}

func (w *canonicalText) mapField(field protoreflect.FieldDescriptor, entries protoreflect.Map) {
	var keys []protoreflect.MapKey
	entries.Range(func(key protoreflect.MapKey, _ protoreflect.Value) bool {
		keys = append(keys, key)
		return true
	})
	slices.SortFunc(keys, func(a, b protoreflect.MapKey) int { return cmp.Compare(a.String(), b.String()) })
	w.WriteByte('{')
	for i, key := range keys {
		if i > 0 {
			w.WriteString(", ")
		}
		w.WriteString(strconv.Quote(key.String()) + ": ")
		w.scalar(field.MapValue(), entries.Get(key))
	}
	w.WriteByte('}')
}

func (w *canonicalText) scalar(field protoreflect.FieldDescriptor, value protoreflect.Value) {
	switch field.Kind() {
	case protoreflect.MessageKind, protoreflect.GroupKind:
		w.message(value.Message())
	case protoreflect.EnumKind:
		if known := field.Enum().Values().ByNumber(value.Enum()); known != nil {
			w.WriteString(string(known.Name()))
		} else {
			w.WriteString(strconv.Itoa(int(value.Enum())))
		}
	case protoreflect.StringKind:
		w.WriteString(strconv.Quote(value.String()))
	case protoreflect.BytesKind:
		w.WriteString(strconv.Quote(string(value.Bytes())))
	default:
		w.WriteString(value.String())
	}
}

// durationText is "1.5s", "250ms"; "none" for zero, which Envoy takes as no limit.
func durationText(d *durationpb.Duration) string {
	if d.GetSeconds() == 0 && d.GetNanos() == 0 {
		return "none"
	}
	if d.CheckValid() != nil || d.AsDuration().String() == "" {
		return strconv.FormatInt(d.GetSeconds(), 10) + "s " + strconv.Itoa(int(d.GetNanos())) + "ns"
	}
	return d.AsDuration().String()
}
