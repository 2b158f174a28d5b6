package table

import (
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/routedelta/routedelta/render/files"
)

// choosers are the fields by which a request, or what is written for it alone, names the cluster that it goes to. Where there is one,
// the names of clusters are not for the files alone to choose.
var choosers = namesOf(`cluster_header cluster_specifier_plugin inline_cluster_specifier_plugin`)

// requestsChoose tells whether a route of the set leaves the name of its cluster to the request.
func requestsChoose(set *files.Set) bool {
	found := false
	look := func(_ protoreflect.Message, field protoreflect.FieldDescriptor) bool {
		found = found || choosers[string(field.Name())]
		return false
	}
	for _, listener := range set.AllListeners() {
		visit(listener.ProtoReflect(), look)
	}
	for _, config := range set.Routes {
		visit(config.ProtoReflect(), look)
	}
	return found
}

// references are the fields that hold the name of a cluster, in the messages of all extensions. In other fields of these names
// (cluster of Node) a cluster's name is a coincidence.
var references = namesOf(`cluster cluster_name cluster_names clusters collector_cluster tcp_cluster_name upstream_cluster
	override_upstream_cluster`)

func refers(in protoreflect.Message, field protoreflect.FieldDescriptor) bool {
	if field.Kind() != protoreflect.StringKind || field.IsMap() {
		return false
	}
	return references[string(field.Name())] || field.Name() == "name" && in.Descriptor().Name() == "ClusterWeight"
}

// rename gives a copy of a message that names backends where the message names clusters, so that the texts of two sides are the same
// where they mean the same. Route configurations in it stay as they are: what they refer to is looked up.
func rename[M proto.Message](n Names, message M) M {
	if len(n.backends) == 0 {
		return message
	}
	message = proto.CloneOf(message)
	visit(message.ProtoReflect(), func(in protoreflect.Message, field protoreflect.FieldDescriptor) bool {
		if !refers(in, field) || strings.HasPrefix(string(in.Descriptor().FullName()), "envoy.config.route.v3.") {
			return false
		}
		if field.IsList() {
			list := in.Mutable(field).List()
			for i := range list.Len() {
				list.Set(i, protoreflect.ValueOfString(n.text(list.Get(i).String())))
			}
			return true
		}
		in.Set(field, protoreflect.ValueOfString(n.text(in.Get(field).String())))
		return true
	})
	return message
}

// visit shows every field that is set, in messages inside of Any too. Look returns whether it has changed the field; a changed message is
// put back into its Any. It returns whether anything was changed.
func visit(m protoreflect.Message, look func(in protoreflect.Message, field protoreflect.FieldDescriptor) bool) (changed bool) {
	if packed, ok := m.Interface().(*anypb.Any); ok {
		return visitPacked(packed, look)
	}
	for _, field := range setFields(m) {
		changed = look(m, field) || changed
		value := m.Get(field)
		switch {
		case field.IsMap() && field.MapValue().Kind() == protoreflect.MessageKind:
			value.Map().Range(func(_ protoreflect.MapKey, entry protoreflect.Value) bool {
				changed = visit(entry.Message(), look) || changed
				return true
			})
		case field.IsList() && field.Kind() == protoreflect.MessageKind:
			for i := range value.List().Len() {
				changed = visit(value.List().Get(i).Message(), look) || changed
			}
		case !field.IsMap() && !field.IsList() && field.Kind() == protoreflect.MessageKind:
			changed = visit(value.Message(), look) || changed
		}
	}
	return changed
}

func visitPacked(packed *anypb.Any, look func(in protoreflect.Message, field protoreflect.FieldDescriptor) bool) bool {
	inner, err := packed.UnmarshalNew()
	if err != nil || !visit(inner.ProtoReflect(), look) {
		return false // of a type that is not linked in nothing is known
	}
	return packed.MarshalFrom(inner) == nil
}
