package trace

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/yamlnode"
)

// mostCompared bounds how many manifests are held against an object.
const mostCompared = 50

// manifestOf finds the manifest that an object was made of, nil if there is none of its kind. Of those with its name, or else with a
// name that its own may be made of, it is the one that has most in common with it.
func (t *Tracer) manifestOf(object *yaml.Node) *source {
	name := yamlnode.Text(object, "metadata", "name")
	all := t.manifests[yamlnode.Text(object, "kind")]
	var exact, likely []int
	for i := range all {
		switch other := yamlnode.Text(all[i].node, "metadata", "name"); {
		case other == name:
			exact = append(exact, i)
		case other != "" && strings.Contains(name, other):
			likely = append(likely, i)
		}
	}
	if len(exact) == 0 {
		exact = likely
	}
	var best *source
	most := -1
	for _, i := range exact[:min(len(exact), mostCompared)] {
		if common := t.common(object, all[i].node); common > most {
			best, most = &all[i], common
		}
	}
	return best
}

// common counts the values that stand at the same place in two nodes.
func (t *Tracer) common(a, b *yaml.Node) int {
	a, b = yamlnode.Resolve(a), yamlnode.Resolve(b)
	switch {
	case a.Kind != b.Kind:
		return 0
	case a.Kind == yaml.ScalarNode:
		if a.Value == b.Value {
			return 1
		}
		return 0
	}
	count := 0
	if a.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(a.Content); i += 2 {
			if other := yamlnode.Get(b, a.Content[i].Value); other != nil {
				count += 1 + t.common(a.Content[i+1], other)
			}
		}
		return count
	}
	for i := range min(len(a.Content), len(b.Content)) {
		count += t.common(a.Content[i], b.Content[i])
	}
	return count
}
