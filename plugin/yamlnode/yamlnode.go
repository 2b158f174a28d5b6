// Package yamlnode looks into parsed YAML. In comes a node, which may be nil; out comes what it holds, or nothing.
package yamlnode

import (
	"bytes"
	"errors"
	"io"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Resolve follows an alias.
func Resolve(n *yaml.Node) *yaml.Node {
	for n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

// Get is the value below keys, one after another; nil if there is none.
func Get(n *yaml.Node, keys ...string) *yaml.Node {
	n = Resolve(n)
	for _, key := range keys {
		n = value(n, key)
	}
	return n
}

func value(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return Resolve(n.Content[i+1])
		}
	}
	return nil
}

// Text is the scalar below keys; "" for all else.
func Text(n *yaml.Node, keys ...string) string {
	if n = Get(n, keys...); n == nil || n.Kind != yaml.ScalarNode {
		return ""
	}
	return n.Value
}

// Documents parses a text: the root of each document that is not empty. Of a text that is no YAML those before the error are given with it.
func Documents(data []byte) ([]*yaml.Node, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var roots []*yaml.Node
	for {
		var document yaml.Node
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			return roots, nil
		}
		if err != nil {
			return roots, err
		}
		if document.Kind == yaml.DocumentNode && len(document.Content) > 0 {
			roots = append(roots, document.Content[0])
		}
	}
}
