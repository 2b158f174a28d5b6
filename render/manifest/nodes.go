package manifest

import (
	"context"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// Node is an object that somebody else parses: an item of a KRM ResourceList.
type Node struct {
	// Node is nil for what is not to be read.
	*yaml.Node
	// File that the object came from, as a path annotation tells it.
	File string
}

// Reads tells whether objects of a kind are read, or may hold some that are. Of all others only apiVersion, kind and name count in a
// rendering.
func Reads(apiVersion, kind string) bool {
	group, _ := splitAPIVersion(apiVersion)
	_, read := kinds[groupKind{group, kind}]
	return read || isList(apiVersion, kind)
}

// ReadNodes reads objects as Read does, with default limits. node gives that at an index; it is called once for each, from a few
// workers at a time, and its tree is dropped as soon as its object is made. The lines of such nodes are lines of a stream, not of the
// file that they came from, so places have the file only; diagnostics have the path of the field besides.
func ReadNodes(ctx context.Context, count int, node func(int) Node) (*Objects, diagnostic.List) {
	return Reader{}.ReadNodes(ctx, count, node)
}

// ReadNodes reads objects that somebody else parses.
func (reader Reader) ReadNodes(ctx context.Context, count int, read func(int) Node) (*Objects, diagnostic.List) {
	r := reader.begin(ctx)
	var found diagnostic.List
	if count > r.limits.Documents {
		found = append(found, tooLarge("", "more items than the limit"))
		count = r.limits.Documents
	}
	results := r.each(count, func(i int) []item {
		n := read(i)
		if n.Node == nil {
			return nil
		}
		return r.node(node{Node: n.Node, document: document{source: &Source{Name: n.File}, unplaced: true}})
	})
	objects, more := gather(results)
	return objects, append(found, more...).Sort()
}
