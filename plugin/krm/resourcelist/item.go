package resourcelist

import "sigs.k8s.io/kustomize/kyaml/yaml"

// newItem reads the head of an item from its node, or from one that has nothing but the head.
func newItem(node *yaml.Node) Item {
	metadata := get(node, "metadata")
	return Item{
		APIVersion:  scalar(get(node, "apiVersion")),
		Kind:        scalar(get(node, "kind")),
		Namespace:   scalar(get(metadata, "namespace")),
		Name:        scalar(get(metadata, "name")),
		Labels:      texts(get(metadata, "labels")),
		Annotations: texts(get(metadata, "annotations")),
	}
}

// get is the value of a key, or nil.
func get(node *yaml.Node, key string) *yaml.Node {
	if node = resolve(node); node == nil || node.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == key {
			return resolve(node.Content[i+1])
		}
	}
	return nil
}

// resolve follows an alias. An anchor is never on an alias, so one step is all.
func resolve(node *yaml.Node) *yaml.Node {
	if node != nil && node.Kind == yaml.AliasNode {
		return node.Alias
	}
	return node
}

func scalar(node *yaml.Node) string {
	if node == nil || node.Kind != yaml.ScalarNode || node.Tag == yaml.NodeTagNull {
		return ""
	}
	return node.Value
}

// texts are the entries of a mapping whose values are scalars.
func texts(node *yaml.Node) map[string]string {
	if node == nil || node.Kind != yaml.MappingNode {
		return nil
	}
	entries := make(map[string]string, len(node.Content)/2)
	for i := 0; i+1 < len(node.Content); i += 2 {
		entries[node.Content[i].Value] = scalar(resolve(node.Content[i+1]))
	}
	return entries
}

// resultsOf are the entries of a list's results in YAML.
func resultsOf(node *yaml.Node) []Result {
	if node == nil || node.Kind != yaml.SequenceNode {
		return nil
	}
	var list []Result
	for _, entry := range node.Content {
		list = append(list, Result{Tags: texts(get(entry, "tags")), value: entry})
	}
	return list
}
