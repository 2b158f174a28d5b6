package argocd

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/routedelta/routedelta/plugin/config"
)

// value is that of a parameter: a text, a list or a map, as Argo CD writes it.
type value struct {
	Name   string            `json:"name"`
	String *string           `json:"string,omitempty"`
	Array  []string          `json:"array,omitzero"`
	Map    map[string]string `json:"map,omitzero"`
}

// parseParameters reads the environment's list. Without any, Argo CD sends the text null.
func parseParameters(text string) ([]value, error) {
	if text == "" {
		return nil, nil
	}
	var values []value
	if err := json.Unmarshal([]byte(text), &values); err != nil {
		return nil, fmt.Errorf("reading %s: %w", envParameters, err)
	}
	return values, nil
}

// The values of serverSideApply. Without it an object's whole text is written into one of its annotations, which may have 256 KB.
const (
	applyLarge  = "large"
	applyAlways = "always"
	applyNever  = "never"

	serverSideApply = "serverSideApply"
)

// parameter is one that is announced. Those that are not, every field of spec that holds one value, are taken all the same.
type parameter struct {
	name, title, tooltip string
	// now is what is in force: Argo CD does not send back what was only announced.
	now func(config.Spec) value
}

// word is a parameter for a field that takes one word of a few.
func word(name, title, tooltip string, of func(config.Spec) string) parameter {
	words := config.Words(name)
	return parameter{name, title, tooltip + ": " + strings.Join(words, ", "), func(s config.Spec) value {
		now := cmp.Or(of(s), words[0])
		return value{String: &now}
	}}
}

// parameters of an application, in the order in which Argo CD shows them.
func parameters() []parameter {
	return []parameter{
		word("references", "References", "what becomes of a Service or Gateway that is not in the application", func(s config.Spec) string { return s.References }),
		word("dialect", "Dialect", "the order of competing rules", func(s config.Spec) string { return s.Dialect }),
		word("endpoints", "Endpoints", "where the addresses of backends stand", func(s config.Spec) string { return s.Endpoints }),
		word("listeners", "Listeners", "whether listeners change without a restart of Envoy", func(s config.Spec) string { return s.Listeners }),
		{"allowEmpty", "Allow empty", "true lets an application without routes generate nothing, which deletes what runs", func(s config.Spec) value {
			now := strconv.FormatBool(s.AllowEmpty)
			return value{String: &now}
		}},
		{"namespace", "Namespace of the ConfigMaps", "empty is that of each Gateway", func(s config.Spec) value { return value{String: &s.ConfigMap.Namespace} }},
		{"gatewayClasses", "Gateway classes", "only Gateways of these classes; empty is all", func(s config.Spec) value {
			return value{Array: append([]string{}, s.GatewayClasses...)}
		}},
		{"labels", "Labels of the ConfigMaps", "beside routedelta.dev/rendered", func(s config.Spec) value { return value{Map: cloned(s.ConfigMap.Labels)} }},
		{"variables", "Variables", "values of ${NAME} in the manifests", func(s config.Spec) value { return value{Map: cloned(s.Sources.Variables)} }},
	}
}

// cloned is never nil: Argo CD tells a map from a text by it.
func cloned(m map[string]string) map[string]string {
	return maps.Collect(maps.All(m))
}

// take lays values over the configuration.
func (s *settings) take(values []value) error {
	texts := map[string]string{}
	for _, v := range values {
		if err := s.takeOne(v, texts); err != nil {
			return fmt.Errorf("%s: %w", envParameters, err)
		}
	}
	return s.Set(envParameters, texts)
}

// takeOne takes a list, a map, and the texts that are no fields of spec; the others are gathered.
func (s *settings) takeOne(v value, texts map[string]string) error {
	spec := &s.Spec
	switch {
	case v.Name == "gatewayClasses" && v.String == nil && v.Map == nil:
		spec.GatewayClasses = v.Array
	case v.Name == "labels" && v.String == nil && v.Array == nil:
		spec.ConfigMap.Labels = v.Map
	case v.Name == "variables" && v.String == nil && v.Array == nil:
		spec.Sources = config.Sources{Variables: v.Map}.Over(spec.Sources)
	case v.String == nil || slices.Contains([]string{"gatewayClasses", "labels", "variables"}, v.Name):
		return fmt.Errorf("parameter %q: want gatewayClasses (an array), labels or variables (maps), or a field of spec with one value (a string)", v.Name)
	case v.Name == "namespace":
		spec.ConfigMap.Namespace = *v.String
	case v.Name == serverSideApply:
		if !slices.Contains(applyWords(), *v.String) {
			return fmt.Errorf("parameter %q: %q is none of %s", v.Name, *v.String, strings.Join(applyWords(), ", "))
		}
		s.serverSideApply = *v.String
	default:
		texts[v.Name] = *v.String
	}
	return nil
}

func applyWords() []string { return []string{applyLarge, applyAlways, applyNever} }
