package format_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/routedelta/routedelta/diff/format"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// sarifSchema is the schema as OASIS published it (SARIF 2.1.0 errata 01).
func sarifSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	file, err := os.Open("testdata/sarif/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	document, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("sarif.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func sarif(t testing.TB, r *report.Report) string {
	t.Helper()
	var out bytes.Buffer
	if err := format.SARIF(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func validate(schema *jsonschema.Schema, text string) error {
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	return schema.Validate(document)
}

func TestSARIF(t *testing.T) {
	schema := sarifSchema(t)
	for name, r := range reports(t) {
		t.Run(name, func(t *testing.T) {
			got := sarif(t, r)
			if err := validate(schema, got); err != nil {
				t.Errorf("%#v", err)
			}
			golden(t, name+".sarif", got)
		})
	}
}

// TestSARIFSchemaRefuses holds that the schema is in force: a validator that knows none of it takes everything.
func TestSARIFSchemaRefuses(t *testing.T) {
	schema := sarifSchema(t)
	good := sarif(t, reports(t)["several"])
	for _, broken := range [][2]string{
		{`"level": "error"`, `"level": "fatal"`},
		{`"version": "2.1.0"`, `"version": "2.2.0"`},
		{`"startLine": 12`, `"startLine": 0`},
		{`"ruleIndex"`, `"ruleindex"`},
		{`"uri": "after/routes/shop.yaml"`, `"uri": "after/routes/shop\\yaml"`},
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

// sarifFile is what a reader such as GitHub wants of the file.
type sarifFile struct {
	Runs []struct {
		Tool struct {
			Driver struct{ Rules []struct{ ID string } }
		}
		// Results are a list also when there is nothing.
		Results []struct {
			RuleID    string
			RuleIndex int
			Message   struct{ Text string }
			Locations []struct {
				PhysicalLocation struct{ ArtifactLocation struct{ URI string } }
			}
			PartialFingerprints map[string]string
		}
	}
}

// TestHostileNamesInSARIF: whatever a name is, the file is valid, has as many results, each with a rule, a place and a
// fingerprint, and no message has a line break, a control character, a placeholder or a link.
func TestHostileNamesInSARIF(t *testing.T) {
	schema := sarifSchema(t)
	names := slices.Concat(hostileNames, []string{"{0}", "{x}", `a](b)`, `[a\](b)`, `[a\\](b)`, "a:b/c", "/etc/passwd", "../../x", "%41", "#L1", "?x"})
	for _, file := range []string{"several", "listener-gone", "weights", "undecided", "uncompared"} {
		want := parseSARIF(t, sarif(t, reports(t)[file]))
		for _, name := range names {
			text := sarif(t, renamed(t, file, name))
			if err := validate(schema, text); err != nil {
				t.Errorf("%s with %q: %v", file, name, err)
			}
			got := parseSARIF(t, text)
			if len(got.Runs[0].Results) != len(want.Runs[0].Results) {
				t.Errorf("%s with %q has %d results", file, name, len(got.Runs[0].Results))
			}
			for _, message := range messages(t, got) {
				checkMessage(t, fmt.Sprintf("%s with %q", file, name), message)
			}
		}
	}
}

func parseSARIF(t *testing.T, text string) sarifFile {
	t.Helper()
	var file sarifFile
	if err := json.Unmarshal([]byte(text), &file); err != nil {
		t.Fatal(err)
	}
	return file
}

// messages of all results, whose rules, places and fingerprints are checked on the way.
func messages(t *testing.T, file sarifFile) []string {
	t.Helper()
	var texts []string
	seen := map[string]bool{}
	run := file.Runs[0]
	for _, r := range run.Results {
		texts = append(texts, r.Message.Text)
		if run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("result of rule %q points at %q", r.RuleID, run.Tool.Driver.Rules[r.RuleIndex].ID)
		}
		if len(r.Locations) != 1 || r.Locations[0].PhysicalLocation.ArtifactLocation.URI == "" {
			t.Errorf("no place, so that GitHub refuses the file: %s", r.Message.Text)
		}
		fingerprint := fmt.Sprint(r.RuleID, r.PartialFingerprints)
		if seen[fingerprint] {
			t.Errorf("two results have the fingerprint %s", fingerprint)
		}
		seen[fingerprint] = true
	}
	return texts
}

// checkMessage reads a message as SARIF 3.11.5 and 3.11.6 say.
func checkMessage(t *testing.T, name, text string) {
	t.Helper()
	if i := strings.IndexFunc(text, func(c rune) bool { return c < ' ' || c == 0x7f || c == 0x202e }); i >= 0 {
		t.Errorf("%s: a control character in %q", name, text)
	}
	if strings.ContainsAny(strings.NewReplacer("{{", "", "}}", "").Replace(text), "{}") {
		t.Errorf("%s: a placeholder in %q", name, text)
	}
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++ // escapes what follows
		case strings.HasPrefix(text[i:], "]("):
			t.Errorf("%s: a link in %q", name, text)
		}
	}
}

// TestSARIFWithoutFindings: an empty list, not null, tells GitHub that what was open is mended.
func TestSARIFWithoutFindings(t *testing.T) {
	if text := sarif(t, reports(t)["unchanged"]); !strings.Contains(text, `"results": []`) {
		t.Errorf("no empty list of results:\n%s", text)
	}
}

// TestSARIFLevels: how bad a finding is, for what the golden files do not show.
func TestSARIFLevels(t *testing.T) {
	r := reports(t)["several"]
	r.Classes[0].OnlyRepeated = true
	r.Diagnostics[0].Severity = diagnostic.Info
	r.Diagnostics[1].State, r.Diagnostics[1].Severity, r.Diagnostics[1].Code = "introduced", diagnostic.Error, "RD1216"
	text := sarif(t, r)
	for _, want := range []string{
		"\"ruleId\": \"lost\",\n          \"ruleIndex\": 0,\n          \"level\": \"note\"",
		"\"ruleId\": \"RD1203\",\n          \"ruleIndex\": 9,\n          \"level\": \"note\"",
		"\"ruleId\": \"RD1216\",\n          \"ruleIndex\": 10,\n          \"level\": \"error\"",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
}
