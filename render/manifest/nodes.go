package manifest

import (
	"context"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// Node is an object that somebody else has parsed: an item of a KRM ResourceList.
type Node struct {
	*yaml.Node
	// File that the object came from, as a path annotation tells it.
	File string
}

// ReadNodes reads objects as Read does. The lines of such nodes are lines of the stream, not of the file that they came
// from, so places have the file only; diagnostics have the path of the field besides.
func ReadNodes(ctx context.Context, nodes []Node, limits Limits) (*Objects, diagnostic.List) {
	return Reader{Limits: limits}.ReadNodes(ctx, nodes)
}

// ReadNodes reads objects that somebody else has parsed.
func (reader Reader) ReadNodes(ctx context.Context, nodes []Node) (*Objects, diagnostic.List) {
	r := reader.begin(ctx)
	var results [][]item
	var found diagnostic.List
	for i, n := range nodes {
		if ctx.Err() != nil {
			break
		}
		if i == r.limits.Documents {
			found = append(found, tooLarge(n.File, "more items than the limit"))
			break
		}
		results = append(results, r.node(node{Node: n.Node, document: document{source: &Source{Name: n.File}, unplaced: true}}))
	}
	objects, more := gather(results)
	return objects, append(found, more...).Sort()
}
