package files

import (
	"fmt"
	"strings"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/anypb"
)

// Flatten returns a copy of a set whose files lie in one directory that Envoy watches as a whole, for volumes without folders
// that swap all files at once (a Kubernetes ConfigMap: without watched_directory Envoy does not see the swap). The files are those
// of Encode under FlatName.
func Flatten(set *Set) (*Set, error) {
	flat := *set
	flat.Bootstrap = proto.CloneOf(set.Bootstrap)
	if err := flattenPaths(flat.Bootstrap.ProtoReflect()); err != nil {
		return nil, err
	}
	flat.Clusters = nil
	for _, cluster := range set.Clusters {
		cluster = proto.CloneOf(cluster)
		if err := flattenPaths(cluster.ProtoReflect()); err != nil {
			return nil, err
		}
		flat.Clusters = append(flat.Clusters, cluster)
	}
	return &flat, nil
}

// flattenPaths rewrites every PathConfigSource below a message, inside Any too.
func flattenPaths(message protoreflect.Message) error {
	switch m := message.Interface().(type) {
	case *corev3.PathConfigSource:
		// Envoy resolves a relative path only with a directory part.
		m.Path = "./" + FlatName(m.GetPath())
		m.WatchedDirectory = &corev3.WatchedDirectory{Path: "./"}
		return nil
	case *anypb.Any:
		return flattenAny(m)
	}
	var failed error
	message.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		switch {
		case field.IsMap():
			if field.MapValue().Message() != nil {
				value.Map().Range(func(_ protoreflect.MapKey, item protoreflect.Value) bool {
					failed = flattenPaths(item.Message())
					return failed == nil
				})
			}
		case field.Message() == nil:
		case field.IsList():
			for i := range value.List().Len() {
				if failed = flattenPaths(value.List().Get(i).Message()); failed != nil {
					break
				}
			}
		default:
			failed = flattenPaths(value.Message())
		}
		return failed == nil
	})
	return failed
}

func flattenAny(any *anypb.Any) error {
	inside, err := any.UnmarshalNew()
	if err != nil {
		return fmt.Errorf("reading %s: %w", any.GetTypeUrl(), err)
	}
	if err := flattenPaths(inside.ProtoReflect()); err != nil {
		return err
	}
	value, err := proto.MarshalOptions{Deterministic: true}.Marshal(inside)
	if err != nil {
		return fmt.Errorf("writing %s: %w", any.GetTypeUrl(), err)
	}
	any.Value = value
	return nil
}

// FlatName is the name of a file of a set in a volume without folders: "rds/http-80.json" is "rds.http-80.json".
func FlatName(path string) string {
	return strings.ReplaceAll(strings.TrimPrefix(path, "./"), "/", ".")
}
