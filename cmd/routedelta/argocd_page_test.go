package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// repoServer is as much of Argo CD's installation as the component changes.
const repoServer = `apiVersion: apps/v1
kind: Deployment
metadata: {name: argocd-repo-server}
spec:
  selector: {matchLabels: {app.kubernetes.io/name: argocd-repo-server}}
  template:
    metadata: {labels: {app.kubernetes.io/name: argocd-repo-server}}
    spec:
      containers:
      - {name: argocd-repo-server, image: argocd}
      volumes:
      - {name: var-files, emptyDir: {}}
      - {name: plugins, emptyDir: {}}
`

// TestArgoCDPage does what the page says: it builds the installation with kustomize, generates the application by hand, and has Argo CD's
// own programs generate it as the page's Application asks for it.
func TestArgoCDPage(t *testing.T) {
	t.Parallel()
	component, err := filepath.Abs("../../plugin/argocd/component")
	if err != nil {
		t.Fatal(err)
	}
	s := startPluginServer(t)
	relative, err := filepath.Rel(filepath.Join(s.repository, "argocd"), component)
	if err != nil {
		t.Fatal(err)
	}
	// What the page has from the network is here.
	local := strings.NewReplacer(
		"https://raw.githubusercontent.com/argoproj/argo-cd/v3.2.12/manifests/install.yaml", "install.yaml",
		"https://github.com/routedelta/routedelta//plugin/argocd/component", relative)
	s.write(t, "repository/argocd/install.yaml", repoServer)
	var printed []string
	for _, snippet := range snippets(t, "argocd.md") {
		switch snippet.language {
		case "yaml":
			s.write(t, filepath.Join("repository", snippet.named()), local.Replace(snippet.text))
		case "sh":
			printed = append(printed, s.shell(t, snippet.text))
		}
	}
	if len(printed) != 2 {
		t.Fatalf("the page has %d commands, want 2", len(printed))
	}
	requireSidecar(t, printed[0])
	if want := "namespace: team-a"; !strings.Contains(printed[1], want) {
		t.Errorf("there is no %s in\n%s", want, printed[1])
	}
	got := s.generate(t, "apps/web", s.pluginOf(t, "application.yaml"))
	if got.Error != "" || len(got.Manifests) != 1 {
		t.Fatalf("%+v", got)
	}
	made := got.Manifests[0]
	if made.Metadata.Name != "public-envoy" || made.Metadata.Labels["team"] != "a" || !strings.Contains(fmt.Sprint(made.Data), `"status": 500`) {
		t.Errorf("%+v", made)
	}
}

// shell runs a command of the page.
func (s *pluginServer) shell(t *testing.T, script string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "sh", "-ec", script)
	command.Dir = s.repository
	tools, err := filepath.Abs(filepath.Join("..", "..", ".local", "bin"))
	if err != nil {
		t.Fatal(err)
	}
	if named := os.Getenv("KUSTOMIZE"); named != "" {
		tools = filepath.Dir(named)
	}
	command.Env = append(os.Environ(), "PATH="+os.Getenv("PATH")+string(os.PathListSeparator)+tools)
	var out, errs bytes.Buffer
	command.Stdout, command.Stderr = &out, &errs
	if err := command.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", script, err, &errs)
	}
	return out.String()
}

// requireSidecar holds the built installation to what the plugin needs.
func requireSidecar(t *testing.T, built string) {
	t.Helper()
	for _, want := range []string{
		"image: registry.example/routedelta:latest", "- /var/run/argocd/argocd-cmp-server", "runAsUser: 999", "subPath: plugin.yaml",
		"image: argocd\n", "command: [/usr/local/bin/routedelta, cmp, generate]",
	} {
		if !strings.Contains(built, want) {
			t.Errorf("there is no %q in\n%s", want, built)
		}
	}
	if strings.Count(built, "name: argocd-routedelta-plugin-") < 2 {
		t.Errorf("the Deployment does not name the ConfigMap with its digest:\n%s", built)
	}
}

// pluginOf is spec.source.plugin of an Application.
func (s *pluginServer) pluginOf(t *testing.T, name string) map[string]any {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.repository, name))
	if err != nil {
		t.Fatal(err)
	}
	node, err := yaml.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	plugin, err := node.Pipe(yaml.Lookup("spec", "source", "plugin"))
	if err != nil || plugin == nil {
		t.Fatal(errors.Join(err, errors.New("the Application names no plugin")))
	}
	var source map[string]any
	encoded, err := plugin.MarshalJSON()
	if err == nil {
		err = json.Unmarshal(encoded, &source)
	}
	if err != nil {
		t.Fatal(err)
	}
	return source
}
