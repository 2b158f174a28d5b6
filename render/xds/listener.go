package xds

import (
	"fmt"
	"strings"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	tlsinspectorv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/listener/tls_inspector/v3"

	"github.com/routedelta/routedelta/render/model"
)

func listeners(d *describer, gateway *model.Gateway, address string) []*listenerv3.Listener {
	var made []*listenerv3.Listener
	for _, l := range gateway.Listeners {
		made = append(made, listener(d, l, address))
	}
	return made
}

// listener is one socket. Its name holds protocol and port, which cannot change without a new socket anyway; nothing
// volatile is in it, since any change outside the filter chains drains all its connections.
func listener(d *describer, l model.Listener, address string) *listenerv3.Listener {
	made := &listenerv3.Listener{
		Name:    fmt.Sprintf("%s-%d", strings.ToLower(string(l.Protocol)), l.Port),
		Address: socketAddress(address, l.Port),
	}
	switch l.Protocol {
	case model.UDP:
		listenForDatagrams(d, made, l.Chains[0])
		return made
	case model.HTTPS, model.TLS:
		// Without it Envoy takes the listener in silence and no TLS connection meets a chain with server names.
		made.ListenerFilters = []*listenerv3.ListenerFilter{{
			Name:       "envoy.filters.listener.tls_inspector",
			ConfigType: &listenerv3.ListenerFilter_TypedConfig{TypedConfig: packed(&tlsinspectorv3.TlsInspector{})},
		}}
	}
	for _, chain := range l.Chains {
		made.FilterChains = append(made.FilterChains, filterChain(d, l.Protocol, chain))
	}
	return made
}

// listenForDatagrams makes a listener one for UDP, which has no filter chains: what it is made from stands on the listener itself.
func listenForDatagrams(d *describer, made *listenerv3.Listener, chain model.FilterChain) {
	made.Address.GetSocketAddress().Protocol = corev3.SocketAddress_UDP
	made.UdpListenerConfig = &listenerv3.UdpListenerConfig{}
	made.ListenerFilters = []*listenerv3.ListenerFilter{udpProxy(chain)}
	made.Metadata = d.forward(chain.Forward)
}

// filterChain is one route table behind a socket, or what a connection is passed on to. Its name stays as it is for as long as the
// Gateway's listener does: a chain that changes only its name is drained too.
func filterChain(d *describer, protocol model.Protocol, chain model.FilterChain) *listenerv3.FilterChain {
	made := &listenerv3.FilterChain{Name: chain.Name}
	match := &listenerv3.FilterChainMatch{ServerNames: chain.ServerNames}
	if chain.Forward != nil {
		made.Filters = []*listenerv3.Filter{tcpProxy(chain)}
		made.Metadata = d.forward(chain.Forward)
		if protocol == model.TLS {
			match.TransportProtocol = "tls" // what is no TLS at all belongs to none of the listeners
		}
	} else {
		made.Filters = []*listenerv3.Filter{{
			Name:       "envoy.filters.network.http_connection_manager",
			ConfigType: &listenerv3.Filter_TypedConfig{TypedConfig: packed(connectionManager(chain.Routes.Name))},
		}}
	}
	if len(match.ServerNames) > 0 || match.TransportProtocol != "" {
		made.FilterChainMatch = match
	}
	if len(chain.Certificates) > 0 {
		made.TransportSocket = downstreamTLS(chain)
	}
	return made
}
