package krm

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// result is a result of the KRM functions specification (config.kubernetes.io/v1, ResourceList.results). Severity is always written:
// the specification's default is error.
type result struct {
	Message     string       `yaml:"message"`
	Severity    string       `yaml:"severity"`
	ResourceRef *resourceRef `yaml:"resourceRef,omitempty"`
	Field       *field       `yaml:"field,omitempty"`
	File        *file        `yaml:"file,omitempty"`
}

type resourceRef struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
	Namespace  string `yaml:"namespace,omitempty"`
	Name       string `yaml:"name"`
}

type field struct {
	Path string `yaml:"path"`
}

type file struct {
	Path string `yaml:"path"`
}

// results are the diagnostics in the words of the specification; nil is none.
func results(found diagnostic.List) (*yaml.RNode, error) {
	if len(found) == 0 {
		return nil, nil
	}
	var list []result
	for _, d := range found {
		list = append(list, newResult(d))
	}
	node := new(yaml.Node)
	if err := node.Encode(list); err != nil {
		return nil, err
	}
	return yaml.NewRNode(node), nil
}

func newResult(d diagnostic.Diagnostic) result {
	r := result{Message: string(d.Code) + ": " + d.Message, Severity: string(d.Severity)}
	if d.Hint != "" {
		r.Message += " (" + d.Hint + ")"
	}
	if d.Object.Name != "" {
		r.ResourceRef = &resourceRef{
			APIVersion: apiVersion(d.Object.Kind), Kind: d.Object.Kind, Namespace: d.Object.Namespace, Name: d.Object.Name,
		}
	}
	if d.Field != "" {
		r.Field = &field{Path: d.Field}
	}
	if d.Position.File != "" {
		r.File = &file{Path: d.Position.File}
	}
	return r
}

// apiVersion of the kinds that a diagnostic can be about; the specification wants it in a resourceRef.
func apiVersion(kind string) string {
	switch kind {
	case "Service", "Secret", "Namespace":
		return "v1"
	case "EndpointSlice":
		return "discovery.k8s.io/v1"
	}
	return "gateway.networking.k8s.io/v1"
}
