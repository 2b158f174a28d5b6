//go:build corpus

package render_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest/manifesttest"
)

// fact names one thing that the status of an object says: a condition, the number of attached routes or the kinds of a listener.
type fact struct {
	kind, object string
	// part of the status: "" for the whole object, else "listener", "parent" or "ancestor", and which one.
	part, of string
	what     string
}

func (f fact) String() string {
	return strings.Join(strings.Fields(strings.Join([]string{f.kind, f.object, f.part, f.of, f.what}, " ")), " ")
}

// facts are what statuses say: "True Accepted" for a condition.
type facts map[fact]string

// add adds the status of an object, as encoding/json or the YAML library reads it.
func (f facts) add(kind, namespace, name string, status map[string]any) {
	about := fact{kind: kind, object: namespace + "/" + name}
	f.conditions(about, status)
	if count, said := status["attachedListenerSets"]; said {
		about.what = "attachedListenerSets"
		f[about] = fmt.Sprint(count)
	}
	for _, listener := range maplist(status["listeners"]) {
		about.part, about.of = "listener", fmt.Sprint(listener["name"])
		about.what = "attachedRoutes"
		f[about] = fmt.Sprint(listener["attachedRoutes"])
		var kinds []string
		for _, k := range maplist(listener["supportedKinds"]) {
			kinds = append(kinds, fmt.Sprint(k["kind"]))
		}
		slices.Sort(kinds)
		about.what = "supportedKinds"
		f[about] = strings.Join(kinds, ",")
		f.conditions(about, listener)
	}
	for _, parent := range maplist(status["parents"]) {
		about.part, about.of = "parent", reference(parent["parentRef"], namespace)
		f.conditions(about, parent)
	}
	for _, ancestor := range maplist(status["ancestors"]) {
		about.part, about.of = "ancestor", reference(ancestor["ancestorRef"], namespace)
		f.conditions(about, ancestor)
	}
}

func (f facts) conditions(about fact, holder map[string]any) {
	for _, condition := range maplist(holder["conditions"]) {
		about.what = fmt.Sprint(condition["type"])
		f[about] = fmt.Sprintf("%v %v", condition["status"], condition["reason"])
	}
}

// maplist is a list of objects in what a decoder without types made.
func maplist(value any) []map[string]any {
	var made []map[string]any
	list, _ := value.([]any)
	for _, item := range list {
		if fields, is := item.(map[string]any); is {
			made = append(made, fields)
		}
	}
	return made
}

// reference is a parentRef or an ancestorRef with its defaults.
func reference(value any, namespace string) string {
	fields, _ := value.(map[string]any)
	get := func(key, absent string) string {
		if value, said := fields[key]; said {
			return fmt.Sprint(value)
		}
		return absent
	}
	text := get("kind", "Gateway") + " " + get("namespace", namespace) + "/" + get("name", "") + " " + get("sectionName", "") + " " + get("port", "")
	return strings.Join(strings.Fields(text), " ")
}

// wantedFacts reads the statuses that the owners of an input keep: a stream of objects, or a map of lists of objects.
func wantedFacts(t *testing.T, input manifesttest.Input) facts {
	t.Helper()
	data, err := os.ReadFile(input.Want)
	if err != nil {
		t.Fatal(err)
	}
	wanted := facts{}
	for decoder := yaml.NewDecoder(bytes.NewReader(data)); ; {
		var document map[string]any
		if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
			return wanted
		} else if err != nil {
			t.Fatalf("%s: %v", input.Want, err)
		}
		wanted.addObject(document)
		for _, list := range document {
			for _, object := range maplist(list) {
				wanted.addObject(object)
			}
		}
	}
}

// addObject adds the status of an object of the Gateway API.
func (f facts) addObject(object map[string]any) {
	version, _ := object["apiVersion"].(string)
	metadata, _ := object["metadata"].(map[string]any)
	status, _ := object["status"].(map[string]any)
	if !strings.HasPrefix(version, "gateway.networking.k8s.io/") || status == nil {
		return
	}
	namespace, named := metadata["namespace"].(string)
	kind := fmt.Sprint(object["kind"])
	if !named && kind != "GatewayClass" {
		namespace = "default"
	}
	f.add(kind, namespace, fmt.Sprint(metadata["name"]), status)
}

// ourFacts are what a controller says that is as strict as theirs, with the diagnostics.
func ourFacts(t *testing.T, input manifesttest.Input) (facts, diagnostic.List) {
	t.Helper()
	objects, found := readInput(t, input, supplied(t, input)...)
	rendering, err := render.Render(t.Context(), objects, render.Options{References: render.Strict})
	if err != nil {
		t.Fatal(err)
	}
	documents, err := rendering.Status.Documents()
	if err != nil {
		t.Fatal(err)
	}
	ours := facts{}
	for _, d := range documents {
		ours.add(d.Kind, d.Namespace, d.Name.Name, d.Status)
	}
	return ours, slices.Concat(found, rendering.Diagnostics)
}
