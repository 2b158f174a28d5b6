package config_test

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/config"
)

var update = flag.Bool("update", false, "rewrite docs/routedelta.schema.json")

const schemaFile = "../../docs/routedelta.schema.json"

func TestSchemaFile(t *testing.T) {
	text, err := json.MarshalIndent(config.Schema(), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, '\n')
	if *update {
		if err := os.WriteFile(schemaFile, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(schemaFile)
	if err != nil || string(have) != string(text) {
		t.Errorf("%s is not the schema of the code (%v): make golden", schemaFile, err)
	}
}

// Schema and decoder agree: on the page of the documentation, and on what is wrong.
func TestSchemaAgreesWithParse(t *testing.T) {
	page, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```yaml\n")
	documented, _, _ := strings.Cut(rest, "```")
	for name, c := range map[string]struct {
		text string
		good bool
	}{
		"documented":    {documented, true},
		"empty":         {head, true},
		"unknown field": {head + "spec: {refs: strict}\n", false},
		"unknown word":  {head + "spec: {references: maybe}\n", false},
		"wrong type":    {head + "spec: {admin: {port: many}}\n", false},
		"another kind":  {"apiVersion: v1\nkind: Pod\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := config.Parse("c.yaml", []byte(c.text)); (err == nil) != c.good {
				t.Errorf("parsing: %v", err)
			}
			if err := validate(t, c.text); (err == nil) != c.good {
				t.Errorf("schema: %v", err)
			}
		})
	}
}

func validate(t *testing.T, text string) error {
	t.Helper()
	raw, err := json.Marshal(config.Schema())
	if err != nil {
		t.Fatal(err)
	}
	// The validator is OpenAPI's, whose schemas say "enum" where JSON schema may say "const".
	raw = []byte(strings.NewReplacer(`"const":"`+config.APIVersion+`"`, `"enum":["`+config.APIVersion+`"]`, `"const":"`+config.Kind+`"`, `"enum":["`+config.Kind+`"]`).Replace(string(raw)))
	var schema openapi3.Schema
	if err := json.Unmarshal(raw, &schema); err != nil {
		t.Fatal(err)
	}
	var value any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	plain, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var document any
	if err := json.Unmarshal(plain, &document); err != nil {
		t.Fatal(err)
	}
	return schema.VisitJSON(document)
}
