package acttest

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestWorkflows has actionlint check our own workflows and those of the page.
func TestWorkflows(t *testing.T) {
	t.Parallel()
	lint := os.Getenv("ACTIONLINT")
	if lint == "" {
		lint = "../../../.local/bin/actionlint"
	}
	if _, err := exec.LookPath(lint); err != nil {
		t.Fatalf("there is no actionlint: make actionlint builds it (%v)", err)
	}
	files, err := filepath.Glob("../../../.github/workflows/*.yml")
	must(t, err)
	if len(files) == 0 {
		t.Fatal("there are no workflows")
	}
	for _, text := range documented(t) {
		name := filepath.Join(t.TempDir(), "documented.yml")
		must(t, os.WriteFile(name, []byte(text), 0o644))
		files = append(files, name)
	}
	for _, file := range files {
		if out, err := exec.Command(lint, "-shellcheck=", "-pyflakes=", "-no-color", file).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", file, err, out)
		}
	}
	broken := filepath.Join(t.TempDir(), "broken.yml")
	must(t, os.WriteFile(broken, []byte("on: pull_request\njobs: {x: {runs-on: ubuntu-latest, steps: [{run: 'echo ${{ github.head_ref }}'}]}}\n"), 0o644))
	if out, err := exec.Command(lint, broken).CombinedOutput(); err == nil || !strings.Contains(string(out), "untrusted") {
		t.Errorf("actionlint finds nothing in a script with a branch's name in it: %v\n%s", err, out)
	}
}

// TestActionSchema holds action.yml to the schema by which editors and others check such files.
func TestActionSchema(t *testing.T) {
	t.Parallel()
	file, err := os.Open("testdata/github-action.schema.json")
	must(t, err)
	defer file.Close()
	document, err := jsonschema.UnmarshalJSON(file)
	must(t, err)
	compiler := jsonschema.NewCompiler()
	must(t, compiler.AddResource("action.json", document))
	schema, err := compiler.Compile("action.json")
	must(t, err)
	text, err := os.ReadFile("../../../action.yml")
	must(t, err)
	valid := func(text []byte) error {
		var action any
		must(t, yaml.Unmarshal(text, &action))
		data, err := json.Marshal(action)
		must(t, err)
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		must(t, err)
		return schema.Validate(value)
	}
	if err := valid(text); err != nil {
		t.Error(err)
	}
	for _, mistake := range [][2]string{{"using: composite", "using: composit"}, {"description: Says", "descriptions: Says"}, {"shell: bash", "shells: bash"}} {
		if valid(bytes.Replace(text, []byte(mistake[0]), []byte(mistake[1]), 1)) == nil {
			t.Errorf("the schema takes %q", mistake[1])
		}
	}
}
