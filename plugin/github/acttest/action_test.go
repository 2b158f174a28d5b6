package acttest

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// action is what these tests read of action.yml.
type action struct {
	Inputs  map[string]struct{ Description, Default string }
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Using string
		Steps []struct {
			ID, Shell, Run, Uses string
			Env                  map[string]string
		}
	}
}

// TestActionScripts holds what cannot be seen by running them: no expression stands inside of a script, where it would be pasted in before
// the shell reads it, and every input reaches a program.
func TestActionScripts(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../action.yml")
	must(t, err)
	var a action
	must(t, yaml.Unmarshal(text, &a))
	if a.Runs.Using != "composite" || len(a.Runs.Steps) == 0 {
		t.Fatalf("runs: %+v", a.Runs)
	}
	var passed []string
	for _, step := range a.Runs.Steps {
		if strings.Contains(step.Run, "${{") || step.Shell != "bash" || step.Uses != "" {
			t.Errorf("step %+v", step)
		}
		for _, value := range step.Env {
			if input, ok := strings.CutPrefix(value, "${{ inputs."); ok {
				passed = append(passed, strings.TrimSuffix(input, " }}"))
			}
		}
	}
	page, err := os.ReadFile("../../../docs/github-action.md")
	must(t, err)
	for name, input := range a.Inputs {
		if !slices.Contains(passed, name) {
			t.Errorf("the input %s reaches no program", name)
		}
		if !strings.Contains(string(page), "| `"+name+"` |") || input.Description == "" {
			t.Errorf("docs/github-action.md does not explain the input %s", name)
		}
	}
	for name, output := range a.Outputs {
		if output.Value != "${{ steps.run.outputs."+name+" }}" || !regexp.MustCompile("(?m)^\\| .*`"+name+"`.* \\|").Match(page) {
			t.Errorf("the output %s is %+v, or docs/github-action.md does not explain it", name, output)
		}
	}
}
