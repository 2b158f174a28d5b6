package envoy_test

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"text/template"
	"time"

	"github.com/routedelta/routedelta/plugin/envoy"
	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/manifest"
)

// revision is what the manifests of one commit say.
type revision struct {
	HTTP, HTTPS, Admin int
	// Moved is the Service to which the route for /moved leads, one of a and b.
	Moved string
	// Replaced is the Service to which the route for /replaced leads; each has a cluster of its own.
	Replaced string
	// Flipped is the port of the one endpoint of Service flip.
	Flipped int
	// Extra: the HTTPS listener has a filter chain for another hostname.
	Extra bool
	// Certificate of the HTTPS listener.
	Certificate pair
	Ports       [2]int
	// More is appended to the manifests.
	More string
}

var revisionManifests = template.Must(template.New("revision").Funcs(template.FuncMap{
	"base64": base64.StdEncoding.EncodeToString,
}).Parse(`apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: edge, namespace: infra}
spec:
  gatewayClassName: envoy
  listeners:
  - {name: http, port: {{.HTTP}}, protocol: HTTP}
  - {name: https, port: {{.HTTPS}}, protocol: HTTPS, hostname: shop.example, tls: {certificateRefs: [{name: shop}]}}
{{- if .Extra}}
  - {name: extra, port: {{.HTTPS}}, protocol: HTTPS, hostname: extra.example, tls: {certificateRefs: [{name: shop}]}}
{{- end}}
---
apiVersion: v1
kind: Secret
metadata: {name: shop, namespace: infra}
type: kubernetes.io/tls
data: {tls.crt: {{base64 .Chain}}, tls.key: {{base64 .Key}}}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: shop, namespace: infra}
spec:
  parentRefs: [{name: edge}]
  rules:
  - {matches: [{path: {value: /moved}}], backendRefs: [{name: {{.Moved}}, port: 80}]}
  - {matches: [{path: {value: /replaced}}], backendRefs: [{name: {{.Replaced}}, port: 80}]}
  - {matches: [{path: {value: /flipped}}], backendRefs: [{name: flip, port: 80}]}
  - {matches: [{path: {value: /h2c}}], backendRefs: [{name: h2c, port: 80}]}
{{define "service"}}
---
apiVersion: v1
kind: Service
metadata: {namespace: infra, name: {{.Name}}}
spec: {ports: [{port: 80, targetPort: {{.Port}}{{if eq .Name "h2c"}}, appProtocol: kubernetes.io/h2c{{end}}}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {namespace: infra, name: {{.Name}}-1, labels: {kubernetes.io/service-name: {{.Name}}}}
addressType: IPv4
ports: [{port: {{.Port}}}]
endpoints: [{addresses: [127.0.0.1]}]
{{end}}
{{- range .Services}}{{template "service" .}}{{end}}
{{.More}}`))

type namedPort struct {
	Name string
	Port int
}

// Services of the revision with the ports of their endpoints.
func (r revision) Services() []namedPort {
	return []namedPort{{"a", r.Ports[0]}, {"b", r.Ports[1]}, {r.Replaced, r.Ports[0]}, {"flip", r.Flipped}, {"h2c", r.Ports[1]}}
}

// Chain and Key of the HTTPS listener.
func (r revision) Chain() []byte { return r.Certificate.certificate }
func (r revision) Key() []byte   { return r.Certificate.key }

// rendering writes the revision as `render -o` does, and reads it as apply does.
func (r revision) rendering(t *testing.T) *envoy.Rendering {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	r.write(t, dir)
	rendering, found, err := envoy.ReadRendering(t.Context(), dir)
	if err != nil || found.HasErrors() {
		t.Fatal(err, found)
	}
	return rendering
}

func (r revision) write(t *testing.T, dir string) {
	t.Helper()
	var text strings.Builder
	if err := revisionManifests.Execute(&text, r); err != nil {
		t.Fatal(err)
	}
	objects, found := manifest.Reader{KeepKeys: true}.Read(t.Context(), []manifest.Source{{Name: "edge.yaml", Data: []byte(text.String()), Named: true}})
	rendering, err := render.Render(t.Context(), objects, render.Options{
		ListenAddress: "127.0.0.1", AdminPort: r.Admin, Secrets: render.SecretsFiles, Listeners: "file", References: render.Strict,
	})
	if err != nil {
		t.Fatal(err)
	}
	var keys []files.File
	keys, rendering.Diagnostics = rendering.KeyFiles(objects)
	if found = append(found, rendering.Diagnostics...); found.HasErrors() {
		t.Fatal(found)
	}
	if err := files.WriteWithKeys(t.Context(), dir, []*files.Set{rendering.Gateways[0].Files}, keys, files.Options{}); err != nil {
		t.Fatal(err)
	}
}

// applied is two servers with an Envoy before them.
type applied struct {
	revision
	// dir is where Envoy runs.
	dir   string
	envoy *envoytest.Process
}

// newApplied starts an Envoy in a directory that Apply has filled.
func newApplied(t *testing.T) *applied {
	t.Helper()
	w := &applied{dir: filepath.Join(t.TempDir(), "live")}
	w.revision = revision{
		HTTP: freePort(t), HTTPS: freePort(t), Admin: freePort(t),
		Moved: "a", Replaced: "replaced-0", Certificate: newPair(t),
		Ports: [2]int{serveNamed(t, "one"), serveNamed(t, "two")},
	}
	w.Flipped = w.Ports[0]
	served, err := envoy.Apply(t.Context(), w.rendering(t), w.dir, envoy.Options{})
	if err != nil || served {
		t.Fatalf("filling the directory: served %v, %v", served, err)
	}
	w.envoy = envoytest.Run(t, w.dir, fmt.Sprintf("127.0.0.1:%d", w.Admin))
	w.envoy.RequireLoaded(t)
	return w
}

// apply installs a revision, which Envoy has to serve then.
func (w *applied) apply(t *testing.T, next revision) {
	t.Helper()
	served, err := envoy.Apply(t.Context(), next.rendering(t), w.dir, envoy.Options{})
	if err != nil || !served {
		t.Fatalf("served %v, %v", served, err)
	}
	w.revision = next
}

// serveNamed starts a server that says its name, over HTTP/1.1 and h2c. It takes three seconds over /stream.
func serveNamed(t *testing.T, name string) int {
	t.Helper()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if strings.HasSuffix(r.URL.Path, "/stream") {
			for range streamParts - 1 {
				fmt.Fprint(w, name)
				_ = http.NewResponseController(w).Flush()
				time.Sleep(streamPause)
			}
		}
		fmt.Fprint(w, name)
	}))
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetHTTP1(true)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Start()
	t.Cleanup(server.Close)
	var port int
	if _, err := fmt.Sscanf(server.URL, "http://127.0.0.1:%d", &port); err != nil {
		t.Fatal(err)
	}
	return port
}

const (
	streamParts = 30
	streamPause = 100 * time.Millisecond
)
