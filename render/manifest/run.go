package manifest

import (
	"bytes"
	"errors"
	"io"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// longestRun is the text that one parser reads. The nodes of all of it are there at a time.
const longestRun = 16 << 10

// runs joins documents that stand behind each other, so that one parser reads them: to make one takes as long as a small document
// does.
func runs(documents []document) [][]document {
	var list [][]document
	size := 0
	for i := range documents {
		d := &documents[i]
		if i > 0 && d.joins(&documents[i-1]) && size+len(d.text) <= longestRun {
			last := &list[len(list)-1]
			*last = (*last)[:len(*last)+1]
			size += len(d.text)
			continue
		}
		list = append(list, documents[i:i+1])
		size = len(d.text)
	}
	return list
}

// joins tells whether a document can be read behind another one.
func (d *document) joins(before *document) bool {
	return d.source == before.source && before.begin+len(before.text) == d.begin && before.plain() && d.plain()
}

// plain tells whether a document is a whole one as it stands in its source, and says nothing to the one behind it: a parser that goes on
// knows anchors and takes directives.
func (d *document) plain() bool {
	return d.list == nil && isMarker(d.text, "---") && bytes.IndexByte(d.text, '&') < 0 && !bytes.Contains(d.text, []byte("\n%"))
}

// run reads the items of a run. If anything is wrong with it each of its documents is read by itself.
func (r *reading) run(documents []document) []item {
	var items []item
	roots := parseRun(documents)
	for i, d := range documents {
		if roots == nil {
			items = append(items, r.document(d)...)
			continue
		}
		d.before = documents[0].before // where the parser began to count
		items = append(items, r.node(node{Node: roots[i], document: d})...)
	}
	return items
}

// parseRun gives the nodes of the documents of a run, or nil if they are not all where they are to be.
func parseRun(documents []document) (roots []*yaml.Node) {
	if len(documents) < 2 {
		return nil
	}
	defer func() {
		if recover() != nil { // parse says so, of the document that it is about
			roots = nil
		}
	}()
	first, last := documents[0], documents[len(documents)-1]
	decoder := yaml.NewDecoder(bytes.NewReader(first.text[:last.begin+len(last.text)-first.begin]))
	for i, d := range documents {
		var n yaml.Node
		if decoder.Decode(&n) != nil || len(n.Content) == 0 {
			return nil
		}
		line := n.Content[0].Line + first.before // of the source, from 1
		if line <= d.before || i+1 < len(documents) && line > documents[i+1].before {
			return nil
		}
		roots = append(roots, n.Content[0])
	}
	if !errors.Is(decoder.Decode(new(yaml.Node)), io.EOF) {
		return nil
	}
	return roots
}
