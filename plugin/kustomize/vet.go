package kustomize

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// vet looks through a kustomization before kustomize follows anything in it, and gives the text that kustomize may read.
//
// The library has no switch against the network: its loader clones whatever looks like a repository and gets whatever looks like an
// address (api/internal/loader). It asks for such only where a kustomization, or a plugin configuration that it names, says so.
// Bases and resources on the network are left out and told; any other reference to it is refused, wherever it stands.
func (s *fileSystem) vet(file *File) ([]byte, error) {
	if len(file.Documents) != 1 {
		return file.Data, nil // kustomize will say what is wrong with it, and follows nothing
	}
	root := file.Documents[0]
	if root.Kind != yaml.MappingNode {
		return file.Data, nil
	}
	v := vetting{files: s, file: file}
	left := v.withoutRemote(root)
	if err := v.fields(left); err != nil {
		return nil, s.refuse(err)
	}
	if left == root {
		return file.Data, nil
	}
	return yaml.Marshal(left)
}

// vetting is the look through one file.
type vetting struct {
	files *fileSystem
	file  *File
}

// references are the fields that name other kustomizations and resources. Like all others they are known in any case, since kustomize
// decodes JSON (types.Kustomization.Unmarshal).
var references = []string{"resources", "bases", "components"}

// plugins are the fields that name configurations of plugins, or hold them.
var plugins = []string{"generators", "transformers", "validators"}

// helm are the fields that have kustomize run helm.
var helm = []string{"helmcharts", "helmchartinflationgenerator"}

// withoutRemote gives a kustomization without its bases and resources on the network: itself where there are none.
func (v vetting) withoutRemote(root *yaml.Node) *yaml.Node {
	left := *root
	left.Content = slices.Clone(root.Content)
	changed := false
	for i := 0; i+1 < len(root.Content); i += 2 {
		list := resolve(root.Content[i+1])
		if !slices.Contains(references, strings.ToLower(root.Content[i].Value)) || list.Kind != yaml.SequenceNode {
			continue
		}
		kept := *list
		kept.Content = slices.DeleteFunc(slices.Clone(list.Content), func(item *yaml.Node) bool {
			remote := isRemote(resolve(item).Value)
			if remote {
				v.files.leaveOut(Reference{resolve(item).Value, v.at(item)})
			}
			return remote
		})
		if len(kept.Content) < len(list.Content) {
			left.Content[i+1] = &kept
			changed = true
		}
	}
	if !changed {
		return root
	}
	return &left
}

// leaveOut notes a reference, once.
func (s *fileSystem) leaveOut(reference Reference) {
	if !slices.Contains(s.unfetched, reference) {
		s.unfetched = append(s.unfetched, reference)
	}
}

// fields looks through the fields of a kustomization.
func (v vetting) fields(root *yaml.Node) error {
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], resolve(root.Content[i+1])
		name := strings.ToLower(key.Value)
		switch {
		case key.Kind == yaml.AliasNode || key.Tag == "!!merge":
			return v.refuse(key, "a kustomization with aliases for its fields is not read")
		case slices.Contains(helm, name) && len(value.Content) > 0:
			return v.refuse(key, "kustomize would run helm for "+key.Value)
		case slices.Contains(plugins, name):
			for _, item := range value.Content {
				if err := v.plugin(resolve(item)); err != nil {
					return err
				}
			}
		}
		if err := v.values(name, value); err != nil {
			return err
		}
	}
	return nil
}

// harmless are fields below which nothing names a file: text that goes into objects, or that selects them.
var harmless = []string{
	"commonlabels", "commonannotations", "labels", "annotations", "images", "literals", "patch", "target", "targets", "source", "options", "metadata",
}

// values refuses every address below a field.
func (v vetting) values(field string, n *yaml.Node) error {
	if slices.Contains(harmless, field) {
		return nil
	}
	n = resolve(n)
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if err := v.values(strings.ToLower(n.Content[i].Value), n.Content[i+1]); err != nil {
				return err
			}
		}
	case yaml.SequenceNode:
		for _, item := range n.Content {
			if err := v.values("", item); err != nil {
				return err
			}
		}
	case yaml.ScalarNode:
		return v.scalar(n)
	}
	return nil
}

// scalar refuses an address, also as a file of a ConfigMap: key=address.
func (v vetting) scalar(n *yaml.Node) error {
	_, file, _ := strings.Cut(n.Value, "=")
	for _, reference := range []string{n.Value, file} {
		if isRemote(reference) {
			return v.refuse(n, fmt.Sprintf("%q would be fetched", diagnostic.Clip(reference)))
		}
	}
	return nil
}

// plugin vets the configuration of a plugin: a file, or the text itself. A directory would be built first, and could be made to say
// anything.
func (v vetting) plugin(item *yaml.Node) error {
	named := &File{Name: v.file.Name, Data: []byte(item.Value)}
	if !strings.Contains(item.Value, "\n") {
		found, err := v.files.file(inside(path.Join(path.Dir(v.file.Name), item.Value)))
		if err != nil {
			return v.refuse(item, fmt.Sprintf("the plugin configuration %q is no file of the tree", diagnostic.Clip(item.Value)))
		}
		named = found
	} else if err := named.parse(v.files.left.Manifests); err != nil {
		return err
	}
	for _, document := range named.Documents {
		if err := (vetting{v.files, named}).configuration(document); err != nil {
			return err
		}
	}
	return nil
}

// configuration refuses a plugin that runs a program, and every address that it could read from.
func (v vetting) configuration(n *yaml.Node) error {
	n = resolve(n)
	if n.Kind == yaml.ScalarNode {
		return v.scalar(n)
	}
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && child.Value == "config.kubernetes.io/function" {
			return v.refuse(child, "kustomize would run a function")
		}
		if err := v.configuration(child); err != nil {
			return err
		}
	}
	return nil
}

func (v vetting) refuse(n *yaml.Node, reason string) error {
	return &RefusedError{v.at(n), reason}
}

func (v vetting) at(n *yaml.Node) diagnostic.Position {
	return diagnostic.Position{File: v.file.Name, Line: n.Line, Column: n.Column}
}

// remote is more than what kustomize takes for an address (api/internal/git, NewRepoSpecFromURL; api/internal/loader, IsRemoteFile):
// what it does not take for one is no file that anybody has.
var remote = regexp.MustCompile(`(?i)^\s*(https?:|ssh:|file:|git:|github\.com[/:]|[a-z][a-z0-9-]*@|[a-z][a-z0-9+.-]*://)`)

func isRemote(reference string) bool { return remote.MatchString(reference) }

// resolve follows an alias.
func resolve(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}
