package trace

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/yamlnode"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// placing is the search for the lines of one object.
type placing struct {
	tracer *Tracer
	lines  []diagnostic.Position
}

// candidate is where a node of the object may come from: the same field of a manifest or of a patch.
type candidate struct {
	source
	// at is the node to point at: the key of a field, or the node itself.
	at *yaml.Node
	// manifest is the object itself; else it is a patch.
	manifest bool
}

func (c candidate) position() diagnostic.Position { return c.source.at(c.at) }

// candidates are the manifest of an object, if it is known, and then the patches that may be for the object.
func (t *Tracer) candidates(object *yaml.Node) []candidate {
	var from []candidate
	names := []string{yamlnode.Text(object, "metadata", "name")}
	if found := t.manifestOf(object); found != nil {
		from = append(from, candidate{*found, found.node, true})
		names = append(names, yamlnode.Text(found.node, "metadata", "name"))
	}
	for i := range t.patches {
		if of := t.patches[i]; of.meets(yamlnode.Text(object, "kind"), names...) {
			from = append(from, candidate{of.source, of.node, false})
		}
	}
	return from
}

// node places all that is below a node, which is here.
func (p *placing) node(n *yaml.Node, from []candidate, here diagnostic.Position, field string) {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, value := n.Content[i], n.Content[i+1]
			of := fieldsOf(from, key.Value)
			chosen, inner := p.choose(value, of, here, key.Value)
			p.note(key, chosen)
			p.node(value, inner, chosen, key.Value)
		}
	case yaml.SequenceNode:
		for i, item := range n.Content {
			of := p.itemsOf(from, i, item)
			chosen, inner := p.choose(item, of, here, field)
			p.note(item, chosen)
			p.node(item, inner, chosen, field)
		}
	}
}

// note says where the line of a node comes from. The first word holds: the first field of an item stands in the item's line.
func (p *placing) note(n *yaml.Node, at diagnostic.Position) {
	if line := n.Line - 1; line >= 0 && line < len(p.lines) && p.lines[line].File == "" {
		p.lines[line] = at
	}
}

// choose says where a node comes from: the manifest where it has the same contents, else the last patch that has, else the kustomization
// that has written it; else the manifest or the patch that holds at least the field.
//
// It also gives the candidates for what is below: one that has the same contents is the only one.
func (p *placing) choose(n *yaml.Node, from []candidate, above diagnostic.Position, field string) (diagnostic.Position, []candidate) {
	same := func(c candidate) bool { return p.tracer.digests.equal(c.node, n) }
	if i := slices.IndexFunc(from, same); i >= 0 && from[i].manifest {
		return from[i].position(), from[i : i+1]
	}
	for _, c := range slices.Backward(from) {
		if same(c) {
			return c.position(), []candidate{c}
		}
	}
	if n.Kind == yaml.ScalarNode {
		before := ""
		if len(from) > 0 {
			before = from[0].node.Value
		}
		if at, found := p.tracer.wrote(field, before, n.Value); found {
			return at, nil
		}
	}
	switch {
	case len(from) > 0 && from[0].manifest:
		return from[0].position(), from
	case len(from) > 0:
		return from[len(from)-1].position(), from
	}
	return above, nil
}

// fieldsOf follows candidates into a field.
func fieldsOf(from []candidate, name string) []candidate {
	var inner []candidate
	for _, c := range from {
		n := yamlnode.Resolve(c.node)
		if n.Kind != yaml.MappingNode {
			continue
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == name {
				c.node, c.at = yamlnode.Resolve(n.Content[i+1]), n.Content[i]
				inner = append(inner, c)
				break
			}
		}
	}
	return inner
}

// itemsOf follows candidates into an item of a list.
func (p *placing) itemsOf(from []candidate, index int, item *yaml.Node) []candidate {
	var inner []candidate
	for _, c := range from {
		if list := yamlnode.Resolve(c.node); list.Kind == yaml.SequenceNode {
			if found := p.counterpart(list.Content, index, item); found != nil {
				c.node, c.at = yamlnode.Resolve(found), found
				inner = append(inner, c)
			}
		}
	}
	return inner
}

// counterpart finds an item in another state of its list: an equal one, best at the same index; else one with the same name; else that
// at the same index.
func (p *placing) counterpart(list []*yaml.Node, index int, item *yaml.Node) *yaml.Node {
	if index < len(list) && p.tracer.digests.equal(list[index], item) {
		return list[index]
	}
	name := yamlnode.Text(item, "name")
	named := -1
	for i, other := range list {
		if p.tracer.digests.equal(other, item) {
			return other
		}
		if named < 0 && name != "" && yamlnode.Text(other, "name") == name {
			named = i
		}
	}
	switch {
	case named >= 0:
		return list[named]
	case index < len(list) && yamlnode.Resolve(list[index]).Kind == item.Kind && yamlnode.Resolve(list[index]).Tag != "!!null":
		return list[index]
	}
	return nil
}
