package kustomize

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/yamlnode"
)

// Fields of a kustomization.
var (
	// references name other kustomizations and resources.
	references = []string{"resources", "bases", "components"}
	// schemas name files that only say how kinds are to be treated.
	schemas = []string{"configurations", "crds"}
	// generators make ConfigMaps and Secrets of files.
	generators = []string{"configMapGenerator", "secretGenerator"}
	// charts have kustomize run helm.
	charts = []string{"helmCharts", "helmChartInflationGenerator", "helmGlobals"}
)

// without gives a kustomization without what is left out of it.
//
// Bases and resources on the network are, and charts. So are files that are not in the tree, although kustomize fails for them:
// repositories name files that are not committed, secrets above all, and these hold no routes. A patch that is not there is
// missed by kustomize itself.
func (v *vetting) without(root *yaml.Node) *yaml.Node {
	left := *root
	left.Content = nil
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], yamlnode.Resolve(root.Content[i+1])
		switch {
		case isAny(key, charts):
			v.leaveOut(LeftOut{What: key.Value, Why: NoHelm, Position: v.at(key), Text: textOf(value)})
			continue
		case isAny(key, references):
			value = v.withoutItems(v.fetched(value), v.isLeftOut)
		case isAny(key, schemas):
			value = v.withoutItems(value, v.isLeftOut)
		case isAny(key, generators):
			value = v.withoutItems(value, v.isWithoutFile)
		}
		left.Content = append(left.Content, key, value)
	}
	return &left
}

// withoutItems gives a list without some of its items.
func (v *vetting) withoutItems(list *yaml.Node, drop func(*yaml.Node) bool) *yaml.Node {
	if list.Kind != yaml.SequenceNode {
		return list
	}
	kept := *list
	kept.Content = slices.DeleteFunc(slices.Clone(list.Content), func(item *yaml.Node) bool { return drop(yamlnode.Resolve(item)) })
	return &kept
}

// fetched is a list with the directories of the tree in the place of what was fetched for them.
func (v *vetting) fetched(list *yaml.Node) *yaml.Node {
	if v.files.options.Fetch == nil || list.Kind != yaml.SequenceNode {
		return list
	}
	here := *list
	here.Content = slices.Clone(list.Content)
	for i, item := range list.Content {
		item = yamlnode.Resolve(item)
		if !isRemote(item.Value) {
			continue
		}
		directory, err := v.files.options.Fetch(v.files.ctx, item.Value, v.at(item))
		if err != nil {
			v.failed[item.Value] = err.Error()
			continue
		}
		if directory, err = filepath.Rel(path.Join("/", path.Dir(v.file.Name)), path.Join("/", directory)); err == nil {
			v.changed = true
			here.Content[i] = &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: filepath.ToSlash(directory), Line: item.Line, Column: item.Column}
		}
	}
	return &here
}

// isLeftOut tells whether a reference is not read.
func (v *vetting) isLeftOut(item *yaml.Node) bool {
	switch {
	case isRemote(item.Value):
		v.leaveOut(LeftOut{What: item.Value, Why: NotFetched, Position: v.at(item), Failed: v.failed[item.Value]})
	case v.isOutside(item.Value):
		v.leaveOut(LeftOut{What: item.Value, Why: Outside, Position: v.at(item)})
	case item.Value != "" && !v.exists(item.Value):
		v.leaveOut(LeftOut{What: item.Value, Why: NotInTree, Position: v.at(item)})
	default:
		return false
	}
	return true
}

// isWithoutFile tells of a generator whether a file of it is not there.
func (v *vetting) isWithoutFile(generator *yaml.Node) bool {
	if generator.Kind != yaml.MappingNode {
		return false
	}
	for i := 0; i+1 < len(generator.Content); i += 2 {
		if !isAny(generator.Content[i], []string{"files", "envs", "env"}) {
			continue
		}
		named := yamlnode.Resolve(generator.Content[i+1])
		for _, item := range append(slices.Clone(named.Content), named) {
			file := yamlnode.Resolve(item).Value
			if _, behind, found := strings.Cut(file, "="); found {
				file = behind
			}
			if file != "" && !isRemote(file) && !v.exists(file) {
				v.leaveOut(LeftOut{What: file, Why: NotInTree, Position: v.at(item), Generator: true})
				return true
			}
		}
	}
	return false
}

// isOutside tells whether a name that the kustomization holds leads above the root of the tree.
func (v *vetting) isOutside(name string) bool {
	return name != "" && !path.IsAbs(name) && strings.HasPrefix(path.Join(path.Dir(v.file.Name), name)+"/", "../")
}

// exists tells whether a name that the kustomization holds is in the tree.
func (v *vetting) exists(name string) bool {
	return v.files.Exists(path.Join(path.Dir(v.file.Name), name))
}

// leaveOut notes what is left out, once.
func (v *vetting) leaveOut(left LeftOut) {
	v.changed = true
	if v.files.refused == nil && !slices.Contains(v.files.leftOut, left) {
		v.files.leftOut = append(v.files.leftOut, left)
	}
}

// textOf is a node as YAML, "" where it cannot be written.
func textOf(n *yaml.Node) string {
	text, err := yaml.NewRNode(n).String()
	if err != nil {
		return ""
	}
	return text
}

// isAny tells whether a key is one of a few fields. Like kustomize, which decodes JSON (types.Kustomization.Unmarshal), it does not
// care about case.
func isAny(key *yaml.Node, fields []string) bool {
	return slices.ContainsFunc(fields, func(field string) bool { return strings.EqualFold(field, key.Value) })
}
