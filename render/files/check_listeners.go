package files

import (
	"fmt"
	"slices"
	"strings"

	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	hcmv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"

	"github.com/routedelta/routedelta/render/diagnostic"
)

const (
	tlsInspectorType = "envoy.extensions.filters.listener.tls_inspector.v3.TlsInspector"
	routerType       = "envoy.extensions.filters.http.router.v3.Router"
)

// checkListener finds listeners that Envoy takes in silence and that cannot serve, and chains that it refuses.
func (c *checker) checkListener() {
	each(c, func(path string, l *listenerv3.Listener) {
		c.checkInspector(path, l)
		c.checkChains(path, l)
	})
	each(c, func(path string, m *hcmv3.HttpConnectionManager) {
		filters := m.GetHttpFilters()
		if len(filters) == 0 || !isRouter(filters[len(filters)-1]) {
			c.errorf(diagnostic.SilentListener, at(path, "http_filters"), "the last HTTP filter is no router: no request is ever sent on")
		}
	})
}

func isRouter(filter *hcmv3.HttpFilter) bool {
	packed := filter.GetTypedConfig()
	// Configuration from another place, or wrapped, may be a router.
	return packed == nil || string(packed.MessageName()) == routerType || slices.Contains(anySlot, string(packed.MessageName()))
}

// checkInspector: without a TLS inspector no connection has a server name, so no chain with server names is ever chosen.
func (c *checker) checkInspector(path string, l *listenerv3.Listener) {
	for _, filter := range l.GetListenerFilters() {
		if string(filter.GetTypedConfig().MessageName()) == tlsInspectorType || filter.GetConfigDiscovery() != nil {
			return
		}
	}
	for i, chain := range l.GetFilterChains() {
		if len(chain.GetFilterChainMatch().GetServerNames()) > 0 && l.GetUdpListenerConfig() == nil {
			c.errorf(diagnostic.SilentListener, at(path, indexed("filter_chains", i)+".filter_chain_match"), "server names without a TLS inspector: no connection ever has one")
			return
		}
	}
}

// checkChains finds a listener without chains, and two chains for the same connections (names are compared without case).
func (c *checker) checkChains(path string, l *listenerv3.Listener) {
	if len(l.GetFilterChains()) == 0 && l.GetDefaultFilterChain() == nil && l.GetUdpListenerConfig() == nil && l.GetApiListener() == nil && l.GetInternalListener() == nil {
		c.errorf(diagnostic.SilentListener, at(path, "filter_chains"), "a listener without filter chains is refused")
	}
	seen := map[string]bool{}
	for i, chain := range l.GetFilterChains() {
		field := at(path, indexed("filter_chains", i)+".filter_chain_match")
		for _, key := range chainKeys(chain.GetFilterChainMatch()) {
			if seen[key] {
				c.errorf(diagnostic.SilentListener, field, "two filter chains match the same connections: Envoy refuses the listener")
				break
			}
			seen[key] = true
		}
	}
}

// chainKeys is each server name with the rest of the match.
func chainKeys(match *listenerv3.FilterChainMatch) []string {
	rest := fmt.Sprint(
		match.GetDestinationPort().GetValue(), prefixes(match.GetPrefixRanges()), prefixes(match.GetDirectSourcePrefixRanges()),
		match.GetSourceType(), prefixes(match.GetSourcePrefixRanges()), match.GetSourcePorts(), match.GetTransportProtocol(), match.GetApplicationProtocols(),
	)
	if len(match.GetServerNames()) == 0 {
		return []string{rest}
	}
	var keys []string
	for _, name := range match.GetServerNames() {
		keys = append(keys, rest+" "+strings.ToLower(name))
	}
	return keys
}

func prefixes[P interface {
	GetAddressPrefix() string
}](ranges []P) []string {
	var all []string
	for _, r := range ranges {
		all = append(all, r.GetAddressPrefix())
	}
	return all
}
