package argocd_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/argocd"
)

// Lists, maps and what only Argo CD knows are taken; what is no parameter, or of another type, is an error.
func TestGenerateTakesEachType(t *testing.T) {
	files := map[string]string{"routes.yaml": strings.ReplaceAll(application, "name: web", `name: "${BACKEND}"`)}
	text, err := generate(t, files, `[
		{"name":"variables","map":{"BACKEND":"cart"}},
		{"name":"labels","map":{"team":"y"}},
		{"name":"namespace","string":"proxies"},
		{"name":"serverSideApply","string":"always"},
		{"name":"gatewayClasses","array":["envoy"]}]`)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"edge/cart/80", `team: "y"`, "namespace: proxies", "argocd.argoproj.io/sync-options: ServerSideApply=true"} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %s in\n%s", want, text)
		}
	}
	for parameters, want := range map[string]string{
		`[{"name":"gatewayClasses","array":["other"]}]`:          argocd.ErrEmpty.Error(),
		`[{"name":"gatewayClasses","string":"other"}]`:           `parameter "gatewayClasses": want`,
		`[{"name":"other","array":["x"]}]`:                       `parameter "other": want`,
		`[{"name":"labels","array":["x"]}]`:                      `parameter "labels": want`,
		`[{"name":"serverSideApply","string":"maybe"}]`:          `"maybe" is none of large, always, never`,
		`[{"name":"refs","string":"strict"}]`:                    `unknown field "refs"`,
		`[{"name":"allowEmpty","string":"perhaps"}]`:             "ARGOCD_APP_PARAMETERS",
		`[{"name":"references","string":"strict"},{"name":"x"}]`: `parameter "x": want`,
	} {
		if text, err := generate(t, files, parameters); err == nil || !strings.Contains(err.Error(), want) || text != "" {
			t.Errorf("%s: %v, want %s; printed %q", parameters, err, want, text)
		}
	}
}

// An object that is too large for kubectl's annotation is applied by the server.
func TestLargeObjectsAreAppliedByTheServer(t *testing.T) {
	files := map[string]string{"gateway.yaml": application}
	for i := range 40 {
		var route strings.Builder
		fmt.Fprintf(&route, "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: route-%d, namespace: edge}\nspec:\n  parentRefs: [{name: public}]\n  rules:\n", i)
		for rule := range 10 {
			fmt.Fprintf(&route, "  - matches: [{path: {value: /%d/%d/%s}}]\n    backendRefs: [{name: web, port: 80}]\n", i, rule, strings.Repeat("x", 600))
		}
		files[fmt.Sprintf("route-%d.yaml", i)] = route.String()
	}
	for parameters, want := range map[string]bool{"null": true, `[{"name":"serverSideApply","string":"never"}]`: false} {
		text, err := generate(t, files, parameters)
		if err != nil {
			t.Fatal(err)
		}
		if have := strings.Contains(text, "ServerSideApply=true"); have != want || len(text) < 300<<10 {
			t.Errorf("%s: of %d bytes, applied by the server: %v, want %v", parameters, len(text), have, want)
		}
	}
}

// What is announced is what is in force: the defaults, or what the file says. Given back, it changes nothing.
func TestAnnouncedParametersAreInForce(t *testing.T) {
	files := map[string]string{
		"routes.yaml": application,
		".routedelta.yaml": `apiVersion: routedelta.dev/v1alpha1
kind: RouteDelta
spec: {references: strict, gatewayClasses: [envoy], configMap: {labels: {a: b}}}
`,
	}
	var out bytes.Buffer
	if err := argocd.Announce(argocd.Application{Dir: written(t, files), Env: func(string) string { return "" }}, &out); err != nil {
		t.Fatal(err)
	}
	var announced []struct {
		Name, Title, Tooltip, CollectionType string
		String                               *string
		Array                                []string
		Map                                  map[string]string
	}
	decoder := json.NewDecoder(&out)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&announced); err != nil {
		t.Fatal(err)
	}
	have := map[string]string{}
	for _, p := range announced {
		text, err := json.Marshal([]any{p.String, p.Array, p.Map})
		if err != nil {
			t.Fatal(err)
		}
		have[p.Name] = string(text)
		if p.Title == "" || p.Tooltip == "" {
			t.Errorf("%s has no title or no tooltip", p.Name)
		}
	}
	for name, want := range map[string]string{
		"references": `["strict",null,null]`, "dialect": `["gateway-api",null,null]`, "gatewayClasses": `[null,["envoy"],null]`,
		"labels": `[null,null,{"a":"b"}]`, "variables": `[null,null,{}]`, "allowEmpty": `["false",null,null]`,
	} {
		if have[name] != want {
			t.Errorf("%s is announced as %s, want %s", name, have[name], want)
		}
	}
	given, err := json.Marshal(announced)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := generate(t, files, "null")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := generate(t, files, string(given)); err != nil || again != plain {
		t.Errorf("what was announced, given back, changes the output: %v", err)
	}
}

// The file of the component announces what no application's file says, with the default of the code.
func TestPluginFile(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("component", "plugin.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var plugin struct {
		Spec struct {
			Discover   map[string]string
			Parameters struct {
				Static []struct{ Name, String string }
			}
		}
	}
	if err := yaml.Unmarshal(text, &plugin); err != nil {
		t.Fatal(err)
	}
	static := plugin.Spec.Parameters.Static
	if plugin.Spec.Discover["fileName"] != ".routedelta.yaml" || len(static) != 1 || static[0].Name != "serverSideApply" {
		t.Fatalf("%+v", plugin)
	}
	files := map[string]string{"routes.yaml": application}
	plain, err := generate(t, files, "null")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := generate(t, files, `[{"name":"serverSideApply","string":"`+static[0].String+`"}]`); err != nil || again != plain {
		t.Errorf("the announced default is not that of the code: %v", err)
	}
}

// An application is ours by its file, right or wrong, and by nothing else.
func TestDiscover(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"the file":       {map[string]string{".routedelta.yaml": "wrong: [\n"}, ".routedelta.yaml\n"},
		"routes only":    {map[string]string{"routes.yaml": application}, ""},
		"one folder off": {map[string]string{"sub/.routedelta.yaml": ""}, ""},
	} {
		var out bytes.Buffer
		err := argocd.Discover(argocd.Application{Dir: written(t, c.files)}, &out)
		if err != nil || out.String() != c.want {
			t.Errorf("%s: %q, %v, want %q", name, out.String(), err, c.want)
		}
	}
}

// A link does not lead to a configuration outside of the application.
func TestLinkedConfigurationOutside(t *testing.T) {
	dir := written(t, map[string]string{"app/routes.yaml": application, "outside.yaml": "secret\n"})
	if err := os.Symlink("../outside.yaml", filepath.Join(dir, "app", ".routedelta.yaml")); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	_, err := argocd.Generate(t.Context(), argocd.Application{Dir: filepath.Join(dir, "app"), Env: func(string) string { return "" }}, &out)
	if err == nil || strings.Contains(err.Error(), "secret") || out.Len() > 0 {
		t.Errorf("the link is followed: %v, %q", err, out.String())
	}
}

// An overlay finds its base beside it, in a copy of the repository that has no .git, and what has no namespace is in that of the
// destination.
func TestGenerateReadsTheOverlay(t *testing.T) {
	dir := written(t, map[string]string{
		"base/routes.yaml":                 strings.ReplaceAll(application, ", namespace: edge", ""),
		"base/kustomization.yaml":          "resources: [routes.yaml]\n",
		"overlays/prod/kustomization.yaml": "resources: [../../base]\npatches:\n- target: {kind: Gateway}\n  patch: '[{\"op\": \"replace\", \"path\": \"/spec/listeners/0/port\", \"value\": 8088}]'\n",
		"overlays/prod/.routedelta.yaml":   "apiVersion: routedelta.dev/v1alpha1\nkind: RouteDelta\n",
	})
	environment := map[string]string{"ARGOCD_APP_SOURCE_PATH": "overlays/prod", "ARGOCD_APP_NAMESPACE": "team-a", "ARGOCD_APP_PARAMETERS": "null"}
	var out bytes.Buffer
	found, err := argocd.Generate(t.Context(), argocd.Application{
		Dir: filepath.Join(dir, "overlays", "prod"), Env: func(name string) string { return environment[name] },
	}, &out)
	if err != nil || found.HasErrors() {
		t.Fatal(err, found)
	}
	for _, want := range []string{"namespace: team-a", `"name": "http-8088"`, "team-a/web/80"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("there is no %s in\n%s", want, out.String())
		}
	}
}
