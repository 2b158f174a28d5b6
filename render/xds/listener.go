package xds

import (
	"fmt"
	"strings"

	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	tlsinspectorv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/listener/tls_inspector/v3"

	"github.com/routedelta/routedelta/render/model"
)

// listener is one socket. Its name holds protocol and port, which cannot change without a new socket anyway; nothing
// volatile is in it, since any change outside the filter chains drains all its connections.
func listener(l model.Listener, address string) *listenerv3.Listener {
	made := &listenerv3.Listener{
		Name:    fmt.Sprintf("%s-%d", strings.ToLower(string(l.Protocol)), l.Port),
		Address: socketAddress(address, l.Port),
	}
	if l.Protocol == model.HTTPS {
		// Without it Envoy takes the listener in silence and no TLS connection meets a chain with server names.
		made.ListenerFilters = []*listenerv3.ListenerFilter{{
			Name:       "envoy.filters.listener.tls_inspector",
			ConfigType: &listenerv3.ListenerFilter_TypedConfig{TypedConfig: packed(&tlsinspectorv3.TlsInspector{})},
		}}
	}
	for _, chain := range l.Chains {
		made.FilterChains = append(made.FilterChains, filterChain(l.Protocol, chain))
	}
	return made
}

// filterChain is one route table behind a socket. Its name stays as it is for as long as the Gateway's listener does: a
// chain that changes only its name is drained too.
func filterChain(protocol model.Protocol, chain model.FilterChain) *listenerv3.FilterChain {
	made := &listenerv3.FilterChain{
		Name: chain.Name,
		Filters: []*listenerv3.Filter{{
			Name:       "envoy.filters.network.http_connection_manager",
			ConfigType: &listenerv3.Filter_TypedConfig{TypedConfig: packed(connectionManager(chain.Routes.Name))},
		}},
	}
	if len(chain.ServerNames) > 0 {
		made.FilterChainMatch = &listenerv3.FilterChainMatch{ServerNames: chain.ServerNames}
	}
	if protocol == model.HTTPS {
		made.TransportSocket = downstreamTLS(chain.Certificates)
	}
	return made
}
