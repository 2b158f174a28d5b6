package schematest

import (
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

func definitions(t *testing.T) []*Definition {
	t.Helper()
	found, err := ReadModule(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestTables: the right objects have every field of every definition, and each CEL rule has values that it accepts and refuses.
func TestTables(t *testing.T) {
	tables, err := ReadTables()
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{"oneOf": true}
	for _, d := range definitions(t) {
		objects := tables.Objects(d)
		walk(d.Schema, "", func(path string, _ *apiextensionsv1.JSONSchemaProps) {
			for _, object := range objects {
				if (Rule{Path: path}).Covers(object) {
					return
				}
			}
			t.Errorf("%s: no object in objects.yaml has %s", d.Name(), path)
		})
		for _, rule := range d.Rules() {
			if rule.Keyword != CEL {
				continue
			}
			used[rule.Text] = true
			if values := tables.Values[rule.Text]; len(values.Accepted) == 0 || len(values.Refused) == 0 && values.Shadowed == "" {
				t.Errorf("%s: rules.yaml has no values for the rule %q at %s", d.Name(), rule.Text, rule.Path)
			}
		}
	}
	for message := range tables.Values {
		if !used[message] {
			t.Errorf("rules.yaml has values for %q, which is no rule", message)
		}
	}
}

// TestProbes: names tell probes apart, and of each rule that an object can break there is one that does.
func TestProbes(t *testing.T) {
	definitions := definitions(t)
	probes, err := AllProbes(definitions)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	refused := map[string]bool{}
	for _, probe := range probes {
		if names[probe.Name] {
			t.Errorf("two probes are named %q", probe.Name)
		}
		names[probe.Name] = true
		if probe.Side == Refused {
			refused[probe.Definition.Name()+probe.Rule.String()] = true
		}
	}
	tables, err := ReadTables()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range definitions {
		for _, rule := range d.Rules() {
			if !d.Twin && rule.Keyword != "default" && tables.Values[rule.Text].Shadowed == "" && !refused[d.Name()+rule.String()] {
				t.Errorf("%s: no probe breaks %s", d.Name(), rule)
			}
		}
	}
	t.Logf("%d probes", len(probes))
}
