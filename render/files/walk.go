package files

import (
	"cmp"
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/anypb"
)

// maxDepth bounds packed messages inside packed messages; each level costs a decoding of its own.
const maxDepth = 32

// visitor is called for each message on a walk with the path of its fields. It tells whether it changed the message.
type visitor func(path string, message proto.Message) bool

// walk visits a message and every message in it, outer ones first, in the order of the field numbers and map keys. A packed
// message (Any) is visited as it is, then as what it holds, and packed anew if a visitor changed that; nothing more is visited of one
// whose type is unknown or whose bytes are broken.
func walk(message proto.Message, visit visitor) bool {
	return walkMessage(message.ProtoReflect(), "", 0, visit)
}

func walkMessage(message protoreflect.Message, path string, depth int, visit visitor) bool {
	changed := visit(path, message.Interface())
	if packed, ok := message.Interface().(*anypb.Any); ok {
		return walkPacked(packed, path, depth, visit) || changed
	}
	for _, field := range populated(message) {
		if field.Message() == nil || field.IsMap() && field.MapValue().Message() == nil {
			continue
		}
		if walkField(message.Get(field), field, join(path, field), depth, visit) {
			changed = true
		}
	}
	return changed
}

func walkPacked(packed *anypb.Any, path string, depth int, visit visitor) bool {
	inner, err := packed.UnmarshalNew()
	if err != nil || depth >= maxDepth || !walkMessage(inner.ProtoReflect(), path, depth+1, visit) {
		return false
	}
	// The error is for strings that are no UTF-8, which the decoder has refused.
	return anypb.MarshalFrom(packed, inner, proto.MarshalOptions{Deterministic: true}) == nil
}

func walkField(value protoreflect.Value, field protoreflect.FieldDescriptor, path string, depth int, visit visitor) bool {
	changed := false
	step := func(m protoreflect.Message, path string) {
		if walkMessage(m, path, depth, visit) {
			changed = true
		}
	}
	switch {
	case field.IsList():
		list := value.List()
		for i := range list.Len() {
			step(list.Get(i).Message(), fmt.Sprintf("%s[%d]", path, i))
		}
	case field.IsMap():
		for _, key := range sortedKeys(value.Map()) {
			step(value.Map().Get(key).Message(), fmt.Sprintf("%s[%q]", path, key.String()))
		}
	default:
		step(value.Message(), path)
	}
	return changed
}

// populated lists the fields that are set, by number: the order of Range is not stable.
func populated(message protoreflect.Message) []protoreflect.FieldDescriptor {
	var fields []protoreflect.FieldDescriptor
	message.Range(func(field protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
		fields = append(fields, field)
		return true
	})
	slices.SortFunc(fields, func(a, b protoreflect.FieldDescriptor) int { return cmp.Compare(a.Number(), b.Number()) })
	return fields
}

func sortedKeys(m protoreflect.Map) []protoreflect.MapKey {
	var keys []protoreflect.MapKey
	m.Range(func(key protoreflect.MapKey, _ protoreflect.Value) bool {
		keys = append(keys, key)
		return true
	})
	slices.SortFunc(keys, func(a, b protoreflect.MapKey) int { return cmp.Compare(a.String(), b.String()) })
	return keys
}

func join(path string, field protoreflect.FieldDescriptor) string {
	if path == "" {
		return string(field.Name())
	}
	return path + "." + string(field.Name())
}
