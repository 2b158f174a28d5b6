package trace

import (
	"bytes"
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/yamlnode"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// Document is a YAML document that people edit, with its lines in a file.
type Document struct {
	File string
	Root *yaml.Node
	// Kustomization: it says what becomes of others, as the file of a kustomization does, or the spec of a Flux Kustomization.
	Kustomization bool
	// Lines are where the lines of the document come from, if it was made itself; nil is the file.
	Lines []diagnostic.Position
}

// at is the place of a node of the document.
func (d Document) at(n *yaml.Node) diagnostic.Position {
	if n.Line > 0 && n.Line <= len(d.Lines) {
		return d.Lines[n.Line-1]
	}
	return diagnostic.Position{File: d.File, Line: n.Line, Column: n.Column}
}

// Tracer knows the documents of one build.
type Tracer struct {
	// manifests by kind, patches in the order in which they were read, and the kustomizations.
	manifests map[string][]source
	patches   []patch
	// home is the kustomization that was built, settings are the fields of all kustomizations that hold one value.
	home     diagnostic.Position
	settings []setting
	written  map[setting]diagnostic.Position
	digests  digests
}

// source is a node of a document.
type source struct {
	document Document
	node     *yaml.Node
	// shift is added to lines: those of a text inside of a text begin at 1.
	shift int
}

// at is the place of a node. How far a text inside of a text is indented is not kept, so its columns are unknown.
func (s source) at(n *yaml.Node) diagnostic.Position {
	if s.shift == 0 {
		return s.document.at(n)
	}
	at := s.document.at(&yaml.Node{Line: n.Line + s.shift})
	at.Column = 0
	return at
}

// New sorts the documents of a build, in the order in which they were read: the kustomization that was built is the first of them.
func New(documents []Document) *Tracer {
	t := &Tracer{manifests: map[string][]source{}, written: map[setting]diagnostic.Position{}, digests: newDigests()}
	patched := map[string]target{}
	for _, document := range documents {
		if document.Kustomization {
			t.kustomization(document, patched)
		}
	}
	for _, document := range documents {
		if document.Kustomization {
			continue
		}
		from := source{document: document, node: document.Root}
		if of, is := patched[document.File]; is {
			t.addPatch(from, of)
			continue
		}
		t.manifest(from)
	}
	return t
}

// manifest adds an object, or those of a list.
func (t *Tracer) manifest(from source) {
	if from.node.Kind != yaml.MappingNode {
		return
	}
	if items := yamlnode.Get(from.node, "items"); items != nil && items.Kind == yaml.SequenceNode {
		for _, item := range items.Content {
			t.manifest(source{document: from.document, node: item})
		}
		return
	}
	kind := yamlnode.Text(from.node, "kind")
	t.manifests[kind] = append(t.manifests[kind], from)
}

// Text is an object as a text of one document, and where each of its lines comes from.
func (t *Tracer) Text(object *yaml.Node) ([]byte, []diagnostic.Position, error) {
	var data bytes.Buffer
	encoder := yaml.NewEncoder(&data)
	if err := encoder.Encode(block(object)); err != nil {
		return nil, nil, fmt.Errorf("writing an object: %w", err)
	}
	if err := encoder.Close(); err != nil {
		return nil, nil, fmt.Errorf("writing an object: %w", err)
	}
	var written yaml.Node
	if err := yaml.Unmarshal(data.Bytes(), &written); err != nil {
		return nil, nil, fmt.Errorf("reading an object again: %w", err)
	}
	lines := make([]diagnostic.Position, bytes.Count(data.Bytes(), []byte("\n")))
	if len(written.Content) == 1 {
		t.place(written.Content[0], lines)
	}
	return data.Bytes(), lines, nil
}

// block copies an object so that each field has a line of its own.
func block(n *yaml.Node) *yaml.Node {
	written := &yaml.Node{Kind: n.Kind, Tag: n.Tag, Value: n.Value, Style: n.Style &^ yaml.FlowStyle}
	for _, child := range n.Content {
		written.Content = append(written.Content, block(yamlnode.Resolve(child)))
	}
	return written
}

// place fills in the lines of an object.
func (t *Tracer) place(object *yaml.Node, lines []diagnostic.Position) {
	p := placing{tracer: t, lines: lines}
	from := t.candidates(object)
	here := t.home
	if len(from) > 0 && from[0].manifest {
		here = from[0].position()
	}
	p.node(object, from, here, "")
	for i := range lines { // the lines of a text of several
		if lines[i].File == "" && i > 0 {
			lines[i] = lines[i-1]
		}
	}
}
