package files

import (
	"strings"

	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	hcmv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// Types that stand for any other of their slot: wrapped, matched or untyped configuration.
var anySlot = []string{
	"xds.type.v3.TypedStruct",
	"udpa.type.v1.TypedStruct",
	"envoy.extensions.common.matching.v3.ExtensionWithMatcher",
	"envoy.config.route.v3.FilterConfig",
}

// checkTypes finds packed messages of a type that their slot does not take. The wire form of a packed message fits every slot,
// so only its type says what it is for.
func (c *checker) checkTypes() {
	// What a filter is switched on or off with for one route need not say more.
	left := map[*anypb.Any]bool{}
	for _, n := range c.current.nodes {
		switch m := n.message.(type) {
		case *routev3.FilterConfig:
			left[m.GetConfig()] = m.GetConfig().GetTypeUrl() == ""
		case *hcmv3.HttpFilter:
			c.checkSlot(at(n.path, "typed_config"), m.GetTypedConfig(), "an HTTP filter", "envoy.extensions.filters.http.")
		case *listenerv3.Filter:
			c.checkSlot(at(n.path, "typed_config"), m.GetTypedConfig(), "a network filter", "envoy.extensions.filters.network.")
		case *listenerv3.ListenerFilter:
			c.checkSlot(at(n.path, "typed_config"), m.GetTypedConfig(), "a listener filter", "envoy.extensions.filters.listener.", "envoy.extensions.filters.udp.")
		case *listenerv3.FilterChain:
			c.checkTransport(at(n.path, "transport_socket"), m.GetTransportSocket(), "Downstream")
		case *clusterv3.Cluster:
			c.checkTransport(at(n.path, "transport_socket"), m.GetTransportSocket(), "Upstream")
			for key, options := range m.GetTypedExtensionProtocolOptions() {
				c.checkSlot(at(n.path, "typed_extension_protocol_options")+"["+quote(key)+"]", options, "protocol options", "envoy.extensions.upstreams.", "envoy.extensions.filters.network.")
			}
		}
	}
	each(c, func(path string, packed *anypb.Any) {
		if _, err := packed.UnmarshalNew(); err != nil && !left[packed] {
			c.errorf(diagnostic.WrongSlotType, path, "the message %s cannot be read: its type is unknown, or its bytes are broken", packed.MessageName())
		}
	})
}

// checkSlot holds the type of a packed message to the packages whose messages the slot takes.
func (c *checker) checkSlot(field string, packed *anypb.Any, slot string, packages ...string) {
	if packed == nil {
		return
	}
	name := string(packed.MessageName())
	for _, ok := range anySlot {
		if name == ok {
			return
		}
	}
	for _, prefix := range packages {
		if strings.HasPrefix(name, prefix) {
			return
		}
	}
	c.errorf(diagnostic.WrongSlotType, field, "%s is no configuration of %s", name, slot)
}

// checkTransport tells the two sides of TLS apart: each has a message of its own, and Envoy wants the right one.
func (c *checker) checkTransport(field string, socket *corev3.TransportSocket, side string) {
	packed := socket.GetTypedConfig()
	c.checkSlot(at(field, "typed_config"), packed, "a transport socket", "envoy.extensions.transport_sockets.")
	other := map[string]string{"Downstream": "Upstream", "Upstream": "Downstream"}[side]
	message := string(packed.MessageName().Name())
	if strings.HasPrefix(message, other) {
		c.errorf(diagnostic.WrongSlotType, at(field, "typed_config"), "%s is for the other side: a %s... is wanted", packed.MessageName(), side)
	}
}
