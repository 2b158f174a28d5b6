package xds_test

import (
	"fmt"
	"net"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/model"
	"github.com/routedelta/routedelta/render/xds"
)

// TestListenersInAFileComeAndGo adds a listener and takes it away again while one Envoy runs, which listeners in the bootstrap
// would need a restart for.
func TestListenersInAFileComeAndGo(t *testing.T) {
	one := plainGateway(80, model.Host{Hostname: "*", Rules: []model.Rule{rule("/", to(serving("web")))}})
	two := plainGateway(80, one.Listeners[0].Chains[0].Routes.Hosts...)
	two.Listeners = append(two.Listeners, model.Listener{Port: 8080, Protocol: model.HTTP, Chains: []model.FilterChain{{
		Name: "http-8080", Routes: model.RouteTable{Name: "http-8080", Hosts: two.Listeners[0].Chains[0].Routes.Hosts},
	}}})
	build := func(g *model.Gateway) *files.Set {
		set, _ := xds.Build(g, xds.Options{Listeners: xds.ListenersFile})
		if len(set.Bootstrap.GetStaticResources().GetListeners()) > 0 || len(set.Listeners) != len(g.Listeners) {
			t.Errorf("%d of %d listeners are in their file", len(set.Listeners), len(g.Listeners))
		}
		if found := files.Check(set); len(found) > 0 {
			t.Errorf("the graph check finds fault with a rendering:\n%v", found)
		}
		return set
	}
	envoy := envoytest.Start(t, build(one))
	envoy.RequireLoaded(t)
	envoy.Update(t, build(two))
	waitUntil(t, "a new listener listens", func() bool { return listens(envoy, 8080) })
	for _, port := range []uint32{80, 8080} {
		if answer := ask(t, envoy, port, envoytest.Request{Host: "a.example", Path: "/"}); answer.Seen == nil {
			t.Errorf("port %d answers %d, and no backend saw the request", port, answer.Status)
		}
	}
	envoy.Update(t, build(one))
	waitUntil(t, "a listener that was taken away is gone", func() bool { return !listens(envoy, 8080) })
	envoy.RequireLoaded(t)
}

func listens(envoy *envoytest.Envoy, port uint32) bool {
	connection, err := net.Dial("unix", envoy.Socket(port))
	if err != nil {
		return false
	}
	connection.Close()
	return true
}

func waitUntil(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it is not so after 20 s that %s", what)
		}
	}
}

// TestClientCertificates asks with each kind of certificate, at a socket whose CA stands in the listener and at one whose CA is a file.
func TestClientCertificates(t *testing.T) {
	authority, err := os.ReadFile("../../plugin/envoy/envoytest/client/tls.crt")
	if err != nil {
		t.Fatal(err)
	}
	name := shop("clients")
	validations := map[uint32]*model.ClientValidation{
		1: {Authorities: string(authority)},
		2: {Authorities: string(authority), AllowInsecure: true},
		3: {AuthoritiesFrom: &name},
		4: {AuthoritiesFrom: &name, AllowInsecure: true},
		5: nil,
	}
	gateway := &model.Gateway{Name: shop("edge")}
	for port := uint32(1); port <= 5; port++ {
		table := fmt.Sprintf("https-%d-a", port)
		gateway.Listeners = append(gateway.Listeners, model.Listener{Port: port, Protocol: model.HTTPS, Chains: []model.FilterChain{{
			Name: "a", Certificates: []model.Certificate{{Name: shop("tls")}}, ClientValidation: validations[port],
			Routes: model.RouteTable{Name: table, Hosts: []model.Host{{Hostname: "*", Rules: []model.Rule{rule("/", to(serving("web")))}}}},
		}}})
	}
	envoy := serve(t, gateway)
	for port, validation := range validations {
		for _, client := range []envoytest.Client{envoytest.Nobody, envoytest.Stranger, envoytest.Trusted} {
			want := validation == nil || validation.AllowInsecure || client == envoytest.Trusted
			answer, err := envoy.Ask(t.Context(), port, envoytest.Request{
				Method: "GET", Host: "a.example", Path: "/", TLS: &envoytest.TLS{ServerName: "a.example", Client: client},
			})
			if got := err == nil && answer.Status == 200; got != want {
				t.Errorf("port %d, %+v: client %q is let in: %t, want %t (%v)", port, validation, client, got, want, err)
			}
		}
	}
}

// TestLabelsAreOnTheNode: what the Gateway gives to all that is made of it can be read from its Envoy.
func TestLabelsAreOnTheNode(t *testing.T) {
	gateway := plainGateway(80)
	gateway.Labels, gateway.Annotations = map[string]string{"team": "edge"}, map[string]string{"a/b": "c"}
	set, _ := xds.Build(gateway, xds.Options{})
	got := set.Bootstrap.GetNode().GetMetadata().AsMap()
	want := map[string]any{"labels": map[string]any{"team": "edge"}, "annotations": map[string]any{"a/b": "c"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("metadata of the node (-want +got):\n%s", diff)
	}
	if set, _ := xds.Build(plainGateway(80), xds.Options{}); set.Bootstrap.GetNode().GetMetadata() != nil {
		t.Error("a Gateway without labels has metadata")
	}
}
