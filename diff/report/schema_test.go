package report_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/routedelta/routedelta/diff/report"
)

var update = flag.Bool("update", false, "rewrite docs/report.schema.json")

const schemaFile = "../../docs/report.schema.json"

func TestSchemaFile(t *testing.T) {
	text, err := json.MarshalIndent(report.Schema(), "", "  ")
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
	if err != nil || !bytes.Equal(have, text) {
		t.Errorf("%s is not the schema of the code (%v): make golden", schemaFile, err)
	}
}

func compileSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func validate(schema *jsonschema.Schema, text string) error {
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	return schema.Validate(document)
}

// TestSchemaTakesReports: every report of the golden files, the smallest one, and one of this package's tests, as written and as
// read and written again.
func TestSchemaTakesReports(t *testing.T) {
	schema := compileSchema(t)
	texts := map[string]string{"empty": encode(t, &report.Report{}), "without lists": encode(t, &report.Report{Classes: []report.Class{{Severity: report.Lost}}}), "sample": encode(t, sample())}
	names, err := filepath.Glob("../format/testdata/*.json")
	if err != nil || len(names) < 8 {
		t.Fatalf("%d reports: %v", len(names), err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(text)
	}
	for name, text := range texts {
		if err := validate(schema, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		read, err := report.Decode(strings.NewReader(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if again := encode(t, read); again != text {
			t.Errorf("%s is another report when it is read and written again", name)
		}
	}
}

// TestSchemaRefuses what Decode refuses, and what no program of ours writes.
func TestSchemaRefuses(t *testing.T) {
	schema := compileSchema(t)
	good := encode(t, sample())
	for _, broken := range [][2]string{
		{`"counts"`, `"count"`},
		{`"severity": "lost"`, `"severity": "harmless"`},
		{`"lost": 1`, `"lost": "1"`},
		{report.Version, "routedelta.dev/report/v9"},
		{`"kind": "segments"`, `"kind": "glob"`},
		{`"kind": "none"`, `"kind": "gone"`},
		{`"witnesses": [`, `"witnesses": null, "causes": [`},
		{`"port": 80`, `"port": -80`},
	} {
		text := strings.Replace(good, broken[0], broken[1], 1)
		if text == good {
			t.Fatalf("%s is not there", broken[0])
		}
		if validate(schema, text) == nil {
			t.Errorf("%s was taken", broken[1])
		}
	}
}
