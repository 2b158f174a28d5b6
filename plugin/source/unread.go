package source

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"hash"
	"io/fs"
	"path"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/kustomize"
	"github.com/routedelta/routedelta/plugin/yamlnode"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
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

// Bounds of what is read for the digests of a tree. What is beyond them has no say in a digest.
const (
	maxDigestFiles = 50_000
	maxDigestBytes = 128 << 20
)

// withoutChart notes a chart that is not read, if it seems to make routes: its files, and the values that it would get.
func (c *collector) withoutChart(ch chart, reason string) {
	d := c.newDigest()
	u := Unread{Source: report.Source{Path: ch.directory, Form: formHelm, Unread: reason}, Position: diagnostic.Position{File: path.Join(ch.directory, "Chart.yaml"), Line: 1}}
	if ch.by != nil {
		says, _ := yaml.NewRNode(yamlnode.Get(ch.by.node, "spec")).String() // what cannot be written was refused before
		d.add(says)
		u.Object = diagnostic.Object{Kind: ch.by.groupKind().kind, Namespace: ch.by.namespace(), Name: ch.by.name()}
	}
	d.file(ch.directory)
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

// note adds what is not read, unless nothing in it is about routes.
func (c *collector) note(u Unread, d *digest) {
	if d.routes {
		d.hash.Sum(u.Digest[:0])
		c.Unread = append(c.Unread, u)
	}
}

// skippedCharts forgets what was said of charts before they were rendered, and notes those that nothing in the tree asks for: somebody may
// install them by hand.
func (c *collector) skippedCharts() {
	skipped := func(d diagnostic.Diagnostic) bool { return d.Code == diagnostic.TemplatesSkipped }
	c.Diagnostics = slices.DeleteFunc(c.Diagnostics, func(d diagnostic.Diagnostic) bool {
		return skipped(d) && slices.Contains(c.charts, d.Position.File)
	})
	for _, d := range c.Diagnostics {
		name := d.Position.File
		known := func(digested string) bool { return name == digested || isBelow(name, digested) }
		if skipped(d) && !slices.ContainsFunc(c.digested, known) {
			c.withoutChart(chart{directory: name}, d.Message)
		}
	}
}

// withoutLeftOut notes what a kustomization is built without: what it says of it, and the files of the tree that this names. Nobody knows
// what is on the network; files that were not committed hold no routes.
func (c *collector) withoutLeftOut(form string, all []kustomize.LeftOut) {
	done := map[string]bool{}
	for _, first := range all {
		file := first.Position.File
		if done[file] || c.isNoted(form, file) {
			continue
		}
		done[file] = true
		d := c.newDigest()
		for _, left := range all {
			if left.Position.File == file {
				d.leftOut(left)
			}
		}
		c.note(Unread{
			Source:   report.Source{Path: file, Form: form, Unread: fmt.Sprintf("%s: %s", shown(first.What), first.Why)},
			Position: diagnostic.Position{File: file, Line: first.Position.Line},
		}, d)
	}
}

// isNoted tells whether a kustomization is: several may be built of it.
func (c *collector) isNoted(form, file string) bool {
	return slices.ContainsFunc(c.Unread, func(u Unread) bool { return u.Form == form && u.Path == file })
}

// texts are the strings of a document, any of which may name a file; "charts" is where kustomize looks for charts if nothing else is said.
func texts(document string) []string {
	node, err := yaml.Parse(document)
	if err != nil {
		return nil
	}
	found := []string{"charts"}
	var visit func(*yaml.Node)
	visit = func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode && n.Value != "" {
			found = append(found, n.Value)
		}
		for _, child := range n.Content {
			visit(child)
		}
	}
	visit(node.YNode())
	return found
}

// digest of files of the tree, and of what is said of them.
type digest struct {
	c    *collector
	hash hash.Hash
	// routes: a text seems to be of routes, or of values that a chart makes routes of.
	routes bool
}

func (c *collector) newDigest() *digest { return &digest{c: c, hash: sha256.New()} }

// add takes in values.
func (d *digest) add(values ...any) { fmt.Fprintf(d.hash, "%#v\n", values) }

func (d *digest) text(text []byte) {
	d.add(len(text))
	d.hash.Write(text)
	d.routes = d.routes || manifest.MentionsRoutes(text) || bytes.Contains(text, []byte("parentRefs"))
}

// leftOut takes in what a kustomization was built without.
func (d *digest) leftOut(left kustomize.LeftOut) {
	switch left.Why {
	case kustomize.NotFetched:
		d.routes = true
		d.add(left.What)
	case kustomize.NoHelm:
		d.text([]byte(left.Text))
		file := left.Position.File
		for _, name := range texts(left.Text) {
			if name = path.Join(path.Dir(file), name); !isBelow(file, name) {
				d.file(name)
			}
		}
	}
}

// file takes in a file, or all below a directory; what is not in the tree has no content.
func (d *digest) file(name string) {
	if !fs.ValidPath(name) {
		return
	}
	c := d.c
	c.digested = append(c.digested, name)
	_ = fs.WalkDir(c.tree, name, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || c.ctx.Err() != nil || c.digestedFiles >= maxDigestFiles {
			return fs.SkipAll
		}
		c.digestedFiles++
		info, err := entry.Info()
		if err != nil || !info.Mode().IsRegular() || c.digestedBytes+info.Size() > maxDigestBytes {
			return nil
		}
		c.digestedBytes += info.Size()
		text, err := fs.ReadFile(c.tree, name)
		if err == nil {
			d.add(name)
			d.text(text)
		}
		return nil
	})
}
