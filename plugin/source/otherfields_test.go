package source

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/plugin/yamlnode"
)

// TestOtherFields: what is read, and what only says when and how something is applied, is no field that nobody reads; all else is.
func TestOtherFields(t *testing.T) {
	for name, test := range map[string]struct {
		kind groupKind
		spec string
		want string
	}{
		"a Flux Kustomization": {groupKind{"kustomize.toolkit.fluxcd.io", "Kustomization"},
			"{path: a, interval: 1m, prune: true, postBuild: {substitute: {a: b}, strict: true}, suspend: true, patchesJson6902: []}", "patchesJson6902 postBuild.strict suspend"},
		"an Application": {groupKind{"argoproj.io", "Application"},
			"{project: a, destination: {server: b, namespace: c}, source: {path: d, directory: {recurse: true, jsonnet: {}}}, sources: [{chart: e}, {helm: {values: f, apiVersions: []}}]}",
			"destination.server source.directory.jsonnet sources.*.helm.apiVersions"},
		"an ApplicationSet": {groupKind{"argoproj.io", "ApplicationSet"},
			"{generators: [{list: {elements: []}}, {git: {repoURL: a, directories: [], values: {}}}, {matrix: {}}], goTemplate: true, template: {metadata: {name: a}, spec: {source: {path: b}, destination: {server: c}}}, templatePatch: d}",
			"generators.*.git.values generators.*.matrix templatePatch"},
		"a HelmRelease": {groupKind{"helm.toolkit.fluxcd.io", "HelmRelease"}, "{chart: {spec: {}}, values: {a: b}, kubeConfig: {}}", "kubeConfig"},
		"nothing":       {groupKind{"helm.toolkit.fluxcd.io", "HelmRelease"}, "{}", ""},
	} {
		roots, err := yamlnode.Documents([]byte(test.spec))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(slices.Sorted(maps.Keys(otherFields(roots[0], lookedAt(test.kind)))), " "); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
