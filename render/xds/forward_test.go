package xds_test

import (
	"slices"
	"testing"

	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/model"
	"github.com/routedelta/routedelta/render/xds"
)

// forwarding is a listener with one chain that passes on.
func forwarding(protocol model.Protocol, port uint32, backends ...model.WeightedBackend) model.Listener {
	forward := &model.Forward{Origin: model.Origin{Kind: string(protocol) + "Route", Name: shop("route")}, Backends: backends}
	return model.Listener{Port: port, Protocol: protocol, Chains: []model.FilterChain{{Name: "chain", Forward: forward}}}
}

// speaking is a backend of one name in one of its variants.
func speaking(protocol model.BackendProtocol, tls *model.BackendTLS) model.WeightedBackend {
	backend := serving("orders")
	backend.Protocol, backend.TLS = protocol, tls
	return model.WeightedBackend{Weight: 1, Backend: backend}
}

// TestVariantsOfABackend wants a cluster for each way in which a backend is spoken to, and one list of endpoints for all that speak
// to one port: datagrams go to another.
func TestVariantsOfABackend(t *testing.T) {
	tls := &model.BackendTLS{Hostname: "orders.example", System: true}
	gateway := &model.Gateway{Name: shop("edge"), Listeners: []model.Listener{
		forwarding(model.TCP, 9000, speaking("", nil), speaking("", tls), speaking(model.BackendH2C, nil), speaking(model.BackendH2C, tls)),
		forwarding(model.UDP, 9000, speaking(model.BackendUDP, nil)),
	}}
	set, _ := xds.Build(gateway, xds.Options{})
	var clusters, endpoints []string
	for _, c := range set.Clusters {
		clusters = append(clusters, c.Name)
	}
	for _, e := range set.Endpoints {
		endpoints = append(endpoints, e.ClusterName)
	}
	want := []string{"shop/orders/80", "shop/orders/80/h2c", "shop/orders/80/h2c/tls", "shop/orders/80/tls", "shop/orders/80/udp"}
	if !slices.Equal(clusters, want) {
		t.Errorf("clusters %q, want %q", clusters, want)
	}
	if want := []string{"shop/orders:80", "shop/orders:80/udp"}; !slices.Equal(endpoints, want) {
		t.Errorf("endpoints %q, want %q", endpoints, want)
	}
	if found := files.Check(set); len(found) > 0 {
		t.Errorf("the graph check finds fault with a rendering:\n%v", found)
	}
}

// TestClientCertificate wants the Gateway's own certificate among the secrets only where a backend is shown it.
func TestClientCertificate(t *testing.T) {
	for _, tls := range []*model.BackendTLS{nil, {Hostname: "orders.example", System: true}} {
		gateway := &model.Gateway{
			Name: shop("edge"), ClientCertificate: &model.Certificate{Name: shop("client")},
			Listeners: []model.Listener{forwarding(model.TCP, 9000, speaking("", tls))},
		}
		set, _ := xds.Build(gateway, xds.Options{})
		if shown := len(set.Secrets) == 1; shown != (tls != nil) {
			t.Errorf("with TLS %v there are %d secrets", tls != nil, len(set.Secrets))
		}
	}
}

// TestManySessions: Envoy allows 1,024 sessions for a cluster by default and drops what is beyond; each client port is one, for a
// minute.
func TestManySessions(t *testing.T) {
	envoy := serve(t, &model.Gateway{Name: shop("edge"), Listeners: []model.Listener{
		forwarding(model.UDP, 5300, speaking(model.BackendUDP, nil)),
	}})
	lost := 0
	for range 1200 {
		endpoint, err := envoy.AskDatagram(t.Context(), 5300)
		if err != nil {
			t.Fatal(err)
		}
		if endpoint == "" {
			lost++
		}
		if lost > 3 {
			t.Fatalf("%d datagrams have no answer", lost)
		}
	}
}

// TestClosingEverything: a listener whose routes have no backend closes connections, and does not leave them open.
func TestClosingEverything(t *testing.T) {
	envoy := serve(t, &model.Gateway{Name: shop("edge"), Listeners: []model.Listener{forwarding(model.TCP, 9000)}})
	answer, err := envoy.Ask(t.Context(), 9000, envoytest.Request{Method: "GET", Host: "any.example", Path: "/"})
	if err == nil {
		t.Errorf("answered with %d", answer.Status)
	}
}
