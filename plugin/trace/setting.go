package trace

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/yamlnode"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// setting is a field of a kustomization that holds one value, wherever in it it stands.
type setting struct{ field, value string }

// settingsOf adds the settings of a kustomization. Of equal ones the first counts: it is that of the outer kustomization.
func (t *Tracer) settingsOf(in Document, n *yaml.Node) {
	n = yamlnode.Resolve(n)
	for i, child := range n.Content {
		if n.Kind != yaml.MappingNode {
			t.settingsOf(in, child)
			continue
		}
		if i%2 == 1 {
			continue
		}
		value := yamlnode.Resolve(n.Content[i+1])
		if value.Kind != yaml.ScalarNode {
			t.settingsOf(in, value)
			continue
		}
		one := setting{child.Value, value.Value}
		if one.field == "targetNamespace" { // of a Flux Kustomization
			one.field = "namespace"
		}
		if _, known := t.written[one]; !known {
			t.written[one] = in.at(child)
			t.settings = append(t.settings, one)
		}
	}
}

// wrote finds the line of a kustomization that has made one value of another: a setting of the name of the field (namespace, a label) with
// that value; or, for a name, the prefix or suffix that stands before or behind it.
func (t *Tracer) wrote(field, before, value string) (diagnostic.Position, bool) {
	if at, found := t.written[setting{field, value}]; found {
		return at, true
	}
	if field != "name" || before == "" || !strings.Contains(value, before) {
		return diagnostic.Position{}, false
	}
	for _, one := range t.settings {
		if one.value == "" {
			continue
		}
		if one.field == "namePrefix" && strings.HasPrefix(value, one.value) || one.field == "nameSuffix" && strings.HasSuffix(value, one.value) {
			return t.written[one], true
		}
	}
	return diagnostic.Position{}, false
}
