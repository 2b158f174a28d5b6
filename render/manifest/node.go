package manifest

import (
	"iter"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// resolve follows aliases. checkBounds has seen to it that there is no loop.
func resolve(n *yaml.Node) *yaml.Node {
	for n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

// pair is a key of a mapping with its value.
type pair struct{ key, value *yaml.Node }

// pairs are those of a mapping in the order of the text, keys that are merged in (<<) behind the written ones, which win over them.
func pairs(n *yaml.Node) iter.Seq[pair] {
	return func(yield func(pair) bool) {
		merges := false
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if key.Tag == "!!merge" {
				merges = true
			} else if !yield(pair{key, n.Content[i+1]}) {
				return
			}
		}
		if merges {
			mergedIn(n, yield)
		}
	}
}

// mergedIn yields what the merge keys of a mapping bring beside its written keys.
func mergedIn(n *yaml.Node, yield func(pair) bool) {
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if key := n.Content[i]; key.Tag != "!!merge" {
			seen[key.Value] = true
		}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Tag != "!!merge" {
			continue
		}
		for _, p := range mergedPairs(n.Content[i+1]) {
			if seen[p.key.Value] {
				continue
			}
			seen[p.key.Value] = true
			if !yield(p) {
				return
			}
		}
	}
}

// mergedPairs lists what a merge key brings: a mapping, or several of which the first that has a key wins.
func mergedPairs(n *yaml.Node) []pair {
	switch n = resolve(n); n.Kind {
	case yaml.MappingNode:
		return slices.Collect(pairs(n))
	case yaml.SequenceNode:
		var list []pair
		for _, item := range n.Content {
			if item = resolve(item); item.Kind == yaml.MappingNode {
				list = slices.AppendSeq(list, pairs(item))
			}
		}
		return list
	}
	return nil
}

// get is the value of a key of a mapping, or nil.
func get(n *yaml.Node, key string) *yaml.Node {
	if n = resolve(n); n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for p := range pairs(n) {
		if p.key.Value == key {
			return resolve(p.value)
		}
	}
	return nil
}

// text is the value of a scalar as written, "" for anything else.
func text(n *yaml.Node) string {
	if n == nil || n.Kind != yaml.ScalarNode || isNull(n) {
		return ""
	}
	return n.Value
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// isBoolean tells whether a scalar is a boolean to Kubernetes, which reads YAML 1.1: yes, no, on, off, y and n are booleans
// unless they are quoted (sigs.k8s.io/yaml, on go.yaml.in/yaml/v2). The node parser knows true and false only.
func isBoolean(n *yaml.Node) (value, is bool) {
	if n.Tag == "!!bool" {
		switch strings.ToLower(n.Value) {
		case "true", "yes", "on", "y":
			return true, true
		}
		return false, true
	}
	if n.Tag != "!!str" || n.Style != 0 {
		return false, false
	}
	switch n.Value {
	case "y", "Y", "yes", "Yes", "YES", "on", "On", "ON":
		return true, true
	case "n", "N", "no", "No", "NO", "off", "Off", "OFF":
		return false, true
	}
	return false, false
}

// typeName names what a node holds, in the words of the API server.
func typeName(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "object"
	case yaml.SequenceNode:
		return "array"
	}
	if _, is := isBoolean(n); is {
		return "boolean"
	}
	switch n.Tag {
	case "!!int":
		return "integer"
	case "!!float":
		return "number"
	case "!!null":
		return "null"
	}
	return "string"
}
