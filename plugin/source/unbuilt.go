package source

import (
	"fmt"
	"path"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/kustomize"
	"github.com/routedelta/routedelta/plugin/yamlnode"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// withoutBuilding notes a kustomization that could not be built: its directory, what was read for it, and what it names. It tells whether
// these seem to hold routes.
func (c *collector) withoutBuilding(b building, file string, built *kustomize.Result, at diagnostic.Position, reason string) bool {
	d := c.newDigest()
	if b.by != nil {
		d.node(yamlnode.Get(b.by.node, "spec"))
		d.routes = false
	}
	d.file(b.directory)
	if text, err := c.readFile(file); err == nil {
		d.named(file, string(text))
	}
	if built != nil {
		for _, read := range built.Files {
			d.text(read.Data)
		}
	}
	u := Unread{Source: report.Source{Path: b.directory, Form: b.form, Unread: reason}, Position: at}
	if b.by != nil {
		u.Object = b.by.identified()
	}
	c.note(u, d)
	return d.routes
}

// named takes in the files and directories that a text in a file names.
func (d *digest) named(file, text string) {
	for _, name := range texts(text) {
		if name = path.Join(path.Dir(file), name); !isBelow(file, name) {
			d.file(name)
		}
	}
}

// withoutLeftOut notes what a kustomization is built without: what it says of it, the files of the tree that this names, and what is laid
// over it. Nobody knows what is on the network; files that were not committed hold no routes.
func (c *collector) withoutLeftOut(b building, built *kustomize.Result) {
	var by diagnostic.Object
	if b.by != nil {
		by = b.by.identified()
	}
	done := map[string]bool{}
	for _, first := range built.LeftOut {
		file := first.Position.File
		if done[file] || c.isNoted(b.form, file, by) {
			continue
		}
		done[file] = true
		d := c.newDigest()
		for _, left := range built.LeftOut {
			if left.Position.File == file {
				d.leftOut(left)
			}
		}
		c.laidOver(d, b, built)
		c.note(Unread{
			Source:   report.Source{Path: file, Form: b.form, Unread: fmt.Sprintf("%s: %s", shown(first.What), first.Why)},
			Object:   by,
			Position: diagnostic.Position{File: file, Line: first.Position.Line},
		}, d)
	}
}

// Missing is a reference to what is not in the tree.
type Missing struct {
	// What the kustomization calls it.
	What     string
	Position diagnostic.Position
}

// missing notes references of a kustomization to what is not there. Files of generators are often not committed, secrets above all.
func (c *collector) missing(all []kustomize.LeftOut) {
	for _, left := range all {
		if left.Why == kustomize.NotInTree && !left.Generator {
			c.Missing = append(c.Missing, Missing{left.What, left.Position})
		}
	}
}

// placeLeftOut leads what is left out of a kustomization that something was laid over to the file that people edit.
func (c *collector) placeLeftOut(replaced map[string][]byte, all []kustomize.LeftOut) {
	for i := range all {
		all[i].Position = c.placeIn(replaced, all[i].Position, all[i].What)
	}
}

// placeIn is where a text stands in the file that another text took the place of; its first line if it does not.
func (c *collector) placeIn(replaced map[string][]byte, at diagnostic.Position, text string) diagnostic.Position {
	if _, is := replaced[at.File]; !is {
		return at
	}
	at.Line, at.Column = 1, 0
	own, err := c.readFile(at.File)
	if err != nil {
		return at
	}
	roots, _ := yamlnode.Documents(own) // as far as it is YAML
	for _, root := range roots {
		if n := nodeOf(root, text); n != nil {
			at.Line, at.Column = n.Line, n.Column
		}
	}
	return at
}

// nodeOf is the first scalar of a text.
func nodeOf(n *yaml.Node, text string) *yaml.Node {
	if n.Kind == yaml.ScalarNode && n.Value == text {
		return n
	}
	for _, child := range n.Content {
		if found := nodeOf(child, text); found != nil {
			return found
		}
	}
	return nil
}

// isNoted tells whether a kustomization is: several may be built of it.
func (c *collector) isNoted(form, file string, by diagnostic.Object) bool {
	return slices.ContainsFunc(c.Unread, func(u Unread) bool { return u.Form == form && u.Path == file && u.Object == by })
}

// leftOut takes in what a kustomization was built without.
func (d *digest) leftOut(left kustomize.LeftOut) {
	switch left.Why {
	case kustomize.NotFetched:
		d.routes = true
		d.add(left.What)
	case kustomize.NoHelm:
		d.text([]byte(left.Text))
		d.named(left.Position.File, left.Text)
		d.file(path.Join(path.Dir(left.Position.File), "charts")) // where kustomize looks for charts if nothing else is said
	}
}

// over are the fields of a kustomization that change all that stands below it, patches those that may choose what they change.
var (
	over    = []string{"namespace", "targetNamespace", "namePrefix", "nameSuffix", "transformers"}
	patches = []string{"patches", "patchesStrategicMerge", "patchesJson6902", "replacements"}
)

// laidOver takes in what kustomizations lay over what is left out of them, or below them. Patches that say nothing of routes are for others.
func (c *collector) laidOver(d *digest, b building, built *kustomize.Result) {
	if b.says != nil {
		d.laid(b.by.at.File, b.says)
		d.node(yamlnode.Get(b.says, "postBuild"))
	}
	for _, file := range built.Files {
		if kustomize.IsFile(file.Name) {
			for _, root := range file.Documents {
				d.laid(file.Name, root)
			}
		}
	}
}

// laid takes in what one kustomization lays over others.
func (d *digest) laid(file string, root *yaml.Node) {
	for _, field := range over {
		d.node(yamlnode.Get(root, field))
	}
	for _, field := range patches {
		if list := yamlnode.Get(root, field); list != nil {
			d.patches(file, list)
		}
	}
}

// patches takes in a list of patches, as far as they are about routes.
func (d *digest) patches(file string, list *yaml.Node) {
	for _, patch := range list.Content {
		one := d.c.newDigest()
		one.node(patch)
		if text, err := yaml.NewRNode(patch).String(); err == nil {
			one.named(file, text)
		}
		if one.routes {
			d.routes = true
			d.add(one.hash.Sum(nil))
		}
	}
}
