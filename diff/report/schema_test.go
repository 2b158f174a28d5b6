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
	"github.com/routedelta/routedelta/render/diagnostic"
)

var update = flag.Bool("update", false, "rewrite the schemas in docs")

const (
	schemaFile      = "../../docs/report.schema.json"
	checkSchemaFile = "../../docs/check.schema.json"
)

func TestSchemaFiles(t *testing.T) {
	for name, schema := range map[string]map[string]any{schemaFile: report.Schema(), checkSchemaFile: report.CheckSchema()} {
		text, err := json.MarshalIndent(schema, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, '\n')
		if *update {
			if err := os.WriteFile(name, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		have, err := os.ReadFile(name)
		if err != nil || !bytes.Equal(have, text) {
			t.Errorf("%s is not the schema of the code (%v): make golden", name, err)
		}
	}
}

func compileSchema(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(name)
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
	schema := compileSchema(t, schemaFile)
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
	schema := compileSchema(t, schemaFile)
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

// TestCheckSchema takes findings with and without a place, and refuses what no program of ours writes.
func TestCheckSchema(t *testing.T) {
	schema := compileSchema(t, checkSchemaFile)
	var text strings.Builder
	found := &report.Check{Tool: "v1", Sources: []string{"routes"}, Order: "gateway-api", Rules: 3, Hosts: 1, Suppressed: 1, Findings: diagnostic.List{
		{
			Code: diagnostic.NeverWins, Severity: diagnostic.Warning, Message: "never wins", Hint: "remove it", Field: "spec.rules[0]",
			Object: diagnostic.Object{Kind: "HTTPRoute", Namespace: "shop", Name: "shop"}, Position: diagnostic.Position{File: "a.yaml", Line: 3},
		},
		{Code: diagnostic.NotDecided, Severity: diagnostic.Info, Message: "no routes"},
	}}
	for _, c := range []*report.Check{{}, found} {
		text.Reset()
		if err := report.EncodeCheck(&text, c); err != nil {
			t.Fatal(err)
		}
		if err := validate(schema, text.String()); err != nil {
			t.Errorf("%s: %v", text.String(), err)
		}
	}
	for _, broken := range [][2]string{
		{`"rules": 3`, `"rules": "3"`}, {`"findings"`, `"finding"`}, {`"severity": "info"`, `"severity": "fine"`},
		{report.CheckVersion, report.Version}, {`"suppressed": 1`, `"hidden": 1`},
	} {
		if other := strings.Replace(text.String(), broken[0], broken[1], 1); other == text.String() || validate(schema, other) == nil {
			t.Errorf("%s was taken, or is not there", broken[1])
		}
	}
}
