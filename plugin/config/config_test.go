package config_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/render"
)

const head = "apiVersion: routedelta.dev/v1alpha1\nkind: RouteDelta\n"

func TestParse(t *testing.T) {
	configured, err := config.Parse("c.yaml", []byte(head+`metadata:
  name: edge
  annotations: {config.kubernetes.io/function: "exec: {path: ./routedelta}"}
spec:
  references: strict
  dialect: envoy-gateway-1.8
  gatewayClasses: [internal, external]
  admin: {port: -1}
`))
	if err != nil {
		t.Fatal(err)
	}
	want := render.Options{
		References:     render.Strict,
		Dialect:        "envoy-gateway-1.8",
		GatewayClasses: []string{"internal", "external"},
		AdminPort:      -1,
	}
	if diff := cmp.Diff(want, configured.RenderOptions()); diff != "" {
		t.Error(diff)
	}
}

func TestParseTakesAConfigMapAsKptMakesIt(t *testing.T) {
	configured, err := config.Parse("fn", []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {references: strict, allowEmpty: \"true\"}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if configured.Spec.References != "strict" || !configured.Spec.AllowEmpty {
		t.Errorf("spec is %+v", configured.Spec)
	}
}

// Every mistake is said with the file, the line and the field.
func TestParseRefuses(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"unknown field":   {head + "spec:\n  refs: strict\n", `c.yaml:4: unknown field "refs"`},
		"wrong type":      {head + "spec:\n  gatewayClasses: [a]\n  admin:\n    port: many\n", "c.yaml:6: a value of type str `many` where int is wanted"},
		"unknown word":    {head + "spec: {references: maybe}\n", `c.yaml: spec.references: "maybe" is none of assume, strict`},
		"unknown dialect": {head + "spec: {dialect: nginx}\n", `spec.dialect: "nginx" is none of `},
		"no YAML":         {head + "spec: [\n", "c.yaml:3: "},
		"another kind":    {"apiVersion: v1\nkind: Pod\n", `want apiVersion routedelta.dev/v1alpha1 and kind RouteDelta, have "v1" and "Pod"`},
		"two documents":   {head + "---\n" + head, "c.yaml: want one document, have more"},
		"no port":         {head + "spec: {admin: {port: 70000}}\n", "spec.admin.port: 70000 is no port"},
		"ConfigMap field": {"apiVersion: v1\nkind: ConfigMap\ndata: {refs: strict}\n", `unknown field "refs"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := config.Parse("c.yaml", []byte(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v\nwant %s", err, c.want)
			}
		})
	}
}
