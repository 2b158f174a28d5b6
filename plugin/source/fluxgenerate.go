package source

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/plugin/kustomize"
	"github.com/routedelta/routedelta/plugin/yamlnode"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

// resourcesBelow are what Flux names in the kustomization that it makes for a directory without one: every directory below that has a
// kustomization, and outside of these every YAML file (fluxcd/pkg/kustomize, Generator.generateKustomization). Flux refuses the whole
// directory for one file that holds no objects; here such a file is left out, and told.
func (c *collector) resourcesBelow(directory string) ([]string, error) {
	var resources []string
	err := fs.WalkDir(c.tree, directory, func(name string, entry fs.DirEntry, err error) error {
		relative := strings.TrimPrefix(strings.TrimPrefix(name, directory), "/")
		switch {
		case err != nil:
			return err
		case c.ctx.Err() != nil:
			return c.ctx.Err()
		case name == directory:
		case entry.IsDir() && kustomize.FileIn(c.tree, name) != "":
			resources = append(resources, relative)
			return fs.SkipDir
		case entry.IsDir() || !slices.Contains([]string{".yaml", ".yml"}, path.Ext(name)):
		case c.holdsObjectsOnly(name):
			resources = append(resources, relative)
		default:
			c.noObjects(name, directory)
		}
		return nil
	})
	return resources, err
}

// noObjects says that a file is left out. If it seems to hold routes, what is left of the directory is no answer.
func (c *collector) noObjects(name, directory string) {
	d := diagnostic.Diagnostic{
		Code: diagnostic.PartNotRead, Severity: diagnostic.Info, Position: diagnostic.Position{File: name},
		Message: fmt.Sprintf("the file holds something that is no object of Kubernetes: it is left out of what Flux applies from %q", directory),
		Hint:    "Flux refuses the whole directory for it; a kustomization that names the others helps",
	}
	if data, err := c.readFile(name); err == nil && manifest.MentionsRoutes(data) {
		d.Severity = diagnostic.Error
	}
	c.Diagnostics = append(c.Diagnostics, d)
}

// holdsObjectsOnly tells whether each document of a file is an object.
func (c *collector) holdsObjectsOnly(name string) bool {
	data, err := c.readFile(name)
	if err != nil {
		return false
	}
	roots, err := yamlnode.Documents(data)
	if err != nil {
		return false
	}
	for _, root := range roots {
		isList := yamlnode.Get(root, "items") != nil
		if yamlnode.Text(root, "apiVersion") == "" || yamlnode.Text(root, "kind") == "" || yamlnode.Text(root, "metadata", "name") == "" && !isList {
			return false
		}
	}
	return true
}
