package kustomize_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/routedelta/routedelta/plugin/kustomize"
)

const route = "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: a}\n"

// trap is a host that nobody may ask, and a git that nobody may run.
type trap struct {
	address string
	asked   atomic.Int64
	witness string
}

func newTrap(t *testing.T) *trap {
	t.Helper()
	directory := t.TempDir()
	caught := &trap{witness: filepath.Join(directory, "ran")}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		caught.asked.Add(1)
		_, _ = w.Write([]byte(route))
	}))
	t.Cleanup(server.Close)
	caught.address = server.URL
	for _, name := range []string{"git", "helm", "sh", "x"} {
		script := "#!/bin/sh\necho \"$0 $*\" >> '" + caught.witness + "'\n"
		if err := os.WriteFile(filepath.Join(directory, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", directory)
	return caught
}

func (c *trap) check(t *testing.T) {
	t.Helper()
	if n := c.asked.Load(); n > 0 {
		t.Errorf("the host was asked %d times", n)
	}
	if ran, err := os.ReadFile(c.witness); err == nil {
		t.Errorf("a program ran: %s", ran)
	}
}

// TestNothingIsFetchedOrRun: no way of naming an address, a repository or a program has any effect. Files are those beside
// kustomization.yaml; ADDRESS is a host that counts.
func TestNothingIsFetchedOrRun(t *testing.T) {
	caught := newTrap(t)
	plugin := func(field, value string) string {
		return "apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: p}\n" + field + ": " + value + "\n"
	}
	binary := "!!binary " + base64.StdEncoding.EncodeToString([]byte(caught.address+"/p"))
	for name, files := range map[string]map[string]string{
		"resource":                {"kustomization.yaml": "resources: [ADDRESS/a.yaml, a.yaml]"},
		"base":                    {"kustomization.yaml": "bases: ['git::ADDRESS/acme/web']\nresources: [a.yaml]"},
		"component":               {"kustomization.yaml": "components: ['ssh://git@host/acme/web']\nresources: [a.yaml]"},
		"scp":                     {"kustomization.yaml": "resources: ['git@host:acme/web.git', 'user@host:acme/web', a.yaml]"},
		"GitHub":                  {"kustomization.yaml": "resources: [GitHub.com/acme/web, 'github.com:acme/web', a.yaml]"},
		"file":                    {"kustomization.yaml": "resources: ['file:///etc', a.yaml]"},
		"capitals":                {"kustomization.yaml": "Resources: ['HTTPS://host/acme', a.yaml]"},
		"a folder like a host":    {"kustomization.yaml": "resources: [github.com/acme/web]", "github.com/acme/web/kustomization.yaml": "resources: [a.yaml]", "github.com/acme/web/a.yaml": route},
		"base64":                  {"kustomization.yaml": "resources: [" + binary + ", a.yaml]"},
		"long s":                  {"kustomization.yaml": "reſourceſ: [ADDRESS/a.yaml]\nresources: [a.yaml]"},
		"twice":                   {"kustomization.yaml": "resources: [a.yaml]\nresources: [ADDRESS/a.yaml]"},
		"anchor":                  {"kustomization.yaml": "namespace: &x ADDRESS/a.yaml\nresources: [*x, a.yaml]"},
		"merge":                   {"kustomization.yaml": "metadata: {annotations: &x {resources: [ADDRESS/a.yaml]}}\n<<: *x"},
		"second document":         {"kustomization.yaml": "resources: [ADDRESS/a.yaml]\n---\nresources: [a.yaml]"},
		"broken second document":  {"kustomization.yaml": "resources: [ADDRESS/a.yaml]\n---\n{"},
		"patch":                   {"kustomization.yaml": "resources: [a.yaml]\npatches: [{path: ADDRESS/p}]"},
		"strategic merge patch":   {"kustomization.yaml": "resources: [a.yaml]\npatchesStrategicMerge: [ADDRESS/p]"},
		"JSON patch":              {"kustomization.yaml": "resources: [a.yaml]\npatchesJson6902: [{path: ADDRESS/p, target: {version: v1, kind: X, name: a}}]"},
		"replacement":             {"kustomization.yaml": "resources: [a.yaml]\nreplacements: [{path: ADDRESS/p}]"},
		"file of a ConfigMap":     {"kustomization.yaml": "configMapGenerator: [{name: a, files: ['a=ADDRESS/p']}]"},
		"environment":             {"kustomization.yaml": "secretGenerator: [{name: a, envs: [ADDRESS/p]}]"},
		"old environment":         {"kustomization.yaml": "secretGenerator: [{name: a, env: ADDRESS/p}]"},
		"schema":                  {"kustomization.yaml": "resources: [a.yaml]\nopenapi: {path: ADDRESS/p}"},
		"definitions":             {"kustomization.yaml": "resources: [a.yaml]\ncrds: [ADDRESS/p]"},
		"configuration":           {"kustomization.yaml": "resources: [a.yaml]\nconfigurations: [ADDRESS/p]"},
		"transformer":             {"kustomization.yaml": "resources: [a.yaml]\ntransformers: [ADDRESS/p]"},
		"transformer in place":    {"kustomization.yaml": "resources: [a.yaml]\ntransformers:\n- '" + strings.ReplaceAll(plugin("path", "ADDRESS/p"), "\n", "\n\n  ") + "'"},
		"transformer in a line":   {"kustomization.yaml": "resources: [a.yaml]\ntransformers: ['{apiVersion: builtin, kind: PatchTransformer, metadata: {name: a}, path: ADDRESS/p}']"},
		"transformer in a file":   {"kustomization.yaml": "resources: [a.yaml]\ntransformers: [t.yaml]", "t.yaml": plugin("path", "ADDRESS/p")},
		"transformer by long s":   {"kustomization.yaml": "resources: [a.yaml]\ntranſformers: [t.yaml]", "t.yaml": plugin("path", "ADDRESS/p")},
		"transformer in base64":   {"kustomization.yaml": "resources: [a.yaml]\ntransformers: [t.yaml]", "t.yaml": plugin("path", binary)},
		"transformer in a folder": {"kustomization.yaml": "resources: [a.yaml]\ntransformers: [t]", "t/kustomization.yaml": "resources: [t.yaml]\nnamePrefix: x", "t/t.yaml": plugin("path", "p")},
		"transformer of two ways": {"kustomization.yaml": "resources: [a.yaml]\ntransformers: [\"{apiVersion: builtin, kind: X, metadata: {name: a}}\"]", "{apiVersion: builtin, kind: X, metadata: {name: a}}": plugin("path", "ADDRESS/p")},
		"generator":               {"kustomization.yaml": "generators: [g.yaml]", "g.yaml": "apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: a}\nfiles: ['x=ADDRESS/p']\n"},
		"validator":               {"kustomization.yaml": "resources: [a.yaml]\nvalidators: [ADDRESS/p]"},
		"exec function":           {"kustomization.yaml": "resources: [a.yaml]\ntransformers: [f.yaml]", "f.yaml": "apiVersion: x/v1\nkind: X\nmetadata:\n  name: f\n  annotations:\n    config.kubernetes.io/function: |\n      exec: {path: x}\n"},
		"exec plugin":             {"kustomization.yaml": "resources: [a.yaml]\ntransformers: [f.yaml]", "f.yaml": "apiVersion: x/v1\nkind: X\nmetadata: {name: f}\nargsOneLiner: x\n"},
		"helm":                    {"kustomization.yaml": "resources: [a.yaml]\nhelmCharts: [{name: x, repo: ADDRESS}]"},
		"helm plugin":             {"kustomization.yaml": "generators: [h.yaml]", "h.yaml": "apiVersion: builtin\nkind: HelmChartInflationGenerator\nmetadata: {name: h}\nname: x\n"},
	} {
		t.Run(name, func(t *testing.T) {
			tree := fstest.MapFS{"a.yaml": text(route)}
			for file, data := range files {
				tree[file] = text(strings.ReplaceAll(data, "ADDRESS", caught.address))
			}
			built, err := kustomize.Build(t.Context(), tree, ".", kustomize.Options{})
			if err == nil && len(built.LeftOut) == 0 {
				t.Errorf("built %d objects, and said nothing", len(built.Objects))
			}
			caught.check(t)
		})
	}
}

// TestStaysInside: nothing outside of the tree is opened, whatever names it.
func TestStaysInside(t *testing.T) {
	directory := t.TempDir()
	secret := filepath.Join(directory, "secret.yaml")
	for name, data := range map[string]string{
		"secret.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: stolen}\n", "tree/kustomization.yaml": "",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(directory, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(directory, name), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../secret.yaml", filepath.Join(directory, "tree/link.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("..", filepath.Join(directory, "tree/up")); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(filepath.Join(directory, "tree"))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, kustomization := range []string{
		"resources: [../secret.yaml]", "resources: [" + secret + "]", "resources: [link.yaml]", "resources: [up/secret.yaml]",
		"configMapGenerator: [{name: a, files: [" + secret + "]}]", "configMapGenerator: [{name: a, files: [link.yaml]}]",
		"resources: [..]", "resources: [/]",
	} {
		for _, anyFile := range []bool{false, true} {
			options := kustomize.Options{AnyFile: anyFile, Replaced: map[string][]byte{"kustomization.yaml": []byte(kustomization)}}
			built, err := kustomize.Build(t.Context(), root.FS(), ".", options)
			if err != nil {
				continue
			}
			if yaml, _ := built.YAML(); strings.Contains(string(yaml), "stolen") {
				t.Errorf("%s: read from outside:\n%s", kustomization, yaml)
			}
		}
	}
}

// TestBounds: a tree that would cost without end is refused.
func TestBounds(t *testing.T) {
	for name, tree := range map[string]fstest.MapFS{
		"every layer names the next one twice": layers(40),
		"a bomb of aliases":                    {"kustomization.yaml": text("resources: [a.yaml]"), "a.yaml": text(bomb())},
		"a kustomization that is a bomb":       {"kustomization.yaml": text(bomb())},
		"objects":                              {"kustomization.yaml": text("resources: [a.yaml]"), "a.yaml": text(strings.Repeat("---\n"+route, 5000))},
		"a list of objects": {"kustomization.yaml": text("resources: [a.yaml]"), "a.yaml": text(
			"apiVersion: v1\nkind: List\nitems:\n" + strings.Repeat("- "+strings.ReplaceAll(strings.TrimSpace(route), "\n", "\n  ")+"\n", 5000))},
		"a hundred layers": chain(100),
		"patches": {"kustomization.yaml": text("resources: [a.yaml]\npatches:\n" + strings.Repeat("- {patch: '[{op: add, path: /a, value: b}]', target: {kind: .*}}\n", 5000)),
			"a.yaml": text(strings.Repeat("---\n"+route, 1000))},
		"a circle": {"kustomization.yaml": text("resources: [a]"), "a/kustomization.yaml": text("resources: [../b]"), "b/kustomization.yaml": text("resources: [../a]")},
		"itself":   {"kustomization.yaml": text("resources: [.]")},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			_, err := kustomize.Build(t.Context(), tree, ".", kustomize.Options{})
			if err == nil {
				t.Error("no error")
			}
			t.Log(err)
			if took := time.Since(start); took > 30*time.Second {
				t.Errorf("it took %s", took)
			}
		})
	}
}

// layers is a kustomization of so many layers, each of which names the one below by two ways.
func layers(count int) fstest.MapFS {
	tree := fstest.MapFS{fmt.Sprintf("l%d/kustomization.yaml", count): text("resources: [a.yaml]"), fmt.Sprintf("l%d/a.yaml", count): text(route)}
	for i := range count {
		tree[fmt.Sprintf("l%d/kustomization.yaml", i)] = text("resources: [p, q]")
		for _, side := range []string{"p", "q"} {
			tree[fmt.Sprintf("l%d/%s/kustomization.yaml", i, side)] = text(fmt.Sprintf("namePrefix: %s\nresources: [../../l%d]", side, i+1))
		}
	}
	tree["kustomization.yaml"] = text("resources: [l0]")
	return tree
}

// chain is a kustomization of so many layers.
func chain(count int) fstest.MapFS {
	tree := fstest.MapFS{"kustomization.yaml": text("resources: [l0]"), fmt.Sprintf("l%d/kustomization.yaml", count): text("namespace: x\nconfigMapGenerator: [{name: a}]")}
	for i := range count {
		tree[fmt.Sprintf("l%d/kustomization.yaml", i)] = text(fmt.Sprintf("namespace: n%d\nresources: [../l%d]", i, i+1))
	}
	return tree
}

func bomb() string {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nx0: &x0 [a, a, a, a, a, a, a, a, a, a]\n")
	for i := range 12 {
		fmt.Fprintf(&b, "x%d: &x%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*x%d, ", i), 10), ", "))
	}
	return b.String()
}

// TestNotRegular: what is no file is not read.
func TestNotRegular(t *testing.T) {
	tree := fstest.MapFS{"kustomization.yaml": text("resources: [pipe.yaml]"), "pipe.yaml": {Mode: fs.ModeNamedPipe}}
	if _, err := kustomize.Build(t.Context(), tree, ".", kustomize.Options{}); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Error(err)
	}
}

// TestRefusedIsTyped: who calls can tell what is not done here from what kustomize says.
func TestRefusedIsTyped(t *testing.T) {
	tree := fstest.MapFS{"kustomization.yaml": text("resources: [a.yaml]\npatches: [{path: 'https://host/p'}]"), "a.yaml": text(route)}
	_, err := kustomize.Build(t.Context(), tree, ".", kustomize.Options{})
	var refused *kustomize.RefusedError
	if !errors.As(err, &refused) || refused.Position.String() != "kustomization.yaml:2:18" {
		t.Error(err)
	}
	tree = fstest.MapFS{"sub/kustomization.yaml": text("resource: [a.yaml]")}
	if _, err = kustomize.Build(t.Context(), tree, "sub", kustomize.Options{}); err == nil || errors.As(err, &refused) {
		t.Error(err)
	}
}
