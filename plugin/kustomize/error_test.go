package kustomize_test

import (
	"testing"
	"testing/fstest"

	"github.com/routedelta/routedelta/plugin/kustomize"
)

// TestErrorsTellWhatIsWrong: what kustomize says without a value of an object is told, and in marks that can be quoted.
func TestErrorsTellWhatIsWrong(t *testing.T) {
	patched := func(operation string) fstest.MapFS {
		return fstest.MapFS{
			"a.yaml":             text(route + "spec: {rules: [{matches: []}]}\n"),
			"kustomization.yaml": text("resources: [a.yaml]\npatches: [{target: {kind: HTTPRoute}, patch: '[" + operation + "]'}]"),
		}
	}
	with := func(fields string) fstest.MapFS {
		return fstest.MapFS{"a.yaml": text(route), "kustomization.yaml": text("resources: [a.yaml]\n" + fields)}
	}
	for name, c := range map[string]struct {
		tree fstest.MapFS
		want string
	}{
		"replace nothing": {
			patched(`{"op": "replace", "path": "/spec/rules/7/backendRefs/1/weight", "value": 1}`),
			"replace operation does not apply: doc is missing path: /spec/rules/7/backendRefs/1/weight",
		},
		"remove nothing": {patched(`{"op": "remove", "path": "/metadata/none"}`), "error in remove for path: '/metadata/none': Unable to remove nonexistent key: none"},
		"add to nothing": {patched(`{"op": "add", "path": "/spec/none/5", "value": 1}`), "add operation does not apply: doc is missing path: '/spec/none/5'"},
		"add behind all": {patched(`{"op": "add", "path": "/spec/rules/9", "value": 1}`), "error in add for path: '/spec/rules/9': Unable to access invalid index: 9"},
		"a test":         {patched(`{"op": "test", "path": "/metadata/name", "value": 1}`), "testing value /metadata/name failed"},
		"no patch":       {with("patches: [{patch: 'a: 1'}]"), "unable to parse SM or JSON patch"},
		"no patch file":  {with("patches: [{path: none.yaml}]"), "none.yaml: file does not exist"},
		"no kind": {
			fstest.MapFS{"a.yaml": text("apiVersion: v1\nmetadata: {name: a}\n"), "kustomization.yaml": text("resources: [a.yaml]")},
			"missing kind in a.yaml",
		},
		"replacement of nothing": {
			with("replacements: [{source: {kind: HTTPRoute, fieldPath: metadata.name}, targets: [{select: {kind: HTTPRoute}, fieldPaths: [spec.a.b]}]}]"),
			"unable to find field 'spec.a.b' in replacement target",
		},
		"replacement by nothing": {
			with("replacements: [{source: {kind: Service, name: b}, targets: [{select: {kind: HTTPRoute}, fieldPaths: [spec.a]}]}]"),
			"nothing selected by Service.[noVer].[noGrp]/b.[noNs]",
		},
		"generator over nothing": {with("configMapGenerator: [{name: x, behavior: merge, literals: [a=b]}]"), "ConfigMap x does not exist; cannot merge or replace"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := kustomize.Build(t.Context(), c.tree, ".", kustomize.Options{}); err == nil || err.Error() != c.want {
				t.Errorf("got %v\nwant %s", err, c.want)
			}
		})
	}
}
