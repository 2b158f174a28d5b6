package kustomize

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/yamlnode"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// vet looks through a kustomization before kustomize follows anything in it, and gives the text that kustomize may read.
//
// The library has no switch against the network: its loader clones whatever looks like a repository and gets whatever looks like an
// address (api/internal/loader). It asks for such only where a kustomization, or a plugin configuration that it names, says so.
// What can be left out is (leftout.go); any other reference to the network is refused, wherever it stands.
func (s *fileSystem) vet(file *File) ([]byte, error) {
	v := &vetting{files: s, file: file, failed: map[string]string{}}
	switch {
	case strings.TrimSpace(string(file.Data)) == "":
		return file.Data, nil // kustomize says that it is empty
	case len(file.Documents) != 1 || file.Documents[0].Kind != yaml.MappingNode:
		return nil, s.refuse(v.refuse(&yaml.Node{Line: 1}, "a kustomization is one YAML document, and this is none, or several"))
	}
	text := file.Data
	if left := v.without(file.Documents[0]); v.changed {
		var err error
		if text, err = yaml.Marshal(left); err != nil {
			return nil, s.refuse(err)
		}
	}
	// What kustomize makes of the text is looked through, not the text: there is more than one way to write a string in YAML.
	var read types.Kustomization
	if err := read.Unmarshal(text); err != nil {
		return text, nil // kustomize says the same, and follows nothing
	}
	err := v.kustomization(read)
	if err == nil {
		err = s.spent.refer(path.Dir(file.Name), read)
	}
	if err != nil {
		return nil, s.refuse(err)
	}
	return text, nil
}

// vetting is the look through one file.
type vetting struct {
	files *fileSystem
	file  *File
	// changed: something was left out.
	changed bool
	// failed is why references were not fetched.
	failed map[string]string
}

// kustomization looks through what kustomize has read.
func (v *vetting) kustomization(read types.Kustomization) error {
	for _, plugin := range slices.Concat(read.Generators, read.Transformers, read.Validators) {
		if err := v.plugin(plugin); err != nil {
			return err
		}
	}
	text, err := json.Marshal(read)
	if err != nil {
		return err
	}
	var fields any
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	return v.values("", fields)
}

// harmless are fields below which nothing names a file: text that goes into objects, or that selects them.
var harmless = []string{
	"commonLabels", "commonAnnotations", "labels", "images", "literals", "patch", "target", "targets", "source", "options", "generatorOptions", "metadata",
}

// values refuses every address below a field.
func (v *vetting) values(field string, value any) error {
	if slices.Contains(harmless, field) {
		return nil
	}
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			if err := v.values(name, inner); err != nil {
				return err
			}
		}
	case []any:
		for _, item := range value {
			if err := v.values("", item); err != nil {
				return err
			}
		}
	case string:
		return v.text(value)
	}
	return nil
}

// text refuses an address, also as the file of a ConfigMap: key=address.
func (v *vetting) text(text string) error {
	_, file, _ := strings.Cut(text, "=")
	if !isRemote(text) && !isRemote(file) {
		return nil
	}
	return v.refuse(find(v.file.Documents, text), fmt.Sprintf("%q would be fetched", diagnostic.Clip(text)))
}

// plugin vets the configuration of a plugin: the text itself, or a file. A directory would be built first, and could be made to say
// anything.
func (v *vetting) plugin(item string) error {
	at := find(v.file.Documents, item)
	if isRemote(item) {
		return v.refuse(at, fmt.Sprintf("%q would be fetched", diagnostic.Clip(item)))
	}
	inline := &File{Name: v.file.Name, Data: []byte(item)}
	if err := inline.parse(v.files.spent.limits.Manifests); err != nil {
		return err
	}
	isFile := v.exists(item)
	switch {
	case isFile && inline.holdsObjects():
		return v.refuse(at, "a plugin configuration that is the name of a file as well")
	case isFile:
		real, err := v.files.real(path.Join(path.Dir(v.file.Name), item))
		if err == nil {
			inline, err = v.files.file(real)
		}
		if err != nil {
			return v.refuse(at, fmt.Sprintf("the plugin configuration %q cannot be read: it has to be a file", diagnostic.Clip(item)))
		}
	}
	if !inline.holdsObjects() {
		return v.refuse(at, fmt.Sprintf("%q is neither a plugin configuration nor a file of the tree that holds one", diagnostic.Clip(item)))
	}
	for _, document := range inline.Documents {
		if err := (&vetting{files: v.files, file: inline}).configuration(document); err != nil {
			return err
		}
	}
	return nil
}

// holdsObjects tells whether all documents of a file are mappings.
func (f *File) holdsObjects() bool {
	return len(f.Documents) > 0 && !slices.ContainsFunc(f.Documents, func(n *yaml.Node) bool { return n.Kind != yaml.MappingNode })
}

// configuration refuses a plugin that runs a program, and every address that it could read from.
func (v *vetting) configuration(n *yaml.Node) error {
	n = yamlnode.Resolve(n)
	if n.Kind == yaml.ScalarNode {
		switch {
		case n.Tag == "!!binary":
			return v.refuse(n, "a plugin configuration in base64 is not read")
		case n.Value == "config.kubernetes.io/function":
			return v.refuse(n, "kustomize would run a function")
		}
		_, file, _ := strings.Cut(n.Value, "=")
		if isRemote(n.Value) || isRemote(file) {
			return v.refuse(n, fmt.Sprintf("%q could be fetched", diagnostic.Clip(n.Value)))
		}
	}
	for _, child := range n.Content {
		if err := v.configuration(child); err != nil {
			return err
		}
	}
	return nil
}

func (v *vetting) refuse(n *yaml.Node, reason string) error {
	return &RefusedError{v.at(n), reason}
}

func (v *vetting) at(n *yaml.Node) diagnostic.Position {
	return diagnostic.Position{File: v.file.Name, Line: n.Line, Column: n.Column}
}

// find is where a text stands in documents; the first line if it is written otherwise.
func find(documents []*yaml.Node, text string) *yaml.Node {
	for _, n := range documents {
		if n.Kind == yaml.ScalarNode && n.Value == text {
			return n
		}
		if found := find(n.Content, text); found.Column > 0 {
			return found
		}
	}
	return &yaml.Node{Line: 1}
}

// remote is more than what kustomize takes for an address (api/internal/git, NewRepoSpecFromURL; api/internal/loader, IsRemoteFile):
// what it does not take for one is no file that anybody has.
var remote = regexp.MustCompile(`(?i)^\s*(https?:|ssh:|file:|git:|github\.com[/:]|[a-z][a-z0-9-]*@|[a-z][a-z0-9+.-]*://)`)

func isRemote(reference string) bool { return remote.MatchString(reference) }
