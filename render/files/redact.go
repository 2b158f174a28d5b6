package files

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// redacted stands for a secret, as in Envoy's /config_dump.
const redacted = "[redacted]"

// redact takes the secrets out of a message: every text and every bytes below a field that the Envoy API marks as sensitive
// (udpa.annotations.sensitive: private keys, passwords, ticket keys, generic secrets). Envoy's dumps come that way; what other
// tools print does not, and nothing of it may reach a report or a digest.
func redact(message proto.Message) {
	// Every message that has such a field links the annotation in.
	sensitive, err := protoregistry.GlobalTypes.FindExtensionByName("udpa.annotations.sensitive")
	if err != nil {
		return
	}
	walk(message, func(_ string, m proto.Message) bool {
		changed := false
		reflected := m.ProtoReflect()
		for _, field := range populated(reflected) {
			if secret, _ := proto.GetExtension(field.Options(), sensitive).(bool); secret {
				redactField(reflected, field, 0)
				changed = true
			}
		}
		return changed
	})
}

// redactField overwrites all texts in a field; numbers below a sensitive field go as a whole, as they do in Envoy.
func redactField(message protoreflect.Message, field protoreflect.FieldDescriptor, depth int) {
	switch {
	case depth > maxDepth || field.IsMap():
		message.Clear(field)
	case field.IsList():
		list := message.Mutable(field).List()
		for i := range list.Len() {
			if field.Message() != nil {
				redactMessage(list.Get(i).Message(), depth+1)
			} else if hidden, ok := hiddenValue(field); ok {
				list.Set(i, hidden)
			}
		}
	case field.Message() != nil:
		redactMessage(message.Mutable(field).Message(), depth+1)
	default:
		hidden, ok := hiddenValue(field)
		if !ok {
			message.Clear(field)
			return
		}
		message.Set(field, hidden)
	}
}

func redactMessage(message protoreflect.Message, depth int) {
	for _, field := range populated(message) {
		redactField(message, field, depth)
	}
}

// hiddenValue is what stands for a scalar; false for one that is no text.
func hiddenValue(field protoreflect.FieldDescriptor) (protoreflect.Value, bool) {
	switch field.Kind() {
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(redacted), true
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes([]byte(redacted)), true
	}
	return protoreflect.Value{}, false
}
