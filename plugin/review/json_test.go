package review

import (
	"bytes"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/routedelta/routedelta/diff/report"
)

// holdJSON holds that other programs can read a report by the schema in docs, and that ours reads it back whole.
func holdJSON(t *testing.T, found *report.Report) {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile("../../docs/report.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := report.Encode(&text, found); err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(document); err != nil {
		t.Error(err)
	}
	read, err := report.Decode(bytes.NewReader(text.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := report.Encode(&again, read); err != nil {
		t.Fatal(err)
	}
	if again.String() != text.String() {
		t.Errorf("read and written again it is\n%s\nnot\n%s", again.String(), text.String())
	}
}
