package schematest

import (
	"fmt"
	"maps"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Probe is an object that asks about a rule.
type Probe struct {
	// Name tells probes apart: HTTPRoute v1: spec.rules[].name pattern: refused.
	Name       string
	Definition *Definition
	// Rule is the one that it is about; an object that is about none has none.
	Rule   Rule
	Side   Side
	Object map[string]any
}

// Probes makes the probes of a definition: its right objects, and for each rule what breaks it and what is at its limits. Of a twin
// there are the right objects and the values of rules.yaml only.
func (t Tables) Probes(d *Definition) []Probe {
	objects := t.Objects(d)
	var probes []Probe
	add := func(rule Rule, side Side, what string, object map[string]any) {
		name := strings.TrimSuffix(fmt.Sprintf("%s: %s: %s %s", d.Name(), rule, side, what), " ")
		probes = append(probes, Probe{Name: name, Definition: d, Rule: rule, Side: side, Object: object})
	}
	for i, object := range objects {
		add(Rule{}, Accepted, fmt.Sprint("object ", i+1), object)
	}
	walk(d.Schema, "", func(path string, s *apiextensionsv1.JSONSchemaProps) {
		for _, object := range objects {
			at, found := locate(object, path)
			if !found {
				continue
			}
			variants := t.valuesOf(s)
			if !d.Twin {
				variants = append(variants, variantsOf(s, at.of(object))...)
			}
			for _, v := range variants {
				v.Path = path
				if path == "" && v.Keyword == "type" {
					continue
				}
				if changed, is := at.put(object, v.value).(map[string]any); is {
					add(v.Rule, v.side, v.what, rooted(path, object, changed))
				}
			}
			return
		}
	})
	return probes
}

// rooted keeps what makes an object one of its kind where a variant takes the place of the whole object.
func rooted(path string, object, changed map[string]any) map[string]any {
	if path != "" {
		return changed
	}
	changed = maps.Clone(changed)
	for _, name := range []string{"apiVersion", "kind", "metadata"} {
		changed[name] = object[name]
	}
	return changed
}

// valuesOf gives the values of rules.yaml for the rules of a node.
func (t Tables) valuesOf(s *apiextensionsv1.JSONSchemaProps) []variant {
	var found []variant
	for _, rule := range rulesOf(s) {
		message := rule.Text
		if rule.Keyword == "oneOf" {
			message = rule.Keyword
		} else if rule.Keyword != CEL {
			continue
		}
		for i, value := range t.Values[message].Accepted {
			found = append(found, variant{rule, Accepted, fmt.Sprint(i + 1), value})
		}
		for i, value := range t.Values[message].Refused {
			found = append(found, variant{rule, Refused, fmt.Sprint(i + 1), value})
		}
	}
	return found
}

// Filled tells whether the server has filled in the field that a rule gives a default.
func (r Rule) Filled(answer Answer) bool {
	_, found := locate(answer.Stored, r.Path+"."+r.Text)
	return found
}

// Covers tells whether a right object has the field that a rule is about.
func (r Rule) Covers(object map[string]any) bool {
	_, found := locate(object, r.Path)
	return found
}
