package envoy_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/manifest"
)

// TestStockEnvoyServesTheDirectory does what a user does: render into a directory, start Envoy in it, send requests to
// its port. Only the ports are others than in the manifests, since those may be taken.
func TestStockEnvoyServesTheDirectory(t *testing.T) {
	t.Parallel()
	orders := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "orders saw %s", r.URL)
	}))
	defer orders.Close()
	manifests, err := os.ReadFile(filepath.Join(caseRoot, "shop", "manifests.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	port, admin := freePort(t), freePort(t)
	_, backendPort, err := net.SplitHostPort(orders.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer("10000", fmt.Sprint(port), "18081", backendPort).Replace(string(manifests))
	objects, found := manifest.Read(t.Context(), []manifest.Source{{Name: "shop.yaml", Data: []byte(text), Named: true}}, manifest.Limits{})
	rendering, err := render.Render(t.Context(), objects, render.Options{ListenAddress: "127.0.0.1", AdminPort: admin})
	if err != nil {
		t.Fatal(err)
	}
	if found = append(found, rendering.Diagnostics...); found.HasErrors() {
		t.Fatal(found)
	}
	dir := filepath.Join(t.TempDir(), "out")
	if err := files.Write(t.Context(), dir, []*files.Set{rendering.Gateways[0].Files}, files.Options{}); err != nil {
		t.Fatal(err)
	}

	envoytest.Run(t, filepath.Join(dir, "shop-edge"), fmt.Sprintf("127.0.0.1:%d", admin)).RequireLoaded(t)
	for path, want := range map[string]string{
		"/orders":   "200 orders saw /orders",
		"/orders/7": "200 orders saw /orders/7",
		"/ordersx":  "404 ",
		"/closed":   "500 ",
	} {
		if got := get(t, port, path); got != want {
			t.Errorf("%s: answer is %q, want %q", path, got, want)
		}
	}
}

// TestShopNamesEndpointsApartFromTheCluster: an endpoint file is of the Service's port, whatever variants of clusters use it;
// what needs no backend makes no cluster.
func TestShopNamesEndpointsApartFromTheCluster(t *testing.T) {
	set := loadCase(t, filepath.Join(caseRoot, "shop", "case.yaml")).render(t).Gateways[0].Files
	if len(set.Clusters) != 1 || len(set.Endpoints) != 1 {
		t.Fatalf("%d clusters and %d endpoint files, want one of each", len(set.Clusters), len(set.Endpoints))
	}
	cluster, service := set.Clusters[0].GetName(), set.Clusters[0].GetEdsClusterConfig().GetServiceName()
	if service == "" || service == cluster || set.Endpoints[0].GetClusterName() != service {
		t.Errorf("cluster %q names endpoints %q, the file has those of %q", cluster, service, set.Endpoints[0].GetClusterName())
	}
}

func get(t *testing.T, port int, path string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d%s", port, path), nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Host = "shop.example"
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%d %s", response.StatusCode, body)
}

// freePort is a port that nobody listened on a moment ago.
func freePort(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}
