package source_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/plugin/source"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

const argoHead = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web, namespace: argocd}\nspec:\n"

// bareRoute is a route without a namespace.
func bareRoute(name string) string {
	return "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata:\n  name: " + name + "\nspec:\n  parentRefs: [{name: public}]\n  hostnames: [" + name + ".example]\n"
}

// routesOf are the routes that were read, with the places of their names, sorted.
func routesOf(t *testing.T, c *source.Collected) []string {
	t.Helper()
	objects, _ := manifest.NewReader(manifest.Limits{}).Read(t.Context(), c.Texts)
	var routes []string
	for _, r := range objects.HTTPRoutes {
		at := r.Places.At("metadata.name")
		at.Column = 0
		routes = append(routes, r.Object.Namespace+"/"+r.Object.Name+" "+at.String())
	}
	slices.Sort(routes)
	return routes
}

// TestArgo: what an Application applies is read by what its path holds, into the namespace of its destination.
func TestArgo(t *testing.T) {
	withHelm(t)
	here := func() []string { return []string{"git@github.com:acme/gitops.git"} }
	const repository = "repoURL: https://github.com/acme/gitops"
	kustomized := map[string]string{"web/kustomization.yaml": "resources: [route.yaml]\n", "web/route.yaml": bareRoute("a")}
	plainFiles := map[string]string{"web/a.yaml": bareRoute("a"), "web/b.json": `{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s"}}`, "web/deep/c.yaml": bareRoute("c"), "web/deep/d.yaml": bareRoute("d")}
	for name, test := range map[string]struct {
		spec  string
		files map[string]string
		want  []string
		parts []string
	}{
		"a kustomization": {
			"  source: {" + repository + ", path: web}\n  destination: {namespace: shop}\n", kustomized,
			[]string{"shop/a web/route.yaml:4"}, []string{"apps manifests", "web argocd"},
		},
		"with options": {
			"  source:\n    " + repository + "\n    path: web\n    kustomize: {namePrefix: eu-, namespace: other, commonAnnotations: {a: b}}\n  destination: {namespace: shop}\n", kustomized,
			[]string{"other/eu-a apps/web.yaml:8"}, []string{"apps manifests", "web argocd"},
		},
		"files": {
			"  source: {" + repository + ".git, path: ./web/}\n  destination: {namespace: shop}\n", plainFiles,
			[]string{"shop/a web/a.yaml:4"}, []string{"apps manifests", "web argocd"},
		},
		"all files but one": {
			"  source: {" + repository + ", path: web, directory: {recurse: true, exclude: '{x.yaml,deep/d.*}'}}\n", plainFiles,
			[]string{"default/a web/a.yaml:4", "default/c web/deep/c.yaml:4"}, []string{"apps manifests", "web argocd"},
		},
		"a chart": {
			"  sources:\n  - {" + repository + ", ref: values}\n  - " + repository + "\n    path: charts/shop\n    helm:\n      releaseName: eu\n      valueFiles: [values.yaml, $values/values/eu.yaml, none.yaml]\n" +
				"      ignoreMissingValueFiles: true\n      valuesObject: {port: 1}\n      parameters: [{name: port, value: '8080'}]\n  destination: {namespace: shop}\n",
			shop(map[string]string{"values/eu.yaml": "host: eu.example\n"}), []string{"shop/eu charts/shop/templates/route.yaml:4"}, []string{"apps manifests", "charts/shop helm"},
		},
		"another repository": {
			"  source: {repoURL: 'https://user:secret@github.com/acme/other', path: web}\n", kustomized, []string{"default/a web/route.yaml:4"},
			[]string{"apps manifests", "apps/web.yaml argocd: Application web: its source is another repository: \"https://github.com/acme/other\""},
		},
		"a chart repository": {
			"  source: {repoURL: 'https://charts.example', chart: web, targetRevision: 1.0.0}\n", nil, nil,
			[]string{"apps manifests", "apps/web.yaml argocd: Application web: the chart \"web\" is in a chart repository"},
		},
		"a release": {
			"  source: {" + repository + ", path: web, targetRevision: v1.2.3}\n", nil, nil,
			[]string{"apps manifests", "apps/web.yaml argocd: Application web: its source is a revision that does not move: \"v1.2.3\""},
		},
		"no such directory": {
			"  source: {" + repository + ", path: ../../etc}\n", nil, nil, []string{"apps manifests", "apps/web.yaml argocd: Application web: the directory \"etc\" is not in the tree"},
		},
		"a plugin": {
			"  source: {" + repository + ", path: web, plugin: {name: x}}\n", kustomized, nil, []string{"apps manifests", "apps/web.yaml argocd: Application web: it is rendered by a plugin"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"apps/web.yaml": argoHead + test.spec}
			for name, text := range test.files {
				files[name] = text
			}
			options := source.Options{Path: "apps", Remotes: here}
			if name == "another repository" {
				options.Path = ""
				test.parts[0], test.parts = "web kustomization", append([]string{". manifests"}, test.parts[1], "web kustomization")
			}
			found := collected(t, files, options)
			if got := routesOf(t, found); !slices.Equal(got, test.want) {
				t.Errorf("routes are %q, want %q\n%v", got, test.want, found.Diagnostics)
			}
			if got := said(found); !slices.Equal(got, test.parts) {
				t.Errorf("parts are %q, want %q", got, test.parts)
			}
		})
	}
}

// TestArgoSet: an ApplicationSet is the Applications that its generators give, as far as the tree tells.
func TestArgoSet(t *testing.T) {
	set := func(generators, template string) string {
		return "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: all}\nspec:\n  generators:\n" + generators + "  template:\n" + template
	}
	const inPath = "    metadata: {name: '{{path.basename}}', annotations: {a: '{{ unknown }}'}}\n    spec:\n      source: {repoURL: r, path: '{{path}}'}\n      destination: {namespace: '{{ index .path.segments 1 }}'}\n"
	apps := map[string]string{"apps/a/r.yaml": bareRoute("a"), "apps/b/r.yaml": bareRoute("b"), "apps/old/r.yaml": bareRoute("old"), "other/c/r.yaml": bareRoute("c")}
	for name, test := range map[string]struct {
		text   string
		want   []string
		reason string
	}{
		"directories": {
			set("  - git: {repoURL: r, directories: [{path: apps/old, exclude: true}, {path: 'apps/*'}]}\n", inPath), []string{"a/a apps/a/r.yaml:4", "b/b apps/b/r.yaml:4"}, "",
		},
		"a list": {
			set("  - list: {elements: [{name: a, into: {namespace: x}}]}\n", "    metadata: {name: '{{.name}}'}\n    spec:\n      source: {repoURL: r, path: 'apps/{{ .name }}'}\n      destination: {namespace: '{{.into.namespace}}'}\n"),
			[]string{"x/a apps/a/r.yaml:4"}, "",
		},
		"of clusters":         {set("  - clusters: {}\n", inPath), nil, "only generators of lists and of directories of this repository are known"},
		"a name that is not":  {set("  - list: {elements: [{name: a}]}\n", inPath), nil, `its template names "path"`},
		"more than names":     {set("  - list: {elements: [{name: a}]}\n", "    spec: {source: {path: '{{ .name | upper }}'}}\n"), nil, "its template holds more than names of values"},
		"nothing at all":      {"apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: all}\nspec: {}\n", nil, "it has no template"},
		"lists that are none": {set("  - list: {elements: 7}\n", inPath), nil, "its spec is not that of an ApplicationSet"},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"argocd/set.yaml": test.text}
			for name, text := range apps {
				files[name] = text
			}
			found := collected(t, files, source.Options{Path: "argocd"})
			if got := routesOf(t, found); !slices.Equal(got, test.want) {
				t.Errorf("routes are %q, want %q\n%v", got, test.want, found.Diagnostics)
			}
			refused := slices.ContainsFunc(found.Diagnostics, func(d diagnostic.Diagnostic) bool {
				return d.Code == diagnostic.PartNotRead && test.reason != "" && strings.Contains(d.Message, test.reason)
			})
			if refused != (test.reason != "") {
				t.Errorf("said is %v, want %q", found.Diagnostics, test.reason)
			}
		})
	}
}

// TestArgoOfApplications: an application of applications is followed, also through a chart, and a circle ends.
func TestArgoOfApplications(t *testing.T) {
	withHelm(t)
	files := map[string]string{
		"root.yaml":                  strings.Replace(argoHead, "web", "root", 1) + "  source: {repoURL: r, path: charts/all}\n  destination: {namespace: argocd}\n",
		"charts/all/Chart.yaml":      "apiVersion: v2\nname: all\nversion: 0.1.0\n",
		"charts/all/templates/a.yml": argoHead + "  source: {repoURL: r, path: web}\n  destination: {namespace: shop}\n",
		"web/route.yaml":             bareRoute("a"),
		"web/self.yaml":              strings.Replace(argoHead, "web", "again", 1) + "  source: {repoURL: r, path: charts/all}\n",
	}
	found := collected(t, files, source.Options{Path: "root.yaml"})
	if got, want := routesOf(t, found), []string{"shop/a web/route.yaml:4"}; !slices.Equal(got, want) {
		t.Errorf("routes are %q, want %q\n%v", got, want, found.Diagnostics)
	}
}
