package files

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// plan is how messages of one type are written.
type plan struct {
	of protoreflect.MessageDescriptor
	// whole writes a message that has a form of its own; nil for one that is written field by field.
	whole func(*writer, proto.Message) error
	// slots are the fields of the struct, in the order of the .proto file.
	slots []slot
}

// slot is a field of a Go struct. It holds a field of the message, or one of several.
type slot struct {
	index int
	field field
	// oneof are the fields of which one is there at a time, by the type that holds it.
	oneof map[reflect.Type]*field
}

// field is a field of a message.
type field struct {
	protoreflect.FieldDescriptor
	// key is the name as it is written, with its colon.
	key   string
	write func(*writer, *field, reflect.Value) error
	// plan is that of the field's messages, once there was one. A message of Envoy may hold hundreds of types and holds few.
	plan *plan
	// values are those of a map.
	values *field
}

// planOf is the plan for a type, a pointer to a generated struct.
func (w *writer) planOf(of reflect.Type, described protoreflect.MessageDescriptor) *plan {
	known := w.plans[of]
	if known == nil {
		known = newPlan(of, described)
		w.plans[of] = known
	}
	return known
}

func newPlan(of reflect.Type, described protoreflect.MessageDescriptor) *plan {
	p := &plan{of: described, whole: writerOf(described)}
	if p.whole == nil && !p.readSlots(of) {
		p.whole = (*writer).rare
	}
	return p
}

// readSlots finds the fields in the struct by the tags that generated ones have. It is false where they are not all of the message:
// it may have extensions, or is not of this form.
func (p *plan) readSlots(of reflect.Type) bool {
	if p.of.ExtensionRanges().Len() > 0 || of.Kind() != reflect.Pointer || of.Elem().Kind() != reflect.Struct {
		return false
	}
	found := 0 // fields that the slots hold
	for i := range of.Elem().NumField() {
		member := of.Elem().Field(i)
		switch number := fieldNumber(member.Tag); {
		case !member.IsExported():
		case number > 0:
			p.slots = append(p.slots, slot{index: i, field: newField(p.of.Fields().ByNumber(number))})
			found++
		case member.Tag.Get("protobuf_oneof") != "":
			oneof := p.of.Oneofs().ByName(protoreflect.Name(member.Tag.Get("protobuf_oneof")))
			p.slots = append(p.slots, slot{index: i, field: newField(oneof.Fields().Get(0)), oneof: map[reflect.Type]*field{}})
			found += oneof.Fields().Len()
		}
	}
	slices.SortFunc(p.slots, func(a, b slot) int { return cmp.Compare(a.field.Index(), b.field.Index()) })
	return found == p.of.Fields().Len()
}

// fieldNumber reads the tag of a generated field: "bytes,1,opt,name=address,proto3". It is 0, which no field has, for another.
func fieldNumber(tag reflect.StructTag) protoreflect.FieldNumber {
	_, rest, _ := strings.Cut(tag.Get("protobuf"), ",")
	number, _, _ := strings.Cut(rest, ",")
	n, err := strconv.ParseInt(number, 10, 32)
	if err != nil {
		return 0
	}
	return protoreflect.FieldNumber(n)
}

func newField(described protoreflect.FieldDescriptor) field {
	f := field{FieldDescriptor: described, key: `"` + described.TextName() + `":`, write: (*writer).singular}
	switch {
	case described.IsMap():
		values := newField(described.MapValue())
		f.write, f.values = (*writer).mapping, &values
	case described.IsList():
		f.write = (*writer).list
	}
	return f
}

// message tells whether values of the field, or of a list, are messages.
func (f *field) message() bool {
	return f.Kind() == protoreflect.MessageKind || f.Kind() == protoreflect.GroupKind
}

// isSet tells whether the field is in the message: what may be absent is if it is nil, all else if it is zero or empty.
func (f *field) isSet(value reflect.Value) bool {
	switch value.Kind() {
	case reflect.Pointer:
		return !value.IsNil()
	case reflect.Slice, reflect.Map:
		return value.Len() > 0 || !value.IsNil() && f.HasPresence()
	case reflect.Float32, reflect.Float64:
		return value.Float() != 0 || math.Signbit(value.Float()) // -0 is not the default
	}
	return !value.IsZero()
}

// chosen is the field that a slot for several holds, with its value; nil where it holds none.
func (s *slot) chosen(holder reflect.Value) (*field, reflect.Value) {
	if holder.IsNil() || holder.Elem().IsNil() {
		return nil, reflect.Value{}
	}
	holder = holder.Elem()
	known := s.oneof[holder.Type()]
	if known == nil {
		number := fieldNumber(holder.Type().Elem().Field(0).Tag)
		made := newField(s.field.ContainingMessage().Fields().ByNumber(number))
		known = &made
		s.oneof[holder.Type()] = known
	}
	return known, holder.Elem().Field(0)
}
