package argocd_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/kio"

	"github.com/routedelta/routedelta/plugin/argocd"
	"github.com/routedelta/routedelta/render/diagnostic"
)

const application = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: public, namespace: edge}
spec:
  gatewayClassName: envoy
  listeners:
  - {name: http, port: 80, protocol: HTTP}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: shop, namespace: edge}
spec:
  parentRefs: [{name: public}]
  rules:
  - backendRefs: [{name: web, port: 80}]
`

// Argo CD parses what it gets as a stream of objects, each with kind, apiVersion and name, and nothing besides.
func TestGenerateIsAStreamOfObjects(t *testing.T) {
	text, err := generate(t, map[string]string{"routes.yaml": application}, "null")
	if err != nil {
		t.Fatal(err)
	}
	objects, err := (&kio.ByteReader{Reader: strings.NewReader(text)}).Read()
	if err != nil || len(objects) != 1 {
		t.Fatalf("%d objects: %v", len(objects), err)
	}
	if o := objects[0]; o.GetKind() != "ConfigMap" || o.GetApiVersion() != "v1" || o.GetName() != "public-envoy" || o.GetNamespace() != "edge" {
		t.Errorf("the object is %s %s %s/%s", o.GetApiVersion(), o.GetKind(), o.GetNamespace(), o.GetName())
	}
}

// Parameters are laid over the file.
func TestGenerateTakesParameters(t *testing.T) {
	files := map[string]string{
		"routes.yaml":      application,
		".routedelta.yaml": "apiVersion: routedelta.dev/v1alpha1\nkind: RouteDelta\nspec: {references: assume}\n",
	}
	text, err := generate(t, files, `[{"name":"references","string":"strict"}]`)
	if err != nil || !strings.Contains(text, `"status": 500`) {
		t.Errorf("a Service that is not there does not answer 500 under strict: %v\n%s", err, text)
	}
}

// Whatever is wrong, nothing is printed: Argo CD applies what it gets.
func TestGeneratePrintsNothingInDoubt(t *testing.T) {
	for name, c := range map[string]struct {
		files      map[string]string
		parameters string
		want       string
	}{
		"no routes":         {map[string]string{"web.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {ports: [{port: 80}]}\n"}, "", argocd.ErrEmpty.Error()},
		"no JSON":           {map[string]string{"routes.yaml": application}, "[", "reading ARGOCD_APP_PARAMETERS"},
		"unknown parameter": {map[string]string{"routes.yaml": application}, `[{"name":"refs","string":"strict"}]`, `unknown field "refs"`},
		"bad file": {map[string]string{
			"routes.yaml": application, ".routedelta.yaml": "apiVersion: routedelta.dev/v1alpha1\nkind: RouteDelta\nspec: {refs: x}\n",
		}, "", `.routedelta.yaml:3: unknown field "refs"`},
		"bad manifest": {map[string]string{"routes.yaml": application + "    port: x\n"}, "", "routes.yaml:16:5: RD1004"},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := generate(t, c.files, c.parameters)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want %s", err, c.want)
			}
			if text != "" {
				t.Errorf("printed %s", text)
			}
		})
	}
}

func generate(t *testing.T, files map[string]string, parameters string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	found, err := argocd.Generate(t.Context(), argocd.Application{Dir: written(t, files), Env: func(name string) string {
		return map[string]string{"ARGOCD_APP_PARAMETERS": parameters}[name]
	}}, &out)
	for _, d := range found {
		if err == nil && d.Severity == diagnostic.Error {
			err = errors.New(d.String())
		}
	}
	return out.String(), err
}

// written is a directory with these files.
func written(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
