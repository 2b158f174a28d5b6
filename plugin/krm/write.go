package krm

import (
	"bytes"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// writeList writes a ResourceList as kio does, item by item. The YAML emitter keeps an event of 300 bytes for every scalar until a
// document ends, and kio copies all items: together that took more memory than all the rest of a run.
func writeList(text *bytes.Buffer, list *kio.ByteReadWriter, items []*yaml.RNode) error {
	if len(items) == 0 || slices.ContainsFunc(items, func(item *yaml.RNode) bool { return hasAlias(item.YNode()) }) {
		// An alias may lead into another item: only the whole document holds both.
		list.Writer = text
		return list.Write(items)
	}
	if err := encode(text, scalars("apiVersion", list.WrappingAPIVersion, "kind", list.WrappingKind)); err != nil {
		return err
	}
	text.WriteString("items:\n")
	for _, item := range items {
		if err := yaml.ClearEmptyAnnotations(item); err != nil {
			return err
		}
		var one bytes.Buffer
		if err := encode(&one, item.YNode()); err != nil {
			return err
		}
		appendItem(text, one.Bytes())
	}
	return writeRest(text, list)
}

// writeRest writes what stands behind the items.
func writeRest(text *bytes.Buffer, list *kio.ByteReadWriter) error {
	rest := &yaml.Node{Kind: yaml.MappingNode}
	if list.FunctionConfig != nil {
		rest.Content = append(rest.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: "functionConfig"}, list.FunctionConfig.YNode())
	}
	if list.Results != nil {
		rest.Content = append(rest.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: "results"}, list.Results.YNode())
	}
	if len(rest.Content) == 0 {
		return nil
	}
	return encode(text, rest)
}

func encode(text *bytes.Buffer, node *yaml.Node) error {
	encoder := yaml.NewEncoder(text)
	if err := encoder.Encode(node); err != nil {
		return err
	}
	return encoder.Close()
}

// appendItem makes a document an item of a list. Comments above it stand above the item; empty lines stay empty, as in a literal
// block they are part of a text.
func appendItem(text *bytes.Buffer, document []byte) {
	mark := "- "
	for line := range bytes.Lines(document) {
		above := mark == "- " && line[0] == '#'
		if len(line) > 1 && !above {
			text.WriteString(mark)
			mark = "  "
		}
		text.Write(line)
	}
}

func scalars(values ...string) *yaml.Node {
	node := &yaml.Node{Kind: yaml.MappingNode}
	for _, value := range values {
		node.Content = append(node.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: value})
	}
	return node
}

func hasAlias(node *yaml.Node) bool {
	return node.Kind == yaml.AliasNode || slices.ContainsFunc(node.Content, hasAlias)
}
