package layout_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/plugin/layout"
	"github.com/routedelta/routedelta/plugin/source"
)

// route is a file with a route and, if the Gateway has a name, that Gateway.
func route(name, gateway string) *fstest.MapFile {
	text := "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: " + name + ", namespace: x}\nspec:\n  parentRefs: [{name: g}]\n  hostnames: ['${DOMAIN}']\n"
	if gateway != "" {
		text += "---\napiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: " + gateway + ", namespace: x}\nspec:\n  gatewayClassName: c\n  listeners: [{name: h, port: 80, protocol: HTTP}]\n"
	}
	return &fstest.MapFile{Data: []byte(text)}
}

// TestFind: the usual layouts, and what of each is a target.
func TestFind(t *testing.T) {
	for name, test := range map[string]struct {
		tree fstest.MapFS
		want []string
		why  string
	}{
		"nothing":          {fstest.MapFS{"readme.yaml": {Data: []byte("a: b")}}, nil, ""},
		"one folder":       {fstest.MapFS{"kubernetes/apps/a/r.yaml": route("a", "g"), "kubernetes/apps/b/r.yaml": route("b", "")}, []string{"kubernetes kubernetes"}, "one folder"},
		"the root":         {fstest.MapFS{"a/r.yaml": route("a", ""), "r.yaml": route("b", "")}, []string{"all ."}, "one folder"},
		"clusters":         {fstest.MapFS{"clusters/eu/r.yaml": route("a", ""), "clusters/us/r.yaml": route("a", ""), "clusters/empty/x.yaml": {}}, []string{"eu clusters/eu", "us clusters/us"}, "a folder for each cluster"},
		"one cluster":      {fstest.MapFS{"k8s/clusters/eu/r.yaml": route("a", "")}, []string{"eu k8s/clusters/eu"}, "a folder for each cluster"},
		"environments":     {fstest.MapFS{"environments/dev/r.yaml": route("a", ""), "environments/prod/r.yaml": route("a", "")}, []string{"dev environments/dev", "prod environments/prod"}, "environment"},
		"overlays":         {fstest.MapFS{"a/overlays/dev/r.yaml": route("a", ""), "b/overlays/dev/r.yaml": route("b", ""), "b/overlays/prod/r.yaml": route("b", "")}, []string{"a-dev a/overlays/dev", "b-dev b/overlays/dev", "prod b/overlays/prod"}, "overlay"},
		"apps of each":     {fstest.MapFS{"kubernetes/main/apps/r.yaml": route("a", ""), "kubernetes/edge/apps/r.yaml": route("b", "")}, []string{"edge kubernetes/edge", "main kubernetes/main"}, "its own apps"},
		"the same objects": {fstest.MapFS{"infra/berlin/r.yaml": route("a", ""), "infra/paris/x/r.yaml": route("a", ""), "infra/notes/n.yaml": {}}, []string{"berlin infra/berlin", "paris infra/paris"}, "hold the same objects"},
		"a strange name":   {fstest.MapFS{"clusters/a b\n#x: y/r.yaml": route("a", "")}, []string{"a-b-x-y clusters/a b\n#x: y"}, "cluster"},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := layout.Find(t.Context(), test.tree)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, target := range found.Targets {
				got = append(got, target.Name+" "+target.Path)
			}
			if !slices.Equal(got, test.want) || !strings.Contains(found.Why, test.why) {
				t.Errorf("found %q (%s), want %q (%s)", got, found.Why, test.want, test.why)
			}
			if len(got) == 0 {
				return
			}
			configured, err := config.Parse("c", found.Document())
			if err != nil {
				t.Fatalf("%v in\n%s", err, found.Document())
			}
			for i, target := range configured.Spec.Targets {
				if target.Name+" "+target.Path != test.want[i] {
					t.Errorf("the document has the target %+v, want %q", target, test.want[i])
				}
			}
		})
	}
}

// TestDocument says what was found: whose order of rules it may be, variables without a value, and what is in no target.
func TestDocument(t *testing.T) {
	tree := fstest.MapFS{
		"clusters/eu/r.yaml": route("a", "g"),
		"clusters/eu/class.yaml": {Data: []byte("apiVersion: gateway.networking.k8s.io/v1\nkind: GatewayClass\nmetadata: {name: c}\n" +
			"spec: {controllerName: gateway.envoyproxy.io/gatewayclass-controller}\n")},
	}
	for i := range 7 {
		tree[fmt.Sprintf("apps/%d.yaml", i)] = route(fmt.Sprint("r", i), "")
	}
	found, err := layout.Find(t.Context(), tree)
	if err != nil {
		t.Fatal(err)
	}
	text := string(found.Document())
	for _, want := range []string{
		"  - name: eu\n    # 1 Gateway, 1 route\n    path: clusters/eu\n", "of Envoy Gateway", "# dialect: envoy-gateway-1.9", "    #     DOMAIN: ...\n",
		"  # in no target are the routes and Gateways of\n  #   apps/0.yaml\n", "  #   and 2 more files\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// TestDocumentExcludesWhatIsBroken: a file with an error would keep all others from being compared.
func TestDocumentExcludesWhatIsBroken(t *testing.T) {
	tree := fstest.MapFS{"k8s/r.yaml": route("a", "g"), "k8s/test[1].yaml": {Data: []byte("apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: b}\nspec: {rules: 7}\n")}}
	found, err := layout.Find(t.Context(), tree)
	if err != nil {
		t.Fatal(err)
	}
	configured, err := config.Parse("c", found.Document())
	if err != nil {
		t.Fatal(err)
	}
	sources := configured.Spec.Targets[0].Sources
	if want := []string{`k8s/test\[1\].yaml`}; !slices.Equal(sources.Exclude, want) {
		t.Fatalf("excluded are %q, want %q, in\n%s", sources.Exclude, want, found.Document())
	}
	collected, err := source.Collect(t.Context(), tree, source.Options{Path: "k8s", Sources: sources})
	if err != nil || len(collected.Texts) != 1 || collected.Parts[0].Unread+collected.Parts[1].Unread != "the configuration excludes it" {
		t.Errorf("read are %d texts and the parts %v, %v", len(collected.Texts), collected.Parts, err)
	}
}
