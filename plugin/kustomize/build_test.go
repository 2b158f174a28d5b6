package kustomize_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/routedelta/routedelta/plugin/kustomize"
)

// program is the real kustomize, which `make kustomize` installs.
func program(t *testing.T) string {
	t.Helper()
	if named := os.Getenv("KUSTOMIZE"); named != "" {
		return named
	}
	name, err := filepath.Abs("../../.local/bin/kustomize")
	if err == nil {
		_, err = os.Stat(name)
	}
	if err != nil {
		t.Fatalf("%v: make kustomize", err)
	}
	return name
}

// kustomizeBuild is what the real program prints for a directory. It finds no git and no way to any host.
func kustomizeBuild(t *testing.T, directory string) ([]byte, error) {
	t.Helper()
	cmd := exec.Command(program(t), "build", directory)
	cmd.Env = []string{"PATH=", "HOME=" + t.TempDir(), "http_proxy=http://127.0.0.1:1", "https_proxy=http://127.0.0.1:1"}
	return cmd.Output()
}

// extracted is an archive as a directory and as a tree.
func extracted(t *testing.T, name string) (directory string, tree fs.FS) {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	directory = t.TempDir()
	if err := txtar.Write(archive, directory); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(directory)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return directory, root.FS()
}

// TestBuild holds what is built against what the real kustomize prints, byte for byte.
func TestBuild(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			directory, tree := extracted(t, name)
			err := fs.WalkDir(tree, ".", func(file string, _ fs.DirEntry, err error) error {
				if err == nil && kustomize.IsFile(file) {
					same(t, directory, tree, filepath.ToSlash(filepath.Dir(file)))
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

// same builds one kustomization in both ways. What the program refuses, such as a component by itself, is to be refused.
func same(t *testing.T, directory string, tree fs.FS, path string) {
	t.Helper()
	want, wantErr := kustomizeBuild(t, filepath.Join(directory, path))
	built, err := kustomize.Build(t.Context(), tree, path, kustomize.Options{})
	if (err != nil) != (wantErr != nil) {
		t.Fatalf("%s: %v, kustomize build: %v", path, err, wantErr)
	}
	if err != nil {
		return
	}
	got, err := built.YAML()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s (-kustomize build, +ours):\n%s", path, cmp.Diff(string(want), string(got)))
	}
	if len(built.LeftOut) > 0 {
		t.Errorf("%s: left out: %v", path, built.LeftOut)
	}
}

// TestLeftOut: what cannot be read is left out and told, and the rest is built.
func TestLeftOut(t *testing.T) {
	tree := fstest.MapFS{
		"a/kustomization.yaml": text(`resources:
- https://example.com/crds.yaml
- github.com/acme/bases//web?ref=v1
- secret.yaml
- route.yaml
components: [../missing]
configurations: [none.yaml]
configMapGenerator:
- name: gone
  files: [gone.txt]
- name: kept
  files: [../b/x=route.yaml]
helmCharts:
- name: web
  repo: https://charts.example
`),
		"a/route.yaml": text("apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: a}\n"),
	}
	built, err := kustomize.Build(t.Context(), tree, "a", kustomize.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, left := range built.LeftOut {
		got = append(got, left.Position.String()+" "+left.What+": "+string(left.Why))
	}
	want := []string{
		"a/kustomization.yaml:2:3 https://example.com/crds.yaml: it is on the network, and nothing is fetched",
		"a/kustomization.yaml:3:3 github.com/acme/bases//web?ref=v1: it is on the network, and nothing is fetched",
		"a/kustomization.yaml:4:3 secret.yaml: it is not in the tree",
		"a/kustomization.yaml:6:14 ../missing: it is not in the tree",
		"a/kustomization.yaml:7:18 none.yaml: it is not in the tree",
		"a/kustomization.yaml:10:11 gone.txt: it is not in the tree",
		"a/kustomization.yaml:13:1 helmCharts: helm is not run",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(built.Objects) != 2 {
		t.Errorf("%d objects", len(built.Objects))
	}
}

func text(data string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(data)} }
