package trace

import (
	"path"
	"regexp"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/yamlnode"
)

// patch is what a patch writes: a tree of the fields of its objects.
type patch struct {
	source
	target
}

// target is what a patch is for, as expressions that hold for the whole of a kind and a name; "" is any.
type target struct{ kind, name string }

// kustomization adds a kustomization with the patches that stand in it, and notes in patched the files of the others.
func (t *Tracer) kustomization(document Document, patched map[string]target) {
	if t.home.File == "" {
		t.home = document.at(document.Root)
	}
	t.settingsOf(document, document.Root)
	for _, field := range []string{"patches", "patchesJson6902", "patchesStrategicMerge"} {
		list := yamlnode.Get(document.Root, field)
		if list == nil {
			continue
		}
		for _, item := range list.Content {
			t.patchOf(document, yamlnode.Resolve(item), patched)
		}
	}
}

// patchOf adds one patch of a kustomization.
func (t *Tracer) patchOf(in Document, item *yaml.Node, patched map[string]target) {
	of := target{kind: yamlnode.Text(item, "target", "kind"), name: yamlnode.Text(item, "target", "name")}
	written, named := yamlnode.Get(item, "patch"), yamlnode.Text(item, "path")
	if item.Kind == yaml.ScalarNode { // patchesStrategicMerge: a file or the text itself
		written, named = item, item.Value
	}
	if named != "" && !strings.Contains(named, "\n") {
		patched[path.Join(path.Dir(in.File), named)] = of
		return
	}
	if written == nil {
		return
	}
	roots, _ := yamlnode.Documents([]byte(written.Value)) // kustomize has read it
	shift := written.Line - 1                             // a text in one line
	if written.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		shift = written.Line
	}
	for _, root := range roots {
		t.addPatch(source{document: in, node: root, shift: shift}, of)
	}
}

// addPatch adds a patch: a part of an object, or a list of operations on it.
func (t *Tracer) addPatch(from source, of target) {
	if from.node.Kind == yaml.MappingNode {
		if of.kind == "" {
			of = target{regexp.QuoteMeta(yamlnode.Text(from.node, "kind")), regexp.QuoteMeta(yamlnode.Text(from.node, "metadata", "name"))}
		}
		t.patches = append(t.patches, patch{from, of})
		return
	}
	for _, operation := range from.node.Content {
		if tree := operated(yamlnode.Resolve(operation)); tree != nil {
			t.patches = append(t.patches, patch{source{from.document, tree, from.shift}, of})
		}
	}
}

// mostIndex bounds the index in a list that an operation may name.
const mostIndex = 1000

// operated is the tree of fields that an operation of a JSON patch (RFC 6902) writes, nil for one that writes nothing. Fields above
// the value stand where the value does, and items of a list before it are null.
func operated(operation *yaml.Node) *yaml.Node {
	value := yamlnode.Get(operation, "value")
	pointer := yamlnode.Text(operation, "path")
	if value == nil || !strings.HasPrefix(pointer, "/") {
		return nil
	}
	steps := strings.Split(pointer[1:], "/")
	at := *value
	tree := &at
	for i := len(steps) - 1; i >= 0; i-- {
		step := strings.ReplaceAll(strings.ReplaceAll(steps[i], "~1", "/"), "~0", "~")
		index, err := strconv.Atoi(step)
		switch {
		case step == "-":
			tree = &yaml.Node{Kind: yaml.SequenceNode, Line: value.Line, Content: []*yaml.Node{tree}}
		case err == nil && index >= 0 && index < mostIndex:
			list := &yaml.Node{Kind: yaml.SequenceNode, Line: value.Line}
			for range index {
				list.Content = append(list.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"})
			}
			list.Content = append(list.Content, tree)
			tree = list
		default:
			key := &yaml.Node{Kind: yaml.ScalarNode, Value: step, Line: value.Line, Column: value.Column}
			tree = &yaml.Node{Kind: yaml.MappingNode, Line: value.Line, Content: []*yaml.Node{key, tree}}
		}
	}
	return tree
}

// meets tells whether a patch may be for an object of a kind and any of these names.
func (p patch) meets(kind string, names ...string) bool {
	if !whole(p.kind, kind) {
		return false
	}
	for _, name := range names {
		if whole(p.name, name) {
			return true
		}
	}
	return false
}

// whole tells whether an expression holds for all of a text, as kustomize anchors those of its selectors.
func whole(expression, text string) bool {
	if expression == "" {
		return true
	}
	compiled, err := regexp.Compile("^(?:" + expression + ")$")
	return err == nil && compiled.MatchString(text)
}
