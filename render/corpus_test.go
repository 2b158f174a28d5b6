//go:build corpus

package render_test

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/manifest/manifesttest"
)

// corpus are the inputs below $ROUTEDELTA_CORPUS/manifests.
func corpus(t *testing.T) []manifesttest.Input {
	t.Helper()
	inputs, err := manifesttest.Corpus(filepath.Join(os.Getenv("ROUTEDELTA_CORPUS"), "manifests"))
	if err != nil {
		t.Fatal(err)
	}
	if len(inputs) == 0 {
		t.Fatal("no input: ROUTEDELTA_CORPUS names the corpus")
	}
	return inputs
}

func readInput(t *testing.T, input manifesttest.Input, more ...manifest.Source) (*manifest.Objects, diagnostic.List) {
	t.Helper()
	for _, file := range input.Files {
		more = append(more, manifest.Source{Name: file.Name, Data: file.Data})
	}
	return manifest.Read(t.Context(), more, manifest.Limits{})
}

// TestCorpusManifestsAreRendered renders what other people wrote, as it is reviewed and as a controller would: no object of the
// Gateway API gets lost in silence, and what is rendered agrees with itself.
func TestCorpusManifestsAreRendered(t *testing.T) {
	for _, references := range []render.References{render.Assume, render.Strict} {
		total := tally{places: map[string]int{}, codes: map[diagnostic.Code]int{}, samples: map[diagnostic.Code]string{}}
		for _, input := range corpus(t) {
			objects, found := readInput(t, input)
			where := account{objects: objects, found: found}
			written := objectsIn(t, input)
			rendering, err := render.Render(t.Context(), objects, render.Options{References: references})
			if err != nil {
				t.Fatalf("%s: %v", input.Name, err)
			}
			where.rendering = rendering
			where.found = slices.Concat(found, rendering.Diagnostics)
			for _, object := range written {
				place := where.of(object)
				if place == "" {
					t.Errorf("%s: %s is lost: neither a status nor a diagnostic names it", input.Name, object)
				}
				total.places[place]++
			}
			total.note(input, rendering, where.found)
			if of, isExample := strings.CutPrefix(input.Name, "gateway-api/"); isExample && where.found.HasErrors() != strings.HasPrefix(of, "invalid-examples/") {
				t.Errorf("%s: has errors: %v", input.Name, where.found.HasErrors())
			}
			for _, gateway := range rendering.Gateways {
				if wrong := files.Check(gateway.Files); len(wrong) > 0 {
					t.Errorf("%s: the rendering of %s does not agree with itself: %v", input.Name, gateway.Model.Name, wrong)
				}
			}
		}
		total.log(t, references)
	}
}

// objectsIn are the objects of the Gateway API in an input, read without the reader under test.
func objectsIn(t *testing.T, input manifesttest.Input) map[string]diagnostic.Object {
	t.Helper()
	found := map[string]diagnostic.Object{}
	for _, file := range input.Files {
		for decoder := yaml.NewDecoder(bytes.NewReader(file.Data)); ; {
			var document any
			if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", file.Name, err)
			}
			gatherObjects(found, document)
		}
	}
	return found
}

func gatherObjects(into map[string]diagnostic.Object, document any) {
	fields, _ := document.(map[string]any)
	if items, isList := fields["items"].([]any); isList {
		for _, item := range items {
			gatherObjects(into, item)
		}
	}
	version, _ := fields["apiVersion"].(string)
	group, _, _ := strings.Cut(version, "/")
	metadata, _ := fields["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	if name == "" || group != "gateway.networking.k8s.io" && group != "gateway.networking.x-k8s.io" {
		return
	}
	object := diagnostic.Object{Name: name}
	object.Kind, _ = fields["kind"].(string)
	object.Namespace, _ = metadata["namespace"].(string)
	switch {
	case object.Kind == "GatewayClass":
		object.Namespace = ""
	case object.Namespace == "":
		object.Namespace = "default"
	}
	into[object.String()] = object
}

// variables are what the reader puts readable stand-ins for.
var variables = regexp.MustCompile(`\$\{[A-Z_]+\}`)

// account says where an object of an input went.
type account struct {
	objects   *manifest.Objects
	rendering *render.Rendering
	found     diagnostic.List
}

func (a account) of(object diagnostic.Object) string {
	object.Name = variables.ReplaceAllStringFunc(object.Name, func(use string) string {
		return strings.ToLower(strings.ReplaceAll(strings.Trim(use, "${}"), "_", "-"))
	})
	isIt := func(other manifest.Other) bool { return other.Object == object }
	said := func(severity diagnostic.Severity) bool {
		return slices.ContainsFunc(a.found, func(d diagnostic.Diagnostic) bool { return d.Object == object && d.Severity == severity })
	}
	documents, err := a.rendering.Status.Documents()
	if err != nil {
		return ""
	}
	for _, document := range documents {
		if (diagnostic.Object{Kind: document.Kind, Namespace: document.Namespace, Name: document.Name.Name}) == object {
			return "status"
		}
	}
	for _, grant := range a.objects.ReferenceGrants {
		if object == (diagnostic.Object{Kind: "ReferenceGrant", Namespace: grant.Object.Namespace, Name: grant.Object.Name}) {
			return "grant"
		}
	}
	switch {
	case slices.ContainsFunc(a.objects.Invalid, isIt) && said(diagnostic.Error):
		return "refused"
	case slices.ContainsFunc(a.objects.Others, isIt):
		return "not read"
	case said(diagnostic.Error), said(diagnostic.Warning), said(diagnostic.Info):
		return "left out with a diagnostic"
	case a.belongsToInvalid(object):
		return "of a refused Gateway"
	}
	return ""
}

// belongsToInvalid tells a ListenerSet whose Gateway is refused: that is said of the Gateway.
func (a account) belongsToInvalid(object diagnostic.Object) bool {
	for _, set := range a.objects.ListenerSets {
		parent := diagnostic.Object{Kind: "Gateway", Namespace: set.Object.Namespace, Name: string(set.Object.Spec.ParentRef.Name)}
		if set.Object.Spec.ParentRef.Namespace != nil {
			parent.Namespace = string(*set.Object.Spec.ParentRef.Namespace)
		}
		isParent := func(other manifest.Other) bool { return other.Object == parent }
		if object == (diagnostic.Object{Kind: "ListenerSet", Namespace: set.Object.Namespace, Name: set.Object.Name}) {
			return slices.ContainsFunc(a.objects.Invalid, isParent)
		}
	}
	return false
}

// tally is what the log says of all inputs.
type tally struct {
	places                            map[string]int
	inputs, files, gateways, refusing int
	codes                             map[diagnostic.Code]int
	samples                           map[diagnostic.Code]string
}

func (c *tally) note(input manifesttest.Input, rendering *render.Rendering, found diagnostic.List) {
	c.inputs++
	c.files += len(input.Files)
	c.gateways += len(rendering.Gateways)
	if found.HasErrors() {
		c.refusing++
	}
	for _, d := range found {
		if d.Severity == diagnostic.Error {
			c.codes[d.Code]++
			c.samples[d.Code] = d.String()
		}
	}
}

func (c *tally) log(t *testing.T, references render.References) {
	t.Logf("references %s: %d inputs of %d files, %d Gateways rendered; objects of the Gateway API: %v", references, c.inputs, c.files, c.gateways, c.places)
	t.Logf("references %s: %d inputs have errors", references, c.refusing)
	for _, code := range slices.Sorted(maps.Keys(c.codes)) {
		t.Logf("%5d %s, the last: %s", c.codes[code], code, c.samples[code])
	}
}
