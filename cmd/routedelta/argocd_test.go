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
	"time"
)

// pluginServer is Argo CD's own server of plugins, with the plugin of plugin/argocd/component, and a repository to ask it about.
type pluginServer struct {
	// root holds the sockets, whose names have 107 bytes at most.
	root, repository string
	// output is what the server says.
	output *lockedBuffer
}

// argocdProgram is what `make argocd` has built; without it the test fails.
func argocdProgram(t *testing.T, name string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("-short leaves out the tests that need Argo CD's plugin server")
	}
	path, err := filepath.Abs(filepath.Join("..", "..", ".local", "bin", name))
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		t.Fatalf("%v\nhint: run `make argocd`", err)
	}
	return path
}

// startPluginServer starts it, in a sidecar's environment but for its paths and the place of our program.
func startPluginServer(t *testing.T) *pluginServer {
	t.Helper()
	program := argocdProgram(t, "argocd-cmp-server")
	root, err := os.MkdirTemp("", "cmp")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	s := &pluginServer{root: root, repository: filepath.Join(root, "repository"), output: new(lockedBuffer)}
	plugin, err := os.ReadFile("../../plugin/argocd/component/plugin.yaml")
	if err != nil {
		t.Fatal(err)
	}
	ours, err := exec.LookPath("routedelta")
	if err != nil {
		t.Fatal(err)
	}
	s.write(t, "config/plugin.yaml", strings.ReplaceAll(string(plugin), "/usr/local/bin/routedelta", ours))
	for _, folder := range []string{"sockets", "work", "repository"} {
		if err := os.MkdirAll(filepath.Join(root, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command(program, "--config-dir-path", filepath.Join(root, "config"), "--loglevel", "warn")
	command.Env = []string{
		"PATH=/usr/bin:/bin", "HOME=" + root, "TMPDIR=" + root,
		"ARGOCD_PLUGINSOCKFILEPATH=" + filepath.Join(root, "sockets"), "ARGOCD_CMP_WORKDIR=" + filepath.Join(root, "work"),
	}
	command.Stdout, command.Stderr = s.output, s.output
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill() // it removes its socket on SIGTERM, and stays
		_ = command.Wait()
		if t.Failed() {
			t.Log(s.output)
		}
	})
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(root, "sockets", "routedelta.sock")); err == nil {
			return s
		}
		if time.Now().After(end) {
			t.Fatalf("argocd-cmp-server does not start: %s", s.output)
		}
	}
}

func (s *pluginServer) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(s.root, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// question is one of argocd-ask's, see its source.
type question struct {
	Call, Socket, Application string
	Source                    map[string]any
	Seconds                   float64
}

type answer struct {
	Manifests []struct {
		Kind     string
		Metadata struct {
			Name, Namespace     string
			Labels, Annotations map[string]string
		}
		Data map[string]string
	}
	SourceType    string
	Supported     bool
	Announcements []struct {
		Name, Title, String, CollectionType string
		Array                               []string
		Map                                 map[string]string
	}
	Error string
}

// ask asks as the repo-server does, with its code.
func (s *pluginServer) ask(t *testing.T, q question) answer {
	t.Helper()
	if q.Seconds == 0 {
		q.Seconds = 60
	}
	text, err := json.Marshal(struct {
		question
		Repository string
	}{q, s.repository})
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), argocdProgram(t, "argocd-ask"))
	command.Env = append(os.Environ(), "ARGOCD_PLUGINSOCKFILEPATH="+filepath.Join(s.root, "sockets"))
	command.Stdin = bytes.NewReader(text)
	var out, errs bytes.Buffer
	command.Stdout, command.Stderr = &out, &errs
	if err := command.Run(); err != nil {
		t.Fatalf("%v: %s", err, &errs)
	}
	var got answer
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatalf("%v: %s", err, &out)
	}
	return got
}

// generate asks for the manifests of an application, which the server finds the plugin for by itself.
func (s *pluginServer) generate(t *testing.T, application string, source map[string]any) answer {
	t.Helper()
	return s.ask(t, question{Call: "generate", Application: application, Source: source})
}

const argocdApplication = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: public}
spec:
  gatewayClassName: envoy
  listeners: [{name: http, port: 80, protocol: HTTP}]
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: shop}
spec:
  parentRefs: [{name: public}]
  rules: [{backendRefs: [{name: "y", port: 80}]}]
`

const argocdConfiguration = `apiVersion: routedelta.dev/v1alpha1
kind: RouteDelta
spec: {}
`

// TestArgoCD runs the plugin under Argo CD's own server, which is asked by the repo-server's own code.
func TestArgoCD(t *testing.T) {
	t.Parallel()
	s := startPluginServer(t)
	s.write(t, "repository/apps/web/.routedelta.yaml", argocdConfiguration)
	s.write(t, "repository/apps/web/edge.yaml", argocdApplication)
	s.write(t, "repository/apps/plain/edge.yaml", argocdApplication)
	s.write(t, "repository/apps/empty/.routedelta.yaml", argocdConfiguration)
	s.write(t, "repository/apps/wrong/.routedelta.yaml", strings.Replace(argocdConfiguration, "{}", "{reference: strict}", 1))
	for name, check := range map[string]func(*testing.T){
		"match": func(t *testing.T) {
			for application, want := range map[string]bool{"apps/web": true, "apps/wrong": true, "apps/plain": false} {
				if got := s.ask(t, question{Call: "match", Socket: "routedelta.sock", Application: application}); got.Error != "" || got.Supported != want {
					t.Errorf("%s: %+v, want %v", application, got, want)
				}
			}
		},
		"announce": s.checkAnnounced,
		"generate": s.checkGenerated,
		"failures": s.checkFailures,
	} {
		t.Run(name, check)
	}
}

func (s *pluginServer) checkAnnounced(t *testing.T) {
	got := s.ask(t, question{Call: "announce", Socket: "routedelta.sock", Application: "apps/web"})
	have := map[string]string{}
	for _, a := range got.Announcements {
		if _, twice := have[a.Name]; twice {
			t.Errorf("%s is announced twice", a.Name)
		}
		have[a.Name] = a.String + a.CollectionType
	}
	for name, want := range map[string]string{
		"references": "assume", "dialect": "gateway-api", "listeners": "bootstrap", "gatewayClasses": "array", "variables": "map", "serverSideApply": "large",
	} {
		if have[name] != want {
			t.Errorf("%s is announced as %q, want %q: %+v", name, have[name], want, got)
		}
	}
}

func (s *pluginServer) checkGenerated(t *testing.T) {
	plain := s.generate(t, "apps/web", nil)
	if plain.Error != "" || plain.SourceType != "Plugin" || len(plain.Manifests) != 1 {
		t.Fatalf("%+v", plain)
	}
	// The destination's namespace is that of what names none, and a Service called y stays a text.
	made := plain.Manifests[0]
	if made.Kind != "ConfigMap" || made.Metadata.Name != "public-envoy" || made.Metadata.Namespace != "team-a" || !strings.Contains(made.Data["bootstrap.json"]+made.Data["cds.json"], "team-a/y/80") {
		t.Errorf("%+v", made)
	}
	named := s.generate(t, "apps/web", map[string]any{
		"name": "routedelta",
		"parameters": []map[string]any{
			{"name": "references", "string": "strict"}, {"name": "labels", "map": map[string]string{"team": "on"}}, {"name": "serverSideApply", "string": "always"},
		},
		"env": []map[string]string{{"name": "MODE", "value": "$ARGOCD_APP_NAME"}},
	})
	if named.Error != "" || len(named.Manifests) != 1 {
		t.Fatalf("%+v", named)
	}
	made = named.Manifests[0]
	if !strings.Contains(fmt.Sprint(made.Data), `"status": 500`) || made.Metadata.Labels["team"] != "on" ||
		made.Metadata.Annotations["argocd.argoproj.io/sync-options"] != "ServerSideApply=true" {
		t.Errorf("the parameters are not in force: %+v", made)
	}
}

func (s *pluginServer) checkFailures(t *testing.T) {
	for application, want := range map[string]string{
		"apps/wrong": "failed exit status 2: routedelta: error: .routedelta.yaml:3: unknown field \"reference\"",
		"apps/empty": "failed exit status 2: routedelta: error: the application has no Gateway with routes: printing nothing would delete what runs (spec.allowEmpty permits it)",
		"apps/plain": "could not find cmp-server plugin",
	} {
		source := map[string]any{}
		if application == "apps/plain" {
			source["name"] = "routedelta" // without it, it is an application of plain manifests
		}
		if got := s.generate(t, application, source); !strings.Contains(got.Error, want) || len(got.Error) > 500 || len(got.Manifests) > 0 {
			t.Errorf("%s: %d manifests, %q, want %q", application, len(got.Manifests), got.Error, want)
		}
	}
}

// TestArgoCDLargeApplication: 10 MB of routes come back whole, each object small enough for a cluster; and an application whose time is up is
// killed, leaves nothing behind, and is generated the next time.
func TestArgoCDLargeApplication(t *testing.T) {
	t.Parallel()
	s := startPluginServer(t)
	s.write(t, "repository/.routedelta.yaml", argocdConfiguration)
	size := 0
	for i := range 1000 {
		var route strings.Builder
		if i%50 == 0 {
			s.write(t, fmt.Sprintf("repository/gateway-%d.yaml", i/50), strings.ReplaceAll(strings.ReplaceAll(argocdApplication, "name: shop", fmt.Sprint("name: shop-", i/50)), "public", fmt.Sprint("public-", i/50)))
		}
		fmt.Fprintf(&route, "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: route-%d}\nspec:\n  parentRefs: [{name: public-%d}]\n  rules:\n", i, i/50)
		for rule := range 14 {
			fmt.Fprintf(&route, "  - matches: [{path: {value: /%d/%d/%s}}]\n    backendRefs: [{name: web, port: 80}]\n", i, rule, strings.Repeat("x", 650))
		}
		s.write(t, fmt.Sprintf("repository/routes/%d.yaml", i), route.String())
		size += route.Len()
	}
	s.requireKilled(t)
	began := time.Now()
	got := s.generate(t, ".", nil)
	if got.Error != "" || len(got.Manifests) < 2 {
		t.Fatalf("%d manifests, %q", len(got.Manifests), got.Error)
	}
	generated := 0
	for _, manifest := range got.Manifests {
		data := 0
		for key, text := range manifest.Data {
			data += len(key) + len(text)
		}
		if generated += data; data > 1<<20 || data > 256<<10 && manifest.Metadata.Annotations["argocd.argoproj.io/sync-options"] == "" {
			t.Errorf("ConfigMap %s has %d bytes, and annotations %v", manifest.Metadata.Name, data, manifest.Metadata.Annotations)
		}
	}
	t.Logf("%.1f MB of manifests are %d ConfigMaps of %.1f MB in %.1f s", float64(size)/1e6, len(got.Manifests), float64(generated)/1e6, time.Since(began).Seconds())
	if left, err := filepath.Glob(filepath.Join(s.root, "work", "_cmp_server", "*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// requireKilled gives the application more and more time, and less again where that was enough, until it is killed in the midst of it. The
// repo-server may have given up a moment before, and know of the deadline only.
func (s *pluginServer) requireKilled(t *testing.T) {
	t.Helper()
	short, enough := 0.0, 0.0
	for seconds := 1.0; enough == 0 || enough-short > 0.02; {
		got := s.ask(t, question{Call: "generate", Application: ".", Seconds: seconds})
		switch {
		case strings.Contains(s.output.String(), "failed signal: killed"):
			return
		case got.Error == "" || len(got.Manifests) > 0:
			enough = seconds
		default:
			short = max(short, seconds)
		}
		if seconds = short * 1.3; enough > 0 {
			short = min(short, enough) // it took longer before
			seconds = (short + enough) / 2
		}
	}
	t.Fatalf("it was never killed: %.2f s are too short to begin, %.2f s enough to end", short, enough)
}
