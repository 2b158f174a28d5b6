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
		"unknown field":  {head + "spec:\n  refs: strict\n", `c.yaml:4: unknown field "refs"`},
		"misspelt field": {head + "spec:\n  policy:\n    failsOn: []\n  refrences: strict\n", `c.yaml:6: unknown field "refrences", did you mean "references"?`},
		"misspelt below": {head + "spec:\n  policy:\n    failsOn: []\n", `c.yaml:5: unknown field "failsOn", did you mean "failOn"?`},
		"a rule":         {head + "spec:\n  policy:\n    failOn:\n    - backend-lost\n    - lost\n", `c.yaml:7: spec.policy.failOn[1]: "lost" is none of `},
		"a day": {
			head + "spec:\n  policy:\n    waivers:\n    - rule: host-lost\n      host: a.example\n      by: me\n      reason: so\n      until: soon\n",
			`c.yaml:10: spec.policy.waivers[0].until: "soon" is no day`,
		},
		"no day":         {head + "spec:\n  policy:\n    waivers:\n    - {rule: host-lost, host: a.example, by: me, reason: so}\n", `c.yaml:6: spec.policy.waivers[0].until: "" is no day`},
		"a target twice": {head + "spec:\n  targets:\n  - {name: a}\n  - {name: a}\n", `c.yaml:6: spec.targets[1].name: "a" is the name of another target too`},
		"a waiver for no target": {
			head + "spec:\n  targets: [{name: prod}]\n  policy:\n    waivers:\n    - {rule: host-lost, host: a.example, by: me, reason: so, until: 2030-01-01, target: prdo}\n",
			`c.yaml:7: spec.policy.waivers[0].target: no target is named "prdo"; targets are prod`,
		},
		"a suppression":   {head + "spec:\n  check:\n    suppress: [{code: RD3001}]\n", `c.yaml:5: spec.check.suppress[0].reason: want why`},
		"wrong type":      {head + "spec:\n  gatewayClasses: [a]\n  admin:\n    port: many\n", "c.yaml:6: a value of type str `many` where int is wanted"},
		"unknown word":    {head + "spec: {references: maybe}\n", `c.yaml:3: spec.references: "maybe" is none of assume, strict`},
		"unknown dialect": {head + "spec: {dialect: nginx}\n", `spec.dialect: "nginx" is none of `},
		"no YAML":         {head + "spec: [\n", "c.yaml:3: "},
		"another kind":    {"apiVersion: v1\nkind: Pod\n", `want apiVersion routedelta.dev/v1alpha1 and kind RouteDelta, have "v1" and "Pod"`},
		"two documents":   {head + "---\n" + head, "c.yaml: want one document, have more"},
		"no port":         {head + "spec: {admin: {port: 70000}}\n", "c.yaml:3: spec.admin.port: 70000 is no port"},
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
