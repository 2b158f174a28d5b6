package resourcelist

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// tree is a list that is parsed as a whole, since its items cannot be told apart in the text. Comments and order stay; styles are
// those of the YAML emitter.
type tree struct {
	root *yaml.Node
	// list is nil where there are no items.
	list *yaml.Node
}

// ParseWhole reads a list however it is written. Its size is bounded.
func ParseWhole(text []byte) (*List, error) {
	if len(text) > mostParsed {
		return nil, fmt.Errorf("%w: %d bytes, the limit is %d", ErrTooLarge, len(text), mostParsed)
	}
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	if !isList(scalar(get(root, "apiVersion")), scalar(get(root, "kind"))) {
		return nil, ErrNoList
	}
	t := &tree{root: root, list: get(root, "items")}
	if t.list != nil && t.list.Kind != yaml.SequenceNode {
		if t.list.Tag != yaml.NodeTagNull {
			return nil, errors.New("items: want a list")
		}
		t.list = nil
	}
	return &List{FunctionConfig: get(root, "functionConfig"), Results: resultsOf(get(root, "results")), form: t}, nil
}

func (t *tree) Len() int {
	if t.list == nil {
		return 0
	}
	return len(t.list.Content)
}

func (t *tree) Read(index int, whole func(apiVersion, kind string) bool) (Item, error) {
	item, err := asItem(index, resolve(t.list.Content[index]))
	if err == nil && !whole(item.APIVersion, item.Kind) {
		item.Node = nil
	}
	return item, err
}

// pieces is the whole tree, written anew.
func (t *tree) pieces(edit Edit) ([][]byte, error) {
	items, err := t.editedItems(edit)
	if err != nil {
		return nil, err
	}
	root := *t.root
	root.Content = set(slices.Clone(root.Content), "items", items)
	if edit.Results != nil {
		results := new(yaml.Node)
		if err := results.Encode(edit.Results); err != nil {
			return nil, fmt.Errorf("results: %w", err)
		}
		if len(edit.Results) == 0 {
			results = nil
		}
		root.Content = set(root.Content, "results", results)
	}
	var text bytes.Buffer
	if err := encode(&text, &root); err != nil {
		return nil, err
	}
	return [][]byte{text.Bytes()}, nil
}

func (t *tree) editedItems(edit Edit) (*yaml.Node, error) {
	items := &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq}
	if t.list != nil {
		*items = *t.list
	}
	kept := make([]*yaml.Node, 0, len(items.Content)+len(edit.Added))
	for i, node := range items.Content {
		object, replaced := edit.Replaced[i]
		switch {
		case !replaced:
			kept = append(kept, node)
		case object != nil:
			node, err := asNode(object)
			if err != nil {
				return nil, err
			}
			kept = append(kept, node)
		}
	}
	for _, object := range edit.Added {
		node, err := asNode(object)
		if err != nil {
			return nil, err
		}
		kept = append(kept, node)
	}
	items.Content = kept
	return items, nil
}

func asNode(object Object) (*yaml.Node, error) {
	text, err := object.Marshal()
	if err != nil {
		return nil, err
	}
	return parse(text)
}

// set gives a key of a mapping's content another value, and nil takes it out.
func set(content []*yaml.Node, key string, value *yaml.Node) []*yaml.Node {
	for i := 0; i+1 < len(content); i += 2 {
		if content[i].Value != key {
			continue
		}
		if value == nil {
			return slices.Delete(content, i, i+2)
		}
		content[i+1] = value
		return content
	}
	if value == nil {
		return content
	}
	return append(content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, value)
}
