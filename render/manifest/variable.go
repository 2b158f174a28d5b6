package manifest

import (
	"crypto/sha256"
	"fmt"
	"regexp"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// variable is a ${NAME} that was met in an object: something later in the pipeline (Flux postBuild, envsubst) replaces it.
type variable struct {
	name     string
	position diagnostic.Position
	standIn  string
}

// ${NAME}, with a default ${NAME:-default}, ${NAME:=default}, ${NAME-default}, ${NAME=default}, or changed: ${NAME/./-}, ${NAME^^}. One
// more $ in front escapes it.
var variableUse = regexp.MustCompile(`\$?\$\{([A-Za-z_][A-Za-z0-9_]*)(?:(:?[-=])([^{}]*)|[:/^,#%][^{}]*)?\}`)

// substitute gives the string at hand with its variables replaced by their defaults, or else by a stand-in: one unknown
// value for each name, readable, and legal where a host or an object is named. About a third of the public GitOps
// repositories with routes hold such variables, and what changes between two commits can be told without their values.
func (c *converter) substitute(n *yaml.Node) string {
	if !strings.Contains(n.Value, "${") || c.isForeign() {
		return n.Value
	}
	if c.isIdleLabel() {
		return substituteVariables(n.Value, aName, func(string, string) {})
	}
	return substituteVariables(n.Value, c.standsFor(), func(name, standIn string) {
		if c.met == nil {
			c.met, c.standing = map[string]bool{}, map[diagnostic.Position]bool{}
		}
		c.standing[c.fieldPosition()] = true
		if c.met[name] {
			return
		}
		c.met[name] = true
		c.variables = append(c.variables, variable{name, c.document.position(n.Line, n.Column), standIn})
	})
}

// substituteVariables replaces each variable of a text and reports each.
func substituteVariables(text string, of sort, met func(name, standIn string)) string {
	return variableUse.ReplaceAllStringFunc(text, func(use string) string {
		if escaped, is := strings.CutPrefix(use, "$$"); is {
			return "$" + escaped
		}
		parts := variableUse.FindStringSubmatch(use)
		value := standIn(parts[1], of)
		if parts[2] != "" {
			value = parts[3]
		}
		met(parts[1], value)
		return value
	})
}

// sort is what a field holds, as far as what stands in it must look like it.
type sort int

const (
	aName sort = iota
	aHostname
	anAddress
)

// standIn is what stands for a variable without a value: "secret-domain" for SECRET_DOMAIN; in host names under "invalid", the
// top-level domain that nobody can own (RFC 2606); and for an address one of those that documents have (RFC 3849).
func standIn(name string, of sort) string {
	label := strings.Trim(strings.ReplaceAll(strings.ToLower(name), "_", "-"), "-")
	if label == "" {
		label = "variable"
	}
	switch of {
	case aHostname:
		return label + ".invalid"
	case anAddress:
		sum := sha256.Sum256([]byte(name))
		return fmt.Sprintf("2001:db8::%x", sum[:2])
	}
	return label
}

// standsFor tells what the field at hand holds.
func (c *converter) standsFor() sort {
	for _, s := range c.steps {
		if s.name == "hostname" || s.name == "hostnames" {
			return aHostname
		}
	}
	if n := len(c.steps); n == 4 && c.steps[1].name == "addresses" && c.steps[3].name == "value" { // of a Gateway
		if text(get(c.mappings[len(c.mappings)-1], "type")) == "Hostname" {
			return aHostname
		}
		return anAddress
	}
	return aName
}

// isForeign tells whether the field at hand holds other people's syntax: an annotation, the data of a Secret.
func (c *converter) isForeign() bool {
	if len(c.steps) < 2 {
		return false
	}
	_, data := c.left[c.steps[0].name]
	return data || c.isMetadata("annotations")
}

// isIdleLabel tells whether the field at hand is a label that bears on no request, whatever its value: those of a Namespace are
// selected by, and those of an EndpointSlice say whose it is.
func (c *converter) isIdleLabel() bool {
	return c.isMetadata("labels") && c.object.Kind != "Namespace" && c.object.Kind != "EndpointSlice"
}

func (c *converter) isMetadata(of string) bool {
	return len(c.steps) > 1 && c.steps[0].name == "metadata" && c.steps[1].name == of
}

// fieldPosition is the place that Places will give for the field at hand.
func (c *converter) fieldPosition() diagnostic.Position {
	return c.places[len(c.places)-1].position(c.home, c.files)
}
