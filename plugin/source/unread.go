package source

import (
	"crypto/sha256"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/yamlnode"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// Unread is a part that is in no text and may hold routes, with a digest of what it is made of: where two trees have it in common, and
// the digests differ, their routes may.
type Unread struct {
	report.Source
	// Object is what asks for the part, the zero value where a directory or a file does.
	Object   diagnostic.Object
	Position diagnostic.Position
	Digest   [sha256.Size]byte
}

// note adds what is not read, unless nothing in it is about routes.
func (c *collector) note(u Unread, d *digest) {
	if d.routes {
		d.hash.Sum(u.Digest[:0])
		c.Unread = append(c.Unread, u)
	}
}

// identified is the object as a report names it.
func (o object) identified() diagnostic.Object {
	return diagnostic.Object{Kind: o.groupKind().kind, Namespace: o.namespace(), Name: o.name()}
}

// withoutChart notes a chart that is not read, if it seems to make routes: its files, and the values that it would get.
func (c *collector) withoutChart(ch chart, reason string) {
	d := c.newDigest()
	u := Unread{Source: report.Source{Path: ch.directory, Form: formHelm, Unread: reason}, Position: diagnostic.Position{File: path.Join(ch.directory, "Chart.yaml"), Line: 1}}
	if ch.by != nil {
		d.node(yamlnode.Get(ch.by.node, "spec"))
		u.Object = ch.by.identified()
		c.releaseTexts(d, *ch.by)
	}
	for _, directory := range append([]string{ch.directory}, c.chartsBeside(ch.directory)...) {
		d.file(directory)
	}
	for _, name := range ch.files {
		d.file(name)
	}
	d.add("values", len(ch.values))
	for _, values := range ch.values {
		d.text(values)
	}
	d.add("release", ch.release, ch.namespace, ch.arguments)
	c.note(u, d)
}

// chartsBeside are the charts of the tree that a chart depends on by a path (file://../common).
func (c *collector) chartsBeside(directory string) []string {
	text, err := c.readFile(path.Join(directory, "Chart.yaml"))
	if err != nil {
		return nil
	}
	roots, err := yamlnode.Documents(text)
	if err != nil || len(roots) == 0 {
		return nil
	}
	var found []string
	if list := yamlnode.Get(roots[0], "dependencies"); list != nil {
		for _, dependency := range list.Content {
			if file, is := strings.CutPrefix(yamlnode.Text(dependency, "repository"), "file://"); is {
				found = append(found, path.Join(directory, file))
			}
		}
	}
	return found
}

// skippedCharts forgets what was said of charts before they were rendered, and notes those that nothing in the tree asks for: somebody may
// install them by hand. It notes the folders that are not read for their names, too.
func (c *collector) skippedCharts() {
	skipped := func(d diagnostic.Diagnostic) bool { return d.Code == diagnostic.TemplatesSkipped }
	c.Diagnostics = slices.DeleteFunc(c.Diagnostics, func(d diagnostic.Diagnostic) bool {
		return skipped(d) && slices.Contains(c.charts, d.Position.File)
	})
	for _, d := range c.Diagnostics {
		name := d.Position.File
		known := func(digested string) bool { return name == digested || isBelow(name, digested) }
		switch {
		case skipped(d) && !slices.ContainsFunc(c.digested, known):
			c.withoutChart(chart{directory: name}, d.Message)
		case d.Code == diagnostic.PartNotRead:
			c.withoutFolder(d)
		}
	}
}

// withoutFolder notes a folder that is not read since its name begins with a dot, if it is what a diagnostic is about.
func (c *collector) withoutFolder(d diagnostic.Diagnostic) {
	steps := strings.Split(d.Position.File, "/")
	dot := slices.IndexFunc(steps[:len(steps)-1], func(step string) bool { return strings.HasPrefix(step, ".") })
	if dot < 0 {
		return
	}
	folder := path.Join(steps[:dot+1]...)
	sum := c.newDigest()
	sum.file(folder)
	c.note(Unread{Source: report.Source{Path: folder, Form: formManifests, Unread: "its name begins with a dot"}, Position: d.Position}, sum)
}

// texts are the strings of a document, any of which may name a file.
func texts(document string) []string {
	roots, err := yamlnode.Documents([]byte(document))
	if err != nil {
		return nil
	}
	var found []string
	var visit func(*yaml.Node)
	visit = func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode && n.Value != "" {
			found = append(found, n.Value)
		}
		for _, child := range n.Content {
			visit(child)
		}
	}
	for _, root := range roots {
		visit(root)
	}
	return found
}
