package source

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"io/fs"
	"path"
	"slices"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/kustomize"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

// Forms of a part, as the report has them.
const (
	formManifests     = "manifests"
	formKustomization = "kustomization"
	formFlux          = "flux"
	formArgo          = "argocd"
	formHelm          = "helm"
	formCommand       = "command"
)

// collector is one Collect at work.
type collector struct {
	ctx     context.Context
	tree    mounted
	options Options
	Collected

	// found are the files below the path that was named, visited those that a kustomization was built of.
	found   map[string][]byte
	visited map[string]bool
	// made are the digests of the objects that were built.
	made map[string][sha256.Size]byte
	// cost of what was built until now.
	cost int
	// queue are objects that point to other parts, following is the one that is being followed; followed and met are those that were, by
	// identity and by meeting.
	queue         []object
	following     *object
	followed, met map[string]bool
	// shop has a copy of the tree, where a program has needed one; charts are the directories of those that were rendered, digested the
	// files and directories of which there is a digest in Unread.
	shop     *workshop
	charts   []string
	digested []string
	// digestedFiles and digestedBytes are what that has cost.
	digestedFiles int
	digestedBytes int64
	// configMaps as they would be applied; raw are objects as they are written.
	configMaps []object
	raw        map[groupKind][]object
}

func newCollector(ctx context.Context, tree fs.FS, options Options) *collector {
	return &collector{
		ctx: ctx, tree: mounted{tree, map[string]mount{}}, options: options, Collected: Collected{Kustomizations: map[string]bool{}},
		found: map[string][]byte{}, visited: map[string]bool{}, made: map[string][sha256.Size]byte{}, followed: map[string]bool{}, met: map[string]bool{},
	}
}

// directory reads what a path holds, whatever it is.
func (c *collector) directory(name string) error {
	sources, found, err := manifest.WalkFS(c.ctx, c.tree, cmp.Or(name, "."), c.options.Limits)
	if err != nil {
		return err
	}
	c.Diagnostics = append(c.Diagnostics, found...)
	if len(sources) == 1 && sources[0].Named {
		return c.file(sources[0])
	}
	for _, text := range sources {
		c.found[text.Name] = text.Data
	}
	s := c.scan(sources)
	own := s.roots(c.claims(s.pointers))
	for _, file := range own.manifests {
		c.plain(s.manifests[file])
	}
	if len(own.manifests) > 0 || len(s.kustomizations) == 0 {
		c.read(name, formManifests)
	}
	for _, k := range own.kustomizations {
		if err := c.kustomization(k.directory); err != nil {
			return err
		}
	}
	if err := c.followAll(); err != nil {
		return err
	}
	if err := c.followRest(s); err != nil {
		return err
	}
	c.stray(own.stray)
	return nil
}

// file reads a file that the caller named.
func (c *collector) file(text manifest.Source) error {
	if kustomize.IsFile(text.Name) {
		if err := c.kustomization(path.Dir(text.Name)); err != nil {
			return err
		}
		return c.followAll()
	}
	c.found[text.Name] = text.Data
	c.plain(text)
	c.read(text.Name, formManifests)
	return c.followAll()
}

// kustomization builds one that stands for itself.
func (c *collector) kustomization(directory string) error {
	return c.build(building{form: formKustomization, directory: directory, values: c.options.Sources.Variables})
}

// claims are the directories that the objects apply.
func (c *collector) claims(pointers []object) []string {
	var claimed []string
	for _, o := range pointers {
		claimed = append(claimed, followers()[o.groupKind()].claims(c, o)...)
	}
	slices.Sort(claimed)
	return slices.Compact(claimed)
}

// plain takes in a text of manifests that are applied as they are.
func (c *collector) plain(text manifest.Source) {
	text.Data, text.Lines = substitute(text.Data, linesOf(text, c.options.Sources.Variables), c.options.Sources.Variables)
	c.withoutExpressions(text.Name, text.Data, c.options.Sources.Variables)
	c.Texts = append(c.Texts, text)
	for _, o := range pointersIn(text) {
		c.register(o)
	}
}

// linesOf are the places of the lines of a text in which values are put for variables, which may make more lines of one.
func linesOf(text manifest.Source, values map[string]string) []diagnostic.Position {
	if len(values) == 0 || !bytes.Contains(text.Data, []byte("${")) {
		return nil
	}
	places := make([]diagnostic.Position, bytes.Count(text.Data, []byte("\n"))+1)
	for i := range places {
		places[i] = diagnostic.Position{File: text.Name, Line: i + 1, Column: 1}
	}
	return places
}

// stray tells of files that no kustomization names, if they seem to hold routes.
func (c *collector) stray(names []string) {
	for _, name := range names {
		if c.visited[name] || !manifest.MentionsRoutes(c.found[name]) {
			continue
		}
		c.unread(name, formManifests, "no kustomization names it")
		c.Diagnostics = append(c.Diagnostics, diagnostic.Diagnostic{
			Code: diagnostic.PartNotRead, Severity: diagnostic.Warning, Position: diagnostic.Position{File: name},
			Message: "the file is not read: the kustomization of its directory does not name it",
			Hint:    "add it to the resources of the kustomization, or name the file to have it read as it is",
		})
	}
}

// read notes a part that was read.
func (c *collector) read(name, form string) {
	c.Parts = append(c.Parts, report.Source{Path: cmp.Or(name, "."), Form: form})
}

// unread notes a part that was not, and why.
func (c *collector) unread(name, form, reason string) {
	c.Parts = append(c.Parts, report.Source{Path: cmp.Or(name, "."), Form: form, Unread: reason})
}

// rendered notes that what an object points to was read.
func (c *collector) rendered(by *object) {
	if by != nil {
		c.Rendered = append(c.Rendered, diagnostic.Object{Kind: by.groupKind().kind, Namespace: by.namespace(), Name: by.name()})
	}
}

// close removes the copy of the tree.
func (c *collector) close() {
	if c.shop != nil {
		_ = c.shop.remove() // a directory that stays is no reason to withhold an answer
	}
}

func (c *collector) sort() {
	slices.SortStableFunc(c.Parts, func(a, b report.Source) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Form, b.Form), cmp.Compare(a.Unread, b.Unread))
	})
	c.Parts = slices.Compact(c.Parts)
	slices.SortStableFunc(c.Unread, func(a, b Unread) int {
		return cmp.Or(cmp.Compare(a.Form, b.Form), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Object.String(), b.Object.String()), bytes.Compare(a.Digest[:], b.Digest[:]))
	})
}
