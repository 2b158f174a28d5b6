package source

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/yamlnode"
	"github.com/routedelta/routedelta/render/manifest"
)

// mostApplications bounds what one ApplicationSet makes.
const mostApplications = 500

// argoSetSpec is what is read of the spec of an ApplicationSet.
type argoSetSpec struct {
	Generators []argoGenerator `yaml:"generators"`
}

// argoGenerator gives the parameters of Applications. One of the two is set, or it is of a kind that needs more than the tree.
type argoGenerator struct {
	List *struct {
		Elements []map[string]yaml.Node `yaml:"elements"`
	} `yaml:"list"`
	Git *struct {
		RepoURL     string `yaml:"repoURL"`
		Directories []struct {
			Path    string `yaml:"path"`
			Exclude bool   `yaml:"exclude"`
		} `yaml:"directories"`
	} `yaml:"git"`
}

// followArgoSet follows the Applications that a set makes.
func (c *collector) followArgoSet(o object) error {
	made, unread := c.applications(o)
	for _, reason := range unread {
		c.notFollowed(o, formArgo, reason)
	}
	for _, application := range made {
		if err := c.followArgo(application); err != nil {
			return err
		}
	}
	return nil
}

// argoSetClaims are the directories that the Applications of a set apply.
func (c *collector) argoSetClaims(o object) []string {
	var claimed []string
	made, _ := c.applications(o)
	for _, application := range made {
		claimed = append(claimed, c.argoClaims(application)...)
	}
	return claimed
}

// applications are those that a set makes, and the reasons why others are not known.
func (c *collector) applications(o object) (made []object, unread []string) {
	var spec argoSetSpec
	node, template := yamlnode.Get(o.node, "spec"), yamlnode.Get(o.node, "spec", "template")
	if node == nil || template == nil {
		return nil, []string{"it has no template"}
	}
	if err := node.Decode(&spec); err != nil {
		return nil, []string{fmt.Sprintf("its spec is not that of an ApplicationSet: %q", err)}
	}
	for _, generator := range spec.Generators {
		parameters, reason := c.parameters(generator)
		if reason != "" {
			unread = append(unread, reason)
		}
		for _, values := range parameters {
			if len(made) == mostApplications {
				return made, append(unread, fmt.Sprintf("it makes more than %d Applications", mostApplications))
			}
			filled, missing := fill(template, values)
			if missing != "" {
				unread = append(unread, missing)
				continue
			}
			made = append(made, object{node: filled, at: o.at})
		}
	}
	slices.Sort(unread)
	return made, slices.Compact(unread)
}

// parameters are those of each Application that a generator gives, as far as the tree tells.
func (c *collector) parameters(g argoGenerator) (all []map[string]string, unread string) {
	switch {
	case g.List != nil:
		for _, element := range g.List.Elements {
			values := map[string]string{}
			for key, value := range element {
				flatten(values, key, &value)
			}
			all = append(all, values)
		}
		return all, ""
	case g.Git != nil && len(g.Git.Directories) > 0 && c.isThisRepository(g.Git.RepoURL):
		for _, directory := range c.directoriesOf(g) {
			all = append(all, pathParameters(directory))
		}
		return all, ""
	case g.Git != nil && !c.isThisRepository(g.Git.RepoURL):
		return nil, fmt.Sprintf("its generator reads another repository: %q", withoutCredentials(g.Git.RepoURL))
	}
	return nil, "only generators of lists and of directories of this repository are known"
}

// flatten gives nested values the names that templates have for them: a.b.
func flatten(values map[string]string, name string, n *yaml.Node) {
	n = yamlnode.Resolve(n)
	if n.Kind == yaml.ScalarNode {
		values[name] = n.Value
		return
	}
	if n.Kind == yaml.MappingNode && strings.Count(name, ".") < 10 {
		for i := 0; i+1 < len(n.Content); i += 2 {
			flatten(values, name+"."+n.Content[i].Value, n.Content[i+1])
		}
	}
}

// directoriesOf are the directories of the tree that the patterns of a git generator take; an excluded one goes whatever the order.
func (c *collector) directoriesOf(g argoGenerator) []string {
	var taken []string
	_ = fs.WalkDir(c.tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || c.ctx.Err() != nil || !entry.IsDir() {
			return c.ctx.Err() // what cannot be listed matches nothing
		}
		if strings.HasPrefix(entry.Name(), ".") && name != "." {
			return fs.SkipDir
		}
		takes := false
		for _, pattern := range g.Git.Directories {
			if ok, err := path.Match(pattern.Path, name); err == nil && ok {
				takes = !pattern.Exclude
				if pattern.Exclude {
					break
				}
			}
		}
		if takes {
			taken = append(taken, name)
		}
		return nil
	})
	return taken
}

// pathParameters are what a template may say of a directory, with and without Go templates.
func pathParameters(directory string) map[string]string {
	base := path.Base(directory)
	values := map[string]string{
		"path": directory, "path.path": directory, "path.basename": base, "path.basenameNormalized": normalized.ReplaceAllString(strings.ToLower(base), "-"),
	}
	for i, segment := range strings.Split(directory, "/") {
		values["path["+strconv.Itoa(i)+"]"] = segment
	}
	return values
}

var (
	normalized = regexp.MustCompile(`[^a-z0-9.-]+`)
	// placeholder is {{ name }} or {{ .name }}; expression is anything else between such braces.
	placeholder = regexp.MustCompile(`\{\{-?\s*\.?([A-Za-z0-9_][A-Za-z0-9_.\[\]-]*)\s*-?\}\}`)
	segment     = regexp.MustCompile(`\{\{-?\s*index\s+\.path\.segments\s+([0-9]+)\s*-?\}\}`)
)

// fill puts values in place of the placeholders of a template. missing says why it cannot: a value that is not there, an expression.
func fill(template *yaml.Node, values map[string]string) (_ *yaml.Node, missing string) {
	if manifest.CheckBounds(template, manifest.Limits{}) != nil {
		return nil, "its template is too large"
	}
	filled := fillNode(whatIsApplied(template), values, &missing)
	return filled, missing
}

// whatIsApplied are the fields of a template that tell what is applied. What others name does not matter.
func whatIsApplied(template *yaml.Node) *yaml.Node {
	spec := mapping("destination", mapping("namespace", yamlnode.Get(template, "spec", "destination", "namespace")))
	for _, field := range []string{"source", "sources"} {
		spec.Content = append(spec.Content, mapping(field, yamlnode.Get(template, "spec", field)).Content...)
	}
	whole := mapping("metadata", mapping("name", yamlnode.Get(template, "metadata", "name")))
	whole.Content = append(whole.Content, mapping("spec", spec).Content...)
	whole.Content = append(whole.Content, mapping("kind", yaml.NewStringRNode("Application").YNode()).Content...)
	return whole
}

// mapping has one field, or none where there is no value.
func mapping(key string, value *yaml.Node) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}
	if value != nil {
		n.Content = []*yaml.Node{yaml.NewStringRNode(key).YNode(), value}
	}
	return n
}

func fillNode(n *yaml.Node, values map[string]string, missing *string) *yaml.Node {
	n = yamlnode.Resolve(n)
	one := *n
	one.Anchor = ""
	one.Content = make([]*yaml.Node, len(n.Content))
	for i, child := range n.Content {
		one.Content[i] = fillNode(child, values, missing)
	}
	if n.Kind == yaml.ScalarNode && strings.Contains(n.Value, "{{") {
		text := segment.ReplaceAllString(n.Value, "{{path[$1]}}")
		one.Value = placeholder.ReplaceAllStringFunc(text, func(use string) string {
			name := placeholder.FindStringSubmatch(use)[1]
			value, known := values[name]
			if !known {
				*missing = fmt.Sprintf("its template names %q, which its generator does not give", name)
			}
			return value
		})
		if strings.Contains(one.Value, "{{") && *missing == "" {
			*missing = "its template holds more than names of values"
		}
	}
	return &one
}
