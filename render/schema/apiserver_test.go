package schema

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/routedelta/routedelta/render/schema/schematest"
)

// answersFile has what a real kube-apiserver said to the probes of schematest: make oracle-apiserver.
const answersFile = "apiserver.jsonl.gz"

// answered is a probe with the server's answer.
type answered struct {
	schematest.Probe
	answer schematest.Answer
}

// readAnswers gives all probes with their answers, and the server's version.
func readAnswers(t *testing.T) ([]answered, string) {
	t.Helper()
	definitions, err := schematest.ReadModule(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	probes, err := schematest.AllProbes(definitions)
	if err != nil {
		t.Fatal(err)
	}
	examples, err := schematest.Examples(t.Context(), definitions)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join("testdata", answersFile))
	if err != nil {
		t.Fatal(err)
	}
	answers, err := schematest.ReadAnswers(data)
	if err != nil {
		t.Fatal(err)
	}
	return match(t, append(probes, examples...), answers), answers.Kubernetes
}

// match puts probes and answers together, which must be about the same objects.
func match(t *testing.T, probes []schematest.Probe, answers schematest.Answers) []answered {
	t.Helper()
	byName := make(map[string]schematest.Answer, len(answers.List))
	for _, answer := range answers.List {
		byName[answer.Probe] = answer
	}
	list := make([]answered, 0, len(probes))
	for _, probe := range probes {
		answer, known := byName[probe.Name]
		if !known || answer.Digest != schematest.Digest(probe.Object) {
			t.Fatalf("the server was not asked about %q as it is now: run make oracle-apiserver WRITE=1", probe.Name)
		}
		list = append(list, answered{probe, answer})
	}
	if len(list) != len(answers.List) {
		t.Fatalf("the server was asked about %d objects, there are %d: run make oracle-apiserver WRITE=1", len(answers.List), len(list))
	}
	return list
}

// TestAgainstServer: each probe gets the verdict, the causes and the defaults that the server gave; what is right gets them from the
// quick look and from the library alone.
func TestAgainstServer(t *testing.T) {
	list, _ := readAnswers(t)
	if len(list) < 400 {
		t.Errorf("only %d probes", len(list))
	}
	v := New(Experimental)
	byDefinition := map[*schematest.Definition][]answered{}
	for _, probe := range list {
		byDefinition[probe.Definition] = append(byDefinition[probe.Definition], probe)
	}
	for d, probes := range byDefinition {
		t.Run(d.Name(), func(t *testing.T) {
			t.Parallel()
			for _, probe := range probes {
				compareWithServer(t, v, probe, (*version).accepts)
				if probe.answer.Accepted() {
					compareWithServer(t, v, probe, askLibrary)
				}
			}
		})
	}
}

// askLibrary accepts nothing, so that the library is asked.
func askLibrary(*version, map[string]any) bool { return false }

func compareWithServer(t *testing.T, v *Validator, probe answered, accepts func(*version, map[string]any) bool) {
	t.Helper()
	result, err := v.apply(context.Background(), probe.Definition.GroupVersionKind, runtime.DeepCopyJSON(probe.Object), accepts)
	if err != nil {
		t.Errorf("%s: %v", probe.Name, err)
		return
	}
	for _, difference := range []string{compareRefusal(probe.answer, result), compareStored(probe.answer, result)} {
		if difference != "" {
			t.Errorf("%s (- server, + schema): %s", probe.Name, difference)
		}
	}
}

// compareRefusal compares the causes. A server that cannot decode an object, or finds fields in it that it does not know, says so
// in its message and looks no further; schema looks further.
func compareRefusal(answer schematest.Answer, result Result) string {
	if answer.Message != "" {
		var messages []string
		for _, cause := range result.Causes {
			if cause.Reason == "" {
				messages = append(messages, strings.TrimPrefix(cause.Message, strictError))
			}
		}
		return cmp.Diff(undecodable(answer.Message), messages)
	}
	var causes []schematest.Cause
	for _, cause := range result.Causes {
		causes = append(causes, schematest.Cause{Field: cause.Field, Reason: string(cause.Reason), Message: cause.Message})
	}
	schematest.SortCauses(causes)
	return cmp.Diff(answer.Causes, causes)
}

const strictError = "strict decoding error: "

// undecodable gives what a server that cannot decode an object says of it: unknown field "spec.a", unknown field "spec.b". It says
// first that it cannot, which goes without saying here.
func undecodable(message string) []string {
	_, message, _ = strings.Cut(message, " cannot be handled as a ")
	_, message, _ = strings.Cut(message, ": ")
	if _, unknown, is := strings.Cut(message, strictError); is {
		return strings.Split(unknown, ", ")
	}
	return []string{message}
}

// compareStored compares an accepted object with what the server stores.
func compareStored(answer schematest.Answer, result Result) string {
	if !answer.Accepted() || len(result.Causes) > 0 {
		return ""
	}
	return cmp.Diff(answer.Stored, result.Value) + cmp.Diff(answer.Warnings, result.Warnings)
}
