package attach

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/model"
)

// serve lays out what a Gateway serves: a socket for each port; behind it one route table for all HTTP listeners of the port, one for
// each HTTPS listener, chosen by SNI, and what the listeners for TLS, TCP and UDP pass on.
func (r *resolver) serve(g *gateway) *model.Gateway {
	served := &model.Gateway{Name: g.Name, Assumed: g.assumed, ClientCertificate: g.clientCertificate}
	if infrastructure := g.spec.Infrastructure; infrastructure != nil {
		served.Labels = plainMap(infrastructure.Labels)
		served.Annotations = plainMap(infrastructure.Annotations)
	}
	if !g.accepted() {
		return served
	}
	ports := slices.SortedFunc(maps.Keys(g.onPort), func(a, b portKey) int {
		return cmp.Or(cmp.Compare(a.port, b.port), cmp.Compare(boolRank(a.udp), boolRank(b.udp)))
	})
	for _, key := range ports {
		if socket := r.socket(key.port, g.onPort[key]); len(socket.Chains) > 0 {
			served.Listeners = append(served.Listeners, socket)
		}
	}
	return served
}

// socket is one port. Its listeners are of one class, and sorted by chain name.
func (r *resolver) socket(port uint32, listeners []*listener) model.Listener {
	socket := model.Listener{Port: port, Protocol: socketProtocol(listeners)}
	if socket.Protocol == model.HTTP {
		name := fmt.Sprintf("http-%d", port)
		socket.Chains = []model.FilterChain{{Name: name, Routes: model.RouteTable{Name: name, Hosts: r.hosts(listeners, listeners)}}}
		return socket
	}
	for _, l := range listeners {
		switch {
		case l.protocol != gatewayv1.HTTPSProtocolType:
			socket.Chains = append(socket.Chains, r.forwardChains(l)...)
		case l.served():
			socket.Chains = append(socket.Chains, r.secureChain(l, listeners))
		}
	}
	return socket
}

// socketProtocol is the listeners' own; TLS where listeners for HTTPS and for TLS share the port.
func socketProtocol(listeners []*listener) model.Protocol {
	protocol := listeners[0].protocol
	for _, l := range listeners {
		if l.protocol == gatewayv1.TLSProtocolType {
			protocol = l.protocol
		}
	}
	return model.Protocol(protocol)
}

func (r *resolver) secureChain(l *listener, port []*listener) model.FilterChain {
	chain := model.FilterChain{
		Name:             l.chainName(),
		Certificates:     l.certificates,
		ClientValidation: l.validation,
		Routes:           model.RouteTable{Name: fmt.Sprintf("https-%d-%s", l.port, l.chainName()), Hosts: r.hosts([]*listener{l}, port)},
	}
	if l.hostname != anyHostname {
		chain.ServerNames = []string{l.hostname}
	}
	return chain
}

func boolRank(b bool) int {
	if b {
		return 1
	}
	return 0
}

func plainMap[K, V ~string](typed map[K]V) map[string]string {
	if len(typed) == 0 {
		return nil
	}
	plain := make(map[string]string, len(typed))
	for key, value := range typed {
		plain[string(key)] = string(value)
	}
	return plain
}
