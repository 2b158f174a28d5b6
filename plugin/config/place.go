package config

import (
	"fmt"
	"regexp"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// document is the text that a configuration was read from, for the lines of its fields. Without a text there are no lines.
type document struct {
	name string
	text []byte
}

// at is how an error begins that is about a field: file:line: and the field, such as spec.targets[1].path.
func (d document) at(field string) string { return d.place(field) + ": " + field }

// place is the file and line of a field; of one that is not there, those of what it should be in.
func (d document) place(field string) string {
	var root yaml.Node
	if err := yaml.Unmarshal(d.text, &root); err != nil || len(root.Content) == 0 {
		return d.name
	}
	return fmt.Sprintf("%s:%d", d.name, lineOf(root.Content[0], field))
}

// fieldStep is a name, or an index in brackets.
var fieldStep = regexp.MustCompile(`[^.\[\]]+`)

func lineOf(node *yaml.Node, field string) int {
	line := node.Line
	for _, step := range fieldStep.FindAllString(field, -1) {
		for node.Kind == yaml.AliasNode {
			node = node.Alias
		}
		below, at := childOf(node, step)
		if below == nil {
			break
		}
		node, line = below, at
	}
	return line
}

// childOf is the field or item of a node, and the line on which it begins.
func childOf(node *yaml.Node, step string) (child *yaml.Node, line int) {
	switch node.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			if node.Content[i].Value == step {
				return node.Content[i+1], node.Content[i].Line
			}
		}
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(step); err == nil && i < len(node.Content) {
			return node.Content[i], node.Content[i].Line
		}
	}
	return nil, 0
}

// PlaceOf is the file and line of a target.
func (c *Config) PlaceOf(target string) string {
	for i, t := range c.Spec.Targets {
		if t.Name == target {
			return c.document.place(fmt.Sprintf("spec.targets[%d].path", i))
		}
	}
	return c.document.name
}
