package files

import (
	"fmt"
	"slices"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// RestartFor lists what differs between two bootstraps, as paths of fields: what an Envoy that runs from one does not have of the
// other until it is started anew. Lists of named things (listeners) are told by name. The metadata of the node is not listed: it is
// for readers of dumps and logs, and an annotation of the Gateway is in it.
func RestartFor(running, wanted *bootstrapv3.Bootstrap) []string {
	return differences("", withoutNodeMetadata(running).ProtoReflect(), withoutNodeMetadata(wanted).ProtoReflect())
}

func withoutNodeMetadata(b *bootstrapv3.Bootstrap) *bootstrapv3.Bootstrap {
	if b.GetNode().GetMetadata() == nil {
		return b
	}
	b = proto.CloneOf(b)
	b.Node.Metadata = nil
	return b
}

// differences goes into static resources, whose lists name what differs; elsewhere the field says enough.
func differences(path string, a, b protoreflect.Message) []string {
	var differ []string
	fields := a.Descriptor().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		name := join(path, field)
		switch {
		case a.Get(field).Equal(b.Get(field)) && a.Has(field) == b.Has(field):
		case name == "static_resources":
			differ = append(differ, differences(name, a.Get(field).Message(), b.Get(field).Message())...)
		case path == "static_resources" && field.IsList() && field.Message() != nil:
			differ = append(differ, namedDifferences(name, a.Get(field).List(), b.Get(field).List())...)
		default:
			differ = append(differ, name)
		}
	}
	return differ
}

// namedDifferences lists the elements that only one list has, or that differ. Where neither is so their order does.
func namedDifferences(path string, a, b protoreflect.List) []string {
	have, want := byName(a), byName(b)
	var differ []string
	for name, message := range have {
		if other, ok := want[name]; !ok || !proto.Equal(message, other) {
			differ = append(differ, fmt.Sprintf("%s: %s", path, name))
		}
	}
	for name := range want {
		if _, ok := have[name]; !ok {
			differ = append(differ, fmt.Sprintf("%s: %s", path, name))
		}
	}
	if len(differ) == 0 {
		return []string{path}
	}
	slices.Sort(differ)
	return differ
}

func byName(list protoreflect.List) map[string]proto.Message {
	named := map[string]proto.Message{}
	for i := range list.Len() {
		message := list.Get(i).Message().Interface()
		named[nameOf(message)] = message
	}
	return named
}
