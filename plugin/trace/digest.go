package trace

import (
	"hash/maphash"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/yamlnode"
)

// digests are numbers that are equal for nodes with the same contents, whatever their style and place. They are other ones in each run.
type digests struct {
	seed  maphash.Seed
	known map[*yaml.Node]uint64
}

func newDigests() digests { return digests{maphash.MakeSeed(), map[*yaml.Node]uint64{}} }

// of is the digest of a node.
func (d digests) of(n *yaml.Node) uint64 {
	n = yamlnode.Resolve(n)
	if known, is := d.known[n]; is {
		return known
	}
	var sum maphash.Hash
	sum.SetSeed(d.seed)
	_, _ = sum.WriteString(strconv.Itoa(int(n.Kind)))
	if n.Kind == yaml.ScalarNode {
		_, _ = sum.WriteString(n.Value)
	}
	if n.Kind == yaml.MappingNode { // in any order
		total := uint64(0)
		for i := 0; i+1 < len(n.Content); i += 2 {
			var field maphash.Hash
			field.SetSeed(d.seed)
			_, _ = field.WriteString(n.Content[i].Value)
			_, _ = field.Write(strconv.AppendUint(nil, d.of(n.Content[i+1]), 16))
			total += field.Sum64()
		}
		_, _ = sum.Write(strconv.AppendUint(nil, total, 16))
	} else {
		for _, child := range n.Content {
			_, _ = sum.Write(strconv.AppendUint([]byte{','}, d.of(child), 16))
		}
	}
	d.known[n] = sum.Sum64()
	return d.known[n]
}

// equal tells whether nodes have the same contents.
func (d digests) equal(a, b *yaml.Node) bool { return d.of(a) == d.of(b) }
