package manifest

import (
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

// ${NAME}, and with a default ${NAME:-default}, ${NAME:=default}, ${NAME-default}, ${NAME=default}.
var variableUse = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)(:?[-=]([^{}]*))?\}`)

// substitute gives the string at hand with its variables replaced by their defaults, or else by a stand-in: one unknown
// value for each name, readable, and legal where a host or an object is named. About a third of the public GitOps
// repositories with routes hold such variables, and what changes between two commits can be told without their values.
func (d *decoder) substitute(n *yaml.Node) string {
	if !strings.Contains(n.Value, "${") || d.inAnnotations() {
		return n.Value
	}
	return substituteVariables(n.Value, d.isHostname(), func(name, standIn string) {
		if d.met[name] {
			return
		}
		if d.met == nil {
			d.met = map[string]bool{}
		}
		d.met[name] = true
		d.variables = append(d.variables, variable{name, d.document.position(n.Line, n.Column), standIn})
	})
}

// substituteVariables replaces each variable of a text and reports each.
func substituteVariables(text string, hostname bool, met func(name, standIn string)) string {
	return variableUse.ReplaceAllStringFunc(text, func(use string) string {
		parts := variableUse.FindStringSubmatch(use)
		value := standIn(parts[1], hostname)
		if parts[2] != "" {
			value = parts[3]
		}
		met(parts[1], value)
		return value
	})
}

// standIn is what stands for a variable without a value: "secret-domain" for SECRET_DOMAIN, and in host names under
// "invalid", the top-level domain that nobody can own (RFC 2606).
func standIn(name string, hostname bool) string {
	label := strings.Trim(strings.ReplaceAll(strings.ToLower(name), "_", "-"), "-")
	if label == "" {
		label = "variable"
	}
	if hostname {
		return label + ".invalid"
	}
	return label
}

// isHostname tells whether the field at hand holds host names.
func (d *decoder) isHostname() bool {
	for _, s := range d.steps {
		if s.name == "hostname" || s.name == "hostnames" {
			return true
		}
	}
	return false
}

// inAnnotations tells whether the field at hand is an annotation or a label: those hold other people's syntax.
func (d *decoder) inAnnotations() bool {
	return len(d.steps) > 1 && d.steps[0].name == "metadata" && (d.steps[1].name == "annotations" || d.steps[1].name == "labels")
}
