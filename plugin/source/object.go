package source

import (
	"regexp"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/yamlnode"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// object is one of those that a cluster would be given.
type object struct {
	node *yaml.Node
	// at is where it begins.
	at diagnostic.Position
	// lines are where the lines of its node come from, if the object was made; nil is the file.
	lines []diagnostic.Position
	// by is the object that made it, nil for a file.
	by *object
}

// groupKind names a kind of objects, whatever its version.
type groupKind struct{ group, kind string }

func (o object) groupKind() groupKind {
	group, _, grouped := strings.Cut(yamlnode.Text(o.node, "apiVersion"), "/")
	if !grouped { // v1
		group = ""
	}
	return groupKind{group, yamlnode.Text(o.node, "kind")}
}

func (o object) name() string      { return yamlnode.Text(o.node, "metadata", "name") }
func (o object) namespace() string { return yamlnode.Text(o.node, "metadata", "namespace") }

// objectsOf are the objects of a document, also those of a list, in a file.
func objectsOf(root *yaml.Node, file string) []object {
	root = yamlnode.Resolve(root)
	if root == nil || root.Kind != yaml.MappingNode {
		return nil
	}
	if items := yamlnode.Get(root, "items"); items != nil && items.Kind == yaml.SequenceNode {
		var all []object
		for _, item := range items.Content {
			all = append(all, objectsOf(item, file)...)
		}
		return all
	}
	return []object{{node: root, at: diagnostic.Position{File: file, Line: root.Line, Column: root.Column}}}
}

// bare is a name that nobody takes for words.
var bare = regexp.MustCompile(`^[A-Za-z0-9._/:-]+$`)

// shown is a name as it stands among words of ours: quoted, unless it is bare. Who writes manifests could else speak through us.
func shown(name string) string {
	if bare.MatchString(name) {
		return name
	}
	return strconv.Quote(name)
}
