package files

import (
	"fmt"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	"google.golang.org/protobuf/proto"
)

// Flatten is a set for a directory without subdirectories that is swapped as a whole, which is what a ConfigMap volume is: its
// references name FlatName of each path, and watch the directory. The swap renames a symbolic link there, which Envoy does
// not see otherwise. Its files are those of Encode under their FlatName.
func Flatten(set *Set) (*Set, error) {
	if set.Bootstrap == nil {
		return nil, fmt.Errorf("flattening %s: it has no bootstrap", set.Name)
	}
	flat := withPaths(set, func(path string) string { return SourcePath(FlatName(path)) })
	watch := func(_ string, m proto.Message) bool {
		source, ok := m.(*corev3.PathConfigSource)
		if ok {
			source.WatchedDirectory = &corev3.WatchedDirectory{Path: "./"}
		}
		return ok
	}
	walk(flat.Bootstrap, watch)
	for _, listener := range flat.Listeners {
		walk(listener, watch)
	}
	for _, cluster := range flat.Clusters {
		walk(cluster, watch)
	}
	return flat, nil
}
