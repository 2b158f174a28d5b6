package schema_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"

	"github.com/routedelta/routedelta/render/attach"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/schema"
	"github.com/routedelta/routedelta/render/schema/internal/bundle"
	"github.com/routedelta/routedelta/render/status"
)

// An API server would take every status that is made of the inputs of package attach, once the times are filled in that only a
// cluster knows: no field that it does not have, none missing, no value out of bounds.
func TestStatusesFitTheDefinitions(t *testing.T) {
	held := map[string]int{}
	definitions := statusDefinitions(t)
	paths, err := filepath.Glob("../attach/testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no manifests", err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, references := range []attach.References{attach.Assume, attach.Strict} {
			for _, document := range documentsOf(t, archive.Files[0].Data, references) {
				held[document.Kind]++
				for _, problem := range definitions[document.Kind].refuse(document.Status) {
					t.Errorf("%s, %s: %s %s: %s", filepath.Base(path), references, document.Kind, document.Name, problem)
				}
			}
		}
	}
	for kind := range definitions {
		if held[kind] == 0 {
			t.Errorf("no manifest makes a status of a %s", kind)
		}
	}
}

func documentsOf(t *testing.T, manifests []byte, references attach.References) []status.Document {
	t.Helper()
	objects, _ := manifest.Read(t.Context(), []manifest.Source{{Name: "m.yaml", Data: manifests, Named: true}}, manifest.Limits{})
	_, said, _ := attach.Attach(objects, attach.Options{References: references})
	documents, err := said.Documents()
	if err != nil {
		t.Fatal(err)
	}
	return documents
}

// statusDefinition is what a definition says of the status of a kind.
type statusDefinition struct {
	structural *structuralschema.Structural
	validator  validation.SchemaValidator
}

// statusDefinitions are those of the kinds that are written, in their preferred version.
func statusDefinitions(t *testing.T) map[string]statusDefinition {
	t.Helper()
	data, err := os.ReadFile("crds.zip")
	must(t, err)
	archive, err := bundle.Open(data)
	must(t, err)
	kinds, err := archive.Kinds(string(schema.Experimental))
	must(t, err)
	written := "GatewayClass Gateway ListenerSet HTTPRoute GRPCRoute TLSRoute TCPRoute UDPRoute BackendTLSPolicy"
	definitions := map[string]statusDefinition{}
	for _, kind := range kinds {
		for _, version := range kind.Versions {
			if version.Name == "v1" && strings.Contains(" "+written+" ", " "+kind.Kind+" ") {
				definitions[kind.Kind] = readStatusDefinition(t, archive, version)
			}
		}
	}
	if len(definitions) != len(strings.Fields(written)) {
		t.Fatalf("only %d of %s are defined in v1", len(definitions), written)
	}
	return definitions
}

func readStatusDefinition(t *testing.T, archive bundle.Archive, version bundle.Version) statusDefinition {
	t.Helper()
	data, err := archive.Read(version.Schema)
	must(t, err)
	var properties apiextensionsv1.JSONSchemaProps
	must(t, json.Unmarshal(data, &properties))
	status, internal := properties.Properties["status"], new(apiextensions.JSONSchemaProps)
	must(t, apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&status, internal, nil))
	structural, err := structuralschema.NewStructural(internal)
	must(t, err)
	validator, _, err := validation.NewSchemaValidator(internal)
	must(t, err)
	return statusDefinition{structural, validator}
}

// refuse says why the API server would not take a status.
func (d statusDefinition) refuse(status map[string]any) []string {
	fillInTimes(status)
	var problems []string
	for _, err := range validation.ValidateCustomResource(nil, status, d.validator) {
		problems = append(problems, err.Error())
	}
	for _, err := range listtype.ValidateListSetsAndMaps(nil, d.structural, status) {
		problems = append(problems, err.Error())
	}
	for _, unknown := range pruning.PruneWithOptions(status, d.structural, false, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}) {
		problems = append(problems, "unknown field "+unknown)
	}
	return problems
}

func fillInTimes(value any) {
	switch value := value.(type) {
	case map[string]any:
		if value["reason"] != nil {
			value["lastTransitionTime"] = "2026-01-01T00:00:00Z"
		}
		for _, field := range value {
			fillInTimes(field)
		}
	case []any:
		for _, item := range value {
			fillInTimes(item)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
