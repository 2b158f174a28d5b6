package fleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/routedelta/routedelta/conformance/loopback"
	install "github.com/routedelta/routedelta/plugin/envoy"
	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/model"
)

// shop is a Gateway with one route to a Service of a name, whose one endpoint is a server of the test.
const shop = `
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: {name: own}
spec: {controllerName: example.com/own}
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {namespace: shop, name: edge}
spec:
  gatewayClassName: own
  listeners: [{name: http, port: 8080, protocol: HTTP}]
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {namespace: shop, name: cart}
spec:
  parentRefs: [{name: edge}]
  rules: [{backendRefs: [{name: NAME, port: 80}]}]
---
apiVersion: v1
kind: Service
metadata: {namespace: shop, name: NAME}
spec: {ports: [{port: 80, targetPort: PORT}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {namespace: shop, name: NAME-1, labels: {kubernetes.io/service-name: NAME}}
addressType: IPv4
ports: [{port: PORT}]
endpoints: [{addresses: [ADDRESS]}]
`

// edge is the Gateway of shop.
var edge = model.Name{Namespace: "shop", Name: "edge"}

// world is a fleet with a server to which its Gateway leads.
type world struct {
	fleet   *Fleet
	address netip.Addr
	backend netip.AddrPort
}

func newWorld(t *testing.T) world {
	t.Helper()
	network, err := loopback.Claim()
	must(t, err)
	t.Cleanup(func() { must(t, network.Close()) })
	directory, err := os.MkdirTemp("", "fleet")
	must(t, err)
	t.Cleanup(func() { must(t, os.RemoveAll(directory)) })
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") }))
	t.Cleanup(backend.Close)
	w := world{
		fleet:   New(Config{Envoy: program(t), Directory: directory, Network: network}),
		backend: netip.MustParseAddrPort(strings.TrimPrefix(backend.URL, "http://")),
	}
	w.address, err = w.fleet.Address(edge)
	must(t, err)
	return w
}

// program is the path of Envoy: ENVOY from the environment, else what `make envoy` installed.
func program(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "..", ".local", "bin", "envoy"))
	must(t, err)
	if named := os.Getenv("ENVOY"); named != "" {
		path = named
	}
	return path
}

// render gives the files of the shop whose route leads to a Service of this name.
func (w world) render(t *testing.T, service string) *files.Set {
	t.Helper()
	text := strings.NewReplacer("NAME", service, "PORT", fmt.Sprint(w.backend.Port()), "ADDRESS", w.backend.Addr().String()).Replace(shop)
	objects, found := manifest.Read(t.Context(), []manifest.Source{{Name: "shop.yaml", Data: []byte(text)}}, manifest.Limits{})
	rendering, err := render.Render(t.Context(), objects, render.Options{
		References: render.Strict, Endpoints: "inline", Listeners: "file", AdminPort: -1,
		ListenAddresses: map[model.Name]string{edge: w.address.String()},
	})
	must(t, err)
	if all := append(found, rendering.Diagnostics...); all.HasErrors() || len(rendering.Gateways) != 1 {
		t.Fatalf("%d Gateways, %v", len(rendering.Gateways), all)
	}
	return rendering.Gateways[0].Files
}

func (w world) update(t *testing.T, set *files.Set) {
	t.Helper()
	must(t, w.fleet.Update(t.Context(), map[model.Name]*files.Set{edge: set}))
}

// ask sends a request to the Gateway.
func (w world) ask(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+netip.AddrPortFrom(w.address, 8080).String(), nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if string(body) != "hello" {
		return fmt.Errorf("%s: %s", response.Status, body)
	}
	return nil
}

// TestNothingIsLost moves the only route to another cluster, again and again, while clients send requests without a pause.
func TestNothingIsLost(t *testing.T) {
	w := newWorld(t)
	w.update(t, w.render(t, "service-0"))
	ctx, stop := context.WithCancel(t.Context())
	var clients sync.WaitGroup
	var answered atomic.Int64
	lost := make(chan error, 4)
	for range cap(lost) {
		clients.Go(func() {
			for ctx.Err() == nil {
				if err := w.ask(t.Context()); err != nil {
					lost <- err
					return
				}
				answered.Add(1)
			}
		})
	}
	const moves = 25
	for i := range moves {
		w.update(t, w.render(t, fmt.Sprintf("service-%d", i+1)))
	}
	stop()
	clients.Wait()
	close(lost)
	for err := range lost {
		t.Errorf("a request is lost: %v", err)
	}
	t.Logf("%d requests answered over %d moves", answered.Load(), moves)
	must(t, w.fleet.Close())
	if counts := w.fleet.Counts(); counts != (Counts{Started: 1, Updated: moves, Validated: moves + 1}) {
		t.Errorf("%+v", counts)
	}
}

// TestRefused: what Envoy refuses is an error of the update, and of the end.
func TestRefused(t *testing.T) {
	w := newWorld(t)
	w.update(t, w.render(t, "service"))
	broken := w.render(t, "service").Clone()
	broken.Routes[0].VirtualHosts[0].Domains = nil
	var refused *install.RefusedError
	err := w.fleet.Update(t.Context(), map[model.Name]*files.Set{edge: broken})
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "update_rejected counts 1") {
		t.Errorf("a route configuration without domains: %v", err)
	}
	if err := w.fleet.Close(); !errors.Is(err, errRefused) {
		t.Errorf("the end: %v", err)
	}
}

// TestValidated: what a running Envoy takes in silence is found in the merged form.
func TestValidated(t *testing.T) {
	w := newWorld(t)
	broken := w.render(t, "service").Clone()
	broken.Clusters = nil
	w.update(t, broken)
	if err := w.fleet.Close(); err == nil || !strings.Contains(err.Error(), "unknown cluster") {
		t.Errorf("a route to a cluster that is not there: %v", err)
	}
}

// TestGone: a Gateway that goes takes its Envoy with it.
func TestGone(t *testing.T) {
	w := newWorld(t)
	w.update(t, w.render(t, "service"))
	must(t, w.ask(t.Context()))
	must(t, w.fleet.Update(t.Context(), nil))
	if err := w.ask(t.Context()); err == nil {
		t.Error("it still answers")
	}
	must(t, w.fleet.Close())
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
