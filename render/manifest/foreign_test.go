package manifest_test

import (
	"context"
	"testing"

	"github.com/routedelta/routedelta/render/manifest"
)

func readOther(t *testing.T, text string) manifest.Other {
	t.Helper()
	objects, found := manifest.Read(context.Background(), []manifest.Source{{Name: "a.yaml", Data: []byte(text)}}, manifest.Limits{})
	if found.HasErrors() || len(objects.Others) != 1 {
		t.Fatalf("%d objects, %v", len(objects.Others), found)
	}
	return objects.Others[0]
}

const policy = `
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: SecurityPolicy
metadata: {name: jwt}
spec: {targetRefs: [{kind: HTTPRoute, name: shop}], jwt: {optional: "true"}}
`

// TestForeignDigest: only what an object says counts, and all of that.
func TestForeignDigest(t *testing.T) {
	tests := map[string]struct {
		text string
		same bool
	}{
		"comments, labels, order and status": {`
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: SecurityPolicy
metadata: {name: jwt, labels: {team: a}}
status: {ancestors: []}
spec:
  jwt: {optional: 'true'} # quoted otherwise
  targetRefs: [{name: shop, kind: HTTPRoute}]
`, true},
		"an anchor and a merge": {`
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: SecurityPolicy
metadata: {name: jwt}
spec: {targetRefs: [{<<: &target {kind: HTTPRoute}, name: shop}], jwt: {optional: "true"}}
`, true},
		"a boolean for a string": {`
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: SecurityPolicy
metadata: {name: jwt}
spec: {targetRefs: [{kind: HTTPRoute, name: shop}], jwt: {optional: true}}
`, false},
		"another level": {`
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: SecurityPolicy
metadata: {name: jwt}
spec: {targetRefs: [{kind: HTTPRoute, name: shop}, {jwt: {optional: "true"}}]}
`, false},
	}
	want := readOther(t, policy)
	if !want.Bears {
		t.Error("a policy with targetRefs does not bear on requests")
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := readOther(t, test.text); (got.Digest == want.Digest) != test.same {
				t.Errorf("same digest is %v, want %v", !test.same, test.same)
			}
		})
	}
}

func TestForeignBears(t *testing.T) {
	tests := map[string]struct {
		text string
		want bool
	}{
		"a kind of the Gateway API that is not read": {"apiVersion: gateway.networking.k8s.io/v1\nkind: XRoute\nmetadata: {name: a}", true},
		"a deployment":           {"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {replicas: 1}", false},
		"a release with routes":  {"apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a}\nspec: {values: {route: {app: {parentRefs: [{name: g}]}}}}", true},
		"a release without":      {"apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a}\nspec: {values: {image: {tag: v1}}}", false},
		"a definition of routes": {"apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a}\nspec: {properties: {parentRefs: {type: array}}}", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := readOther(t, test.text); got.Bears != test.want {
				t.Errorf("Bears is %v, want %v", got.Bears, test.want)
			}
		})
	}
}
