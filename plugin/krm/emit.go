package krm

import (
	"bytes"
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Marshal writes a ConfigMap as one YAML document. Strings that YAML 1.1 would read as something else ("y", "on") come out quoted,
// files as literal blocks.
func (c ConfigMap) Marshal() ([]byte, error) {
	node, err := c.node()
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	if err := encoder.Encode(node); err != nil {
		return nil, fmt.Errorf("writing ConfigMap %s/%s: %w", c.Namespace, c.Name, err)
	}
	return text.Bytes(), encoder.Close()
}

// node is the ConfigMap as a YAML tree with the keys in the order in which people read them.
func (c ConfigMap) node() (*yaml.Node, error) {
	metadata, err := mapping(
		pair{"name", c.Name},
		pair{"namespace", c.Namespace},
		pair{"labels", c.Labels},
		pair{"annotations", c.Annotations},
	)
	if err != nil {
		return nil, err
	}
	data := &yaml.Node{Kind: yaml.MappingNode}
	for _, key := range c.Keys() {
		data.Content = append(data.Content,
			&yaml.Node{Kind: yaml.ScalarNode, Value: key},
			&yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: c.Data[key], Style: yaml.LiteralStyle})
	}
	return mapping(pair{"apiVersion", "v1"}, pair{"kind", "ConfigMap"}, pair{"metadata", metadata}, pair{"data", data})
}

type pair struct {
	key   string
	value any
}

func mapping(pairs ...pair) (*yaml.Node, error) {
	node := &yaml.Node{Kind: yaml.MappingNode}
	for _, p := range pairs {
		value, isNode := p.value.(*yaml.Node)
		if !isNode {
			value = new(yaml.Node)
			if err := value.Encode(p.value); err != nil {
				return nil, fmt.Errorf("writing %s: %w", p.key, err)
			}
		}
		node.Content = append(node.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: p.key}, value)
	}
	return node, nil
}
