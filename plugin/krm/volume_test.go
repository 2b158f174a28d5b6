package krm_test

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
	"github.com/routedelta/routedelta/plugin/krm"
	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/manifest"
)

const manifests = `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: public, namespace: edge}
spec:
  gatewayClassName: envoy
  listeners:
  - {name: http, port: PORT, protocol: HTTP}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: shop, namespace: edge}
spec:
  parentRefs: [{name: public}]
  rules:
  - filters:
    - type: RequestRedirect
      requestRedirect: {path: {type: ReplaceFullPath, replaceFullPath: TARGET}, statusCode: 302}
`

// A ConfigMap volume is one directory without folders, and swaps all its files by one rename of a link: what ConfigMaps holds must
// be served from there as it is, and taken anew after the swap.
func TestConfigMapVolume(t *testing.T) {
	port, admin := freePort(t), freePort(t)
	volume := newVolume(t)
	volume.swap(t, rendered(t, port, admin, "/first"))
	envoy := envoytest.Run(t, volume.dir, fmt.Sprintf("127.0.0.1:%d", admin))
	envoy.RequireLoaded(t)
	if got := location(t, port); got != "/first" {
		t.Fatalf("redirected to %q, want /first", got)
	}
	volume.swap(t, rendered(t, port, admin, "/second"))
	for end := time.Now().Add(20 * time.Second); location(t, port) != "/second"; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("Envoy does not take the new files")
		}
	}
	envoy.RequireLoaded(t)
}

func rendered(t *testing.T, port, admin int, target string) map[string]string {
	t.Helper()
	text := strings.NewReplacer("PORT", fmt.Sprint(port), "TARGET", target).Replace(manifests)
	objects, found := manifest.Read(t.Context(), []manifest.Source{{Name: "m.yaml", Data: []byte(text)}}, manifest.Limits{})
	rendering, err := render.Render(t.Context(), objects, render.Options{ListenAddress: "127.0.0.1", AdminPort: admin})
	if err != nil || found.HasErrors() || rendering.Diagnostics.HasErrors() {
		t.Fatal(err, found, rendering.Diagnostics)
	}
	made, err := krm.ConfigMaps(rendering, config.Spec{})
	if err != nil || len(made) != 1 {
		t.Fatalf("%d ConfigMaps: %v", len(made), err)
	}
	return made[0].Data
}

// volume lays files out as the kubelet does: name -> ..data/name, and ..data -> a folder of this version.
type volume struct {
	dir     string
	version int
}

func newVolume(t *testing.T) *volume { return &volume{dir: t.TempDir()} }

func (v *volume) swap(t *testing.T, data map[string]string) {
	t.Helper()
	v.version++
	folder := fmt.Sprintf("..version%d", v.version)
	must(t, os.Mkdir(filepath.Join(v.dir, folder), 0o755))
	for name, text := range data {
		must(t, os.WriteFile(filepath.Join(v.dir, folder, name), []byte(text), 0o644))
	}
	must(t, os.Symlink(folder, filepath.Join(v.dir, "..data_tmp")))
	must(t, os.Rename(filepath.Join(v.dir, "..data_tmp"), filepath.Join(v.dir, "..data")))
	for name := range data {
		if _, err := os.Lstat(filepath.Join(v.dir, name)); err != nil {
			must(t, os.Symlink(filepath.Join("..data", name), filepath.Join(v.dir, name)))
		}
	}
}

func location(t *testing.T, port int) string {
	t.Helper()
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Get(fmt.Sprintf("http://127.0.0.1:%d/", port))
	must(t, err)
	response.Body.Close()
	target, err := response.Location()
	must(t, err)
	return target.Path
}

func freePort(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
