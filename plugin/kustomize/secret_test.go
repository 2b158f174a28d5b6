package kustomize_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/routedelta/routedelta/plugin/kustomize"
)

// TestErrorsTellNoSecret: kustomize prints what it stumbles over; what is told of it holds nothing of that.
func TestErrorsTellNoSecret(t *testing.T) {
	const secret = "hunter2"
	for name, tree := range map[string]fstest.MapFS{
		"a literal":       {"kustomization.yaml": text("secretGenerator: [{name: a, literals: [" + secret + "]}]")},
		"an environment":  {"kustomization.yaml": text("secretGenerator: [{name: a, envs: [env]}]"), "env": text("A=b\n" + secret + "\xff\n")},
		"a patch":         {"kustomization.yaml": text("resources: [a.yaml]\npatches: [{patch: '{" + secret + "'}]"), "a.yaml": text(route)},
		"a JSON patch":    {"kustomization.yaml": text("resources: [a.yaml]\npatches: [{patch: '[{\"op\": \"" + secret + "\"}]', target: {kind: HTTPRoute}}]"), "a.yaml": text(route)},
		"a value":         {"kustomization.yaml": text("resources: [a.yaml]\npatches: [{patch: '[{\"op\": \"replace\", \"path\": \"/data/a\", \"value\": \"" + secret + "\"}]', target: {kind: HTTPRoute}}]"), "a.yaml": text(route)},
		"a kindless":      {"kustomization.yaml": text("resources: [a.yaml]"), "a.yaml": text("apiVersion: v1\nmetadata: {name: a}\nstringData: {a: " + secret + "}\n")},
		"a merge":         {"kustomization.yaml": text("secretGenerator: [{name: a, behavior: merge, literals: [a=" + secret + "]}]")},
		"no target":       {"kustomization.yaml": text("resources: [a.yaml]\npatchesJson6902: [{patch: '[{\"op\": \"" + secret + "\"}]'}]"), "a.yaml": text(route)},
		"an object":       {"kustomization.yaml": text("resources: [a.yaml]"), "a.yaml": text("apiVersion: v1\nkind: Secret\nstringData: {a: " + secret + "}\n")},
		"an empty item":   {"kustomization.yaml": text("resources: [a.yaml]"), "a.yaml": text("apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {a: " + secret + "}\nlist: [null]\n")},
		"an anchor":       {"kustomization.yaml": text("resources: [a.yaml]"), "a.yaml": text("apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {a: *" + secret + "}\n")},
		"two of one name": {"kustomization.yaml": text("secretGenerator: [{name: a, literals: [a=" + secret + "]}, {name: a, literals: [a=" + secret + "]}]")},
	} {
		t.Run(name, func(t *testing.T) {
			built, err := kustomize.Build(t.Context(), tree, ".", kustomize.Options{})
			if err == nil {
				yaml, _ := built.YAML()
				t.Logf("no error:\n%s", yaml)
				return
			}
			if strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), "\n") {
				t.Error(err)
			}
			t.Log(err)
		})
	}
}
