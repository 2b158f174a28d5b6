package source

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/kustomize"
	"github.com/routedelta/routedelta/plugin/yamlnode"
	"github.com/routedelta/routedelta/render/manifest"
)

// scan is what a directory holds, before anything of it is built.
type scan struct {
	// manifests by name, and their names in order; without the files of kustomizations.
	manifests map[string]manifest.Source
	names     []string
	// kustomizations by directory.
	kustomizations map[string]kustomization
	// pointers are objects that point to other parts of the tree (followers).
	pointers []object
}

// kustomization is the file of one, as far as it is known without building it.
type kustomization struct {
	directory string
	file      string
	component bool
	// references are the names in it that may be those of files or directories.
	references []string
}

// scan looks through what was found below a path.
func (c *collector) scan(sources []manifest.Source) *scan {
	s := &scan{manifests: map[string]manifest.Source{}, kustomizations: map[string]kustomization{}}
	for _, found := range sources {
		if kustomize.IsFile(found.Name) {
			continue
		}
		s.manifests[found.Name] = found
		s.names = append(s.names, found.Name)
		s.pointers = append(s.pointers, pointersIn(found)...)
	}
	directories := map[string]bool{}
	for _, found := range sources {
		directory := path.Dir(found.Name)
		if directories[directory] {
			continue
		}
		directories[directory] = true
		if name := kustomize.FileIn(c.tree, directory); name != "" {
			s.kustomizations[directory] = c.kustomizationFile(directory, name)
		}
	}
	return s
}

// pointersIn are the objects of a text that point to other parts of the tree. Few texts hold any, so few are parsed.
func pointersIn(text manifest.Source) []object {
	if !slices.ContainsFunc(pointing, func(group string) bool { return bytes.Contains(text.Data, []byte(group)) }) {
		return nil
	}
	var found []object
	roots, _ := yamlnode.Documents(text.Data) // whoever reads it as manifests says what is wrong
	for _, root := range roots {
		if manifest.CheckBounds(root, manifest.Limits{}) != nil {
			continue
		}
		for _, o := range objectsOf(root, text.Name) {
			if followers()[o.groupKind()] != nil {
				found = append(found, o)
			}
		}
	}
	return found
}

// kustomizationFile reads what a kustomization refers to. One that is broken refers to nothing: building it says why.
func (c *collector) kustomizationFile(directory, name string) kustomization {
	found := kustomization{directory: directory, file: name}
	data, err := c.readFile(name)
	if err != nil {
		return found
	}
	roots, err := yamlnode.Documents(data)
	if err != nil || len(roots) != 1 || manifest.CheckBounds(roots[0], manifest.Limits{}) != nil {
		return found
	}
	found.component = yamlnode.Text(roots[0], "kind") == "Component"
	found.references = referencesIn(roots[0], directory)
	return found
}

// referencesIn are all texts of a kustomization that may be names of files or directories, from the root of the tree. That a label
// or a literal looks like one does no harm: there is no such file.
func referencesIn(n *yaml.Node, directory string) []string {
	n = yamlnode.Resolve(n)
	if n.Kind == yaml.ScalarNode {
		name := n.Value
		if _, file, isPair := strings.Cut(name, "="); isPair { // a file of a ConfigMap
			name = file
		}
		if name == "" || strings.Contains(name, "\n") {
			return nil
		}
		return []string{path.Join(directory, name)}
	}
	var found []string
	for _, child := range n.Content {
		found = append(found, referencesIn(child, directory)...)
	}
	return found
}
