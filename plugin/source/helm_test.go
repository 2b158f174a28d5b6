package source_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/routedelta/routedelta/plugin/source"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

// withHelm puts the helm of the Makefile into PATH. Without it the tests fail, and say what is missing.
func withHelm(t *testing.T) {
	t.Helper()
	place, err := filepath.Abs("../../.local/bin")
	if named := os.Getenv("HELM"); named != "" {
		place = filepath.Dir(named)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", place+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

// tree is made of texts by their names.
func tree(files map[string]string) fstest.MapFS {
	made := fstest.MapFS{}
	for name, text := range files {
		made[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return made
}

func collected(t *testing.T, files map[string]string, options source.Options) *source.Collected {
	t.Helper()
	found, err := source.Collect(t.Context(), tree(files), options)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// said are the parts, as "path form: reason".
func said(c *source.Collected) []string {
	var parts []string
	for _, p := range c.Parts {
		line := p.Path + " " + p.Form
		if p.Unread != "" {
			line += ": " + p.Unread
		}
		parts = append(parts, line)
	}
	return parts
}

// lineWith is where the first line of all texts that holds a text was led to.
func lineWith(t *testing.T, c *source.Collected, part string) string {
	t.Helper()
	for _, text := range c.Texts {
		for i, line := range strings.Split(string(text.Data), "\n") {
			if strings.Contains(line, part) {
				at := diagnostic.Position{File: text.Name, Line: i + 1}
				if i < len(text.Lines) && text.Lines[i].File != "" {
					at = text.Lines[i]
				}
				at.Column = 0
				return at.String()
			}
		}
	}
	return ""
}

// shop is a chart that asks for the Gateway API before it writes a route.
func shop(extra map[string]string) map[string]string {
	files := map[string]string{
		"charts/shop/Chart.yaml":  "apiVersion: v2\nname: the-shop\nversion: 0.1.0\n",
		"charts/shop/values.yaml": "host: default.example\nport: 80\n",
		"charts/shop/templates/route.yaml": `{{- if .Capabilities.APIVersions.Has "gateway.networking.k8s.io/v1/HTTPRoute" }}
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: {{ .Release.Name }}
spec:
  parentRefs:
    - name: public
  hostnames:
    - {{ .Values.host | quote }}
  rules:
    - backendRefs:
        - name: web
          port: {{ .Values.port }}
{{- end }}
`,
	}
	for name, text := range extra {
		files[name] = text
	}
	return files
}

const helmRelease = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: shop}
spec:
  chart:
    spec:
      chart: ./charts/shop
      sourceRef: {kind: GitRepository, name: flux-system, namespace: flux-system}
      valuesFiles: [charts/shop/values.yaml, values/eu.yaml]
  valuesFrom:
  - {kind: ConfigMap, name: numbers}
  values: {port: 8080}
`

// TestHelmRelease: a chart of the tree with the values of the release, each line led to the template.
func TestHelmRelease(t *testing.T) {
	withHelm(t)
	files := shop(map[string]string{
		"apps/web.yaml":  helmRelease,
		"apps/numbers":   "",
		"apps/cm.yaml":   "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: numbers, namespace: shop}\ndata:\n  values.yaml: |\n    port: 1\n    host: cm.example\n",
		"values/eu.yaml": "host: eu.example\n",
	})
	found := collected(t, files, source.Options{Path: "apps"})
	if want := []string{"apps manifests", "charts/shop helm"}; !slices.Equal(said(found), want) {
		t.Errorf("parts are %q, want %q\n%v", said(found), want, found.Diagnostics)
	}
	for part, want := range map[string]string{
		"cm.example": "charts/shop/templates/route.yaml:9", "port: 8080": "charts/shop/templates/route.yaml:14",
		"namespace: shop": "charts/shop/templates/route.yaml:4", "kind: HTTPRoute": "charts/shop/templates/route.yaml:3",
	} {
		// The release itself stands ahead, in a file of its own.
		only := *found
		only.Texts = slices.DeleteFunc(slices.Clone(found.Texts), func(s manifest.Source) bool { return strings.HasPrefix(s.Name, "apps/") })
		if got := lineWith(t, &only, part); got != want {
			t.Errorf("%q is led to %s, want %s", part, got, want)
		}
	}
	if want := (diagnostic.Object{Kind: "HelmRelease", Namespace: "shop", Name: "web"}); !slices.Contains(found.Rendered, want) {
		t.Errorf("rendered are %v, want %v", found.Rendered, want)
	}
}

// TestHelmUnread: a chart that cannot be rendered is said with the reason. It is an error only where routes would look lost.
func TestHelmUnread(t *testing.T) {
	withHelm(t)
	release := func(old, replacement string) map[string]string {
		return shop(map[string]string{"apps/web.yaml": strings.Replace(helmRelease, old, replacement, 1), "values/eu.yaml": "", "apps/cm.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: numbers}\ndata: {values.yaml: ''}\n"})
	}
	broken := release("", "")
	broken["charts/shop/templates/route.yaml"] += "{{ fail \"no\\nway\" }}"
	dependent := release("", "")
	dependent["charts/shop/Chart.yaml"] += "dependencies: [{name: redis, version: 1.0.0, repository: 'https://example.com'}]\n"
	bomb := release("", "")
	bomb["charts/shop/templates/bomb.yaml"] = "{{- $x := \"aaaaaaaaaaaaaaaa\" }}{{- range $i := until 40 }}{{ $x = printf \"%s%s\" $x $x }}{{ end }}"
	elsewhere := release("values: {port: 8080}", "values: {route: {main: {parentRefs: [{name: public}]}}}")
	elsewhere["apps/web.yaml"] = strings.Replace(elsewhere["apps/web.yaml"], "GitRepository", "HelmRepository", 1)
	for name, test := range map[string]struct {
		files    map[string]string
		want     string
		severity diagnostic.Severity
	}{
		"not in the tree":      {release("./charts/shop", "./charts/other"), "", ""},
		"a chart repository":   {release("kind: GitRepository", "kind: HelmRepository"), "", ""},
		"that makes routes":    {elsewhere, `the chart "./charts/shop" is not in the tree, and its values make routes`, diagnostic.Warning},
		"postRenderers":        {release("values: {port: 8080}", "values: {a: {parentRefs: []}}\n  postRenderers: [{kustomize: {}}]"), "postRenderers", diagnostic.Warning},
		"a template that says": {broken, "no", diagnostic.Error},
		"dependencies":         {dependent, "the charts that it depends on are not in the tree", diagnostic.Warning},
		"a bomb":               {bomb, "helm: ", diagnostic.Error},
		"a strange name":       {release("{name: web,", "{name: --post-renderer=x,"), "Helm takes no release", diagnostic.Warning},
	} {
		t.Run(name, func(t *testing.T) {
			found := collected(t, test.files, source.Options{Path: "apps"})
			at := slices.IndexFunc(found.Diagnostics, func(d diagnostic.Diagnostic) bool { return d.Code == diagnostic.PartNotRead })
			if test.want == "" {
				if at >= 0 {
					t.Errorf("said is %v, want nothing", found.Diagnostics[at])
				}
				return
			}
			if at < 0 {
				t.Fatalf("nothing is said of it: %q", said(found))
			}
			d := found.Diagnostics[at]
			if !strings.Contains(d.Message, test.want) || d.Severity != test.severity || strings.Contains(d.Message, "\n") {
				t.Errorf("said is %s %v, want %s %q", d.Severity, d, test.severity, test.want)
			}
		})
	}
}

// TestWithoutHelm: a machine without it says so, and reads everything else.
func TestWithoutHelm(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	found := collected(t, shop(map[string]string{"apps/web.yaml": helmRelease, "values/eu.yaml": "", "apps/cm.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: numbers}\ndata: {values.yaml: ''}\n"}), source.Options{})
	if want := "apps/web.yaml helm: HelmRelease web: helm is not in PATH"; !slices.Contains(said(found), want) {
		t.Errorf("parts are %q, want %q", said(found), want)
	}
}
