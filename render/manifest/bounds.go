package manifest

import (
	"errors"
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

var (
	errAliasBomb = errors.New("aliases unfold to too much")
	errTooDeep   = errors.New("too deep")
)

// extent is the size of a node with its aliases unfolded, saturating at a limit.
type extent struct{ nodes, height int }

// smallDocument is the size up to which a document may unfold whatever its own size: a handful of nodes used ten
// times is no attack.
const smallDocument = 1000

// checkBounds refuses a document that is nested too deep or whose aliases unfold to more than allowed. It gives the number of
// nodes that aliases add. All later steps may follow aliases freely.
func checkBounds(root *yaml.Node, limits Limits) (added int, err error) {
	m := measure{anchors: map[*yaml.Node]extent{}}
	unfolded, err := m.node(root)
	switch allowed := max(smallDocument, limits.AliasFactor*m.written); {
	case err != nil:
		return 0, err
	case unfolded.height > limits.Depth:
		return 0, fmt.Errorf("%w: %d levels, the limit is %d", errTooDeep, unfolded.height, limits.Depth)
	case unfolded.nodes-m.written > limits.AliasNodes || unfolded.nodes > allowed:
		return 0, fmt.Errorf("%w: more than %d nodes out of %d", errAliasBomb, min(allowed, limits.AliasNodes), m.written)
	}
	return unfolded.nodes - m.written, nil
}

// CheckBounds refuses a node that is nested too deep, or whose aliases unfold to too much, for whoever parses a text of the same people.
func CheckBounds(root *yaml.Node, limits Limits) error {
	_, err := checkBounds(root, limits.withDefaults())
	return err
}

// measure walks a tree once, without following aliases: the extent of an anchor is known before any alias to it, since YAML
// wants anchors defined first. Only an alias inside its own anchor finds it unfinished.
type measure struct {
	anchors map[*yaml.Node]extent
	written int
}

func (m *measure) node(n *yaml.Node) (extent, error) {
	if n.Kind == yaml.AliasNode {
		m.written++
		target, finished := m.anchors[n.Alias]
		if !finished {
			return extent{}, fmt.Errorf("%w: anchor %q contains itself", errAliasBomb, n.Value)
		}
		return target, nil
	}
	m.written++
	size := extent{nodes: 1}
	for _, child := range n.Content {
		inner, err := m.node(child)
		if err != nil {
			return extent{}, err
		}
		size.height = max(size.height, inner.height)
		// Saturate: sums of sums of aliases grow exponentially.
		size.nodes = min(size.nodes+inner.nodes, 1<<40)
	}
	size.height++
	if n.Anchor != "" {
		m.anchors[n] = size
	}
	return size, nil
}
