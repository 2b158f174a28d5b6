package krm_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/plugin/krm"
	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/manifest/manifesttest"
)

// A Gateway with thousands of routes needs more than one ConfigMap; none is over the API server's limit, and together they hold every
// file once.
func TestConfigMapsStayUnderTheLimit(t *testing.T) {
	objects, found := manifest.Read(t.Context(), []manifest.Source{
		{Name: "gateway.yaml", Data: []byte(strings.ReplaceAll(strings.Split(manifests, "---")[0], "PORT", "80"))},
		{Name: "routes.yaml", Data: []byte(manyRoutes(400))},
	}, manifest.Limits{})
	if found.HasErrors() {
		t.Fatal(found)
	}
	rendering, err := render.Render(t.Context(), objects, render.Options{})
	if err != nil {
		t.Fatal(err)
	}
	made, err := krm.ConfigMaps(rendering, config.Spec{})
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, configMap := range made {
		text, err := configMap.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if len(text) >= 1<<20 {
			t.Errorf("ConfigMap %s has %d bytes", configMap.Name, len(text))
		}
		for key := range configMap.Data {
			if names[key] {
				t.Errorf("%s stands twice", key)
			}
			names[key] = true
		}
	}
	if !names["bootstrap.json"] || !names["cds.json"] || !names["rds.http-80.json"] {
		t.Errorf("the ConfigMaps hold %v", names)
	}
}

func manyRoutes(n int) string {
	var b strings.Builder
	for i := range n {
		name := strings.Repeat("x", 40) + "-" + string(rune('a'+i%26)) + strings.Repeat("y", i/26)
		b.WriteString("---\napiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: " + name + ", namespace: edge}\n" +
			"spec:\n  parentRefs: [{name: public}]\n  hostnames: [h" + strings.Repeat("z", i%40) + ".example]\n" +
			"  rules:\n  - backendRefs: [{name: web, port: 80}]\n")
	}
	return b.String()
}

// renderingOf is one Gateway with so many routes of four rules on one port.
func renderingOf(t *testing.T, routes int) *render.Rendering {
	t.Helper()
	objects, _ := manifest.Read(t.Context(), []manifest.Source{
		{Name: "infrastructure.yaml", Data: []byte(manifesttest.Infrastructure)},
		{Name: "routes.yaml", Data: manifesttest.Routes(routes)},
	}, manifest.Limits{})
	rendering, err := render.Render(t.Context(), objects, render.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return rendering
}

// A rendering that fits no ConfigMap is an error, not a ConfigMap that the API server refuses.
func TestConfigMapsTooLarge(t *testing.T) {
	_, err := krm.ConfigMaps(renderingOf(t, 3000), config.Spec{})
	if err == nil || !strings.Contains(err.Error(), "fits no ConfigMap") {
		t.Errorf("error is %v", err)
	}
}

// A file that is over the limit only by its white space goes in without it.
func TestConfigMapsTighten(t *testing.T) {
	made, err := krm.ConfigMaps(renderingOf(t, 400), config.Spec{})
	if err != nil {
		t.Fatal(err)
	}
	tight := 0
	for _, configMap := range made {
		for key, text := range configMap.Data {
			if !json.Valid([]byte(text)) {
				t.Errorf("%s is no JSON", key)
			}
			if !strings.Contains(text, "\n  ") {
				tight++
			}
		}
	}
	if tight != 1 {
		t.Errorf("%d files without white space, want the table of routes alone", tight)
	}
}

// What YAML 1.1 would read as something else than text comes out quoted.
func TestMarshalQuotes(t *testing.T) {
	text, err := krm.ConfigMap{
		Name: "y", Namespace: "on", Labels: map[string]string{"a": "007", "b": "no"}, Data: map[string]string{"f.json": "{\n}\n"},
	}.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`name: "y"`, `namespace: "on"`, `a: "007"`, `b: "no"`, "f.json: |\n"} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
	if _, err := yaml.Parse(string(text)); err != nil {
		t.Error(err)
	}
}

// The stream goes back as it came, comments and order included, with the ConfigMaps behind it; results name object, field and file.
func TestRun(t *testing.T) {
	in := `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: gateway.networking.k8s.io/v1
  kind: HTTPRoute
  metadata: # a comment
    name: shop
    namespace: edge
    annotations:
      internal.config.kubernetes.io/path: routes/shop.yaml
      config.kubernetes.io/path: routes/shop.yaml
  spec:
    parentRefs: [{name: public}]
    rules:
    - backendRefs: [{name: web, port: 80}]
- apiVersion: example.com/v1
  kind: Zebra
  metadata: {name: z}
`
	var out bytes.Buffer
	found, err := krm.Run(t.Context(), strings.NewReader(in), &out, krm.Caller{})
	if err != nil || found.HasErrors() {
		t.Fatal(err, found)
	}
	text := out.String()
	order := []string{"kind: HTTPRoute", "# a comment", "kind: Zebra", "name: public-envoy", "results:", "severity: warning", "path: spec.parentRefs[0]", "path: routes/shop.yaml"}
	at := 0
	for _, want := range order {
		i := strings.Index(text[at:], want)
		if i < 0 {
			t.Fatalf("%q is not behind what comes before it in\n%s", want, text)
		}
		at += i
	}
}
