package source

import (
	"bytes"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/kustomize"
	"github.com/routedelta/routedelta/plugin/yamlnode"
	"github.com/routedelta/routedelta/render/manifest"
)

// argoDirectory says which files of a directory an Application applies.
type argoDirectory struct {
	Recurse bool   `yaml:"recurse"`
	Include string `yaml:"include"`
	Exclude string `yaml:"exclude"`
}

// skipMark has Argo CD leave a file out, wherever it stands in it.
const skipMark = "+argocd:skip-file-rendering"

// withoutArgoFiles notes what Argo CD reads beside manifests, and nobody here does: programs in Jsonnet, and parameters that the repository
// gives an Application (.argocd-source.yaml).
func (c *collector) withoutArgoFiles(o object, directory string) {
	d := c.newDigest()
	_ = fs.WalkDir(c.tree, directory, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || c.ctx.Err() != nil {
			return fs.SkipAll
		}
		if base := path.Base(name); !entry.IsDir() && (strings.HasSuffix(base, "sonnet") || strings.HasPrefix(base, ".argocd-source")) {
			d.file(name)
			d.routes = true
		}
		return nil
	})
	c.note(Unread{
		Source: report.Source{Path: directory, Form: formArgo, Unread: "Jsonnet and .argocd-source files are not read"},
		Object: o.identified(), Position: o.at,
	}, d)
}

// argoFiles reads the files of a directory as they are (Argo CD, "Directory").
func (c *collector) argoFiles(o object, which argoDirectory, directory, namespace string) error {
	texts, found, err := manifest.WalkFS(c.ctx, c.tree, directory, c.options.Limits)
	if err != nil {
		return err
	}
	c.Diagnostics = append(c.Diagnostics, found...)
	b := building{form: formArgo, directory: directory, by: &o, each: inNamespace(namespace), values: c.options.Sources.Variables}
	for _, text := range texts {
		name := strings.TrimPrefix(strings.TrimPrefix(text.Name, directory), "/")
		if !which.takes(name) {
			continue
		}
		c.visited[text.Name] = true
		if bytes.Contains(text.Data, []byte(skipMark)) {
			continue
		}
		if err := c.argoFile(b, text); err != nil {
			return err
		}
	}
	c.read(directory, formArgo)
	return nil
}

// argoFile takes the objects of a file in. What is no YAML is left to who says what is wrong with it.
func (c *collector) argoFile(b building, text manifest.Source) error {
	documents, err := yamlnode.Documents(text.Data)
	if err != nil {
		c.Texts = append(c.Texts, text)
		return nil
	}
	built := &kustomize.Result{Files: []*kustomize.File{{Name: text.Name, Data: text.Data, Documents: documents}}}
	for _, root := range documents {
		if manifest.CheckBounds(root, c.options.Limits) != nil {
			c.Texts = append(c.Texts, text)
			return nil
		}
	}
	// Those that are changed are others than those that they are traced to.
	own, err := yamlnode.Documents(text.Data)
	if err != nil {
		return err
	}
	for _, root := range own {
		for _, o := range objectsOf(root, text.Name) {
			built.Objects = append(built.Objects, o.node)
		}
	}
	return c.emit(b, text.Name, built)
}

// takes tells whether a file is one of those that are applied.
func (d argoDirectory) takes(name string) bool {
	if !d.Recurse && strings.Contains(name, "/") {
		return false
	}
	return (d.Include == "" || matchesGlob(d.Include, name)) && (d.Exclude == "" || !matchesGlob(d.Exclude, name))
}

// matchesGlob is the pattern of Argo CD, "{a,b}" among them; one that is broken matches nothing.
func matchesGlob(pattern, name string) bool {
	return slices.ContainsFunc(alternatives(pattern), func(one string) bool {
		ok, err := path.Match(one, name)
		return ok && err == nil
	})
}

// alternatives are the patterns that one with braces stands for.
func alternatives(pattern string) []string {
	before, rest, open := strings.Cut(pattern, "{")
	inside, after, closed := strings.Cut(rest, "}")
	if !open || !closed {
		return []string{pattern}
	}
	var all []string
	for _, one := range strings.Split(inside, ",") {
		if len(all) >= 100 {
			break // each pair of braces multiplies them
		}
		for _, end := range alternatives(after) {
			all = append(all, before+strings.TrimSpace(one)+end)
		}
	}
	return all
}
