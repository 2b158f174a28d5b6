package attach

import (
	"fmt"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
)

// class is what a port can be used for once: listeners of one class may share it, if anything tells them apart.
type class string

const (
	plainHTTP class = "plain HTTP"
	secure    class = "TLS" // HTTPS and TLS: both begin with a server name
	plainTCP  class = "TCP"
	plainUDP  class = "UDP"
)

// classOf is "" for a protocol that the Gateway API does not define.
func classOf(protocol gatewayv1.ProtocolType) class {
	switch protocol {
	case gatewayv1.HTTPProtocolType:
		return plainHTTP
	case gatewayv1.HTTPSProtocolType, gatewayv1.TLSProtocolType:
		return secure
	case gatewayv1.TCPProtocolType:
		return plainTCP
	case gatewayv1.UDPProtocolType:
		return plainUDP
	}
	return ""
}

// byHostname tells whether listeners of the protocol share a port by hostname.
func (l *listener) byHostname() bool {
	c := classOf(l.protocol)
	return c == plainHTTP || c == secure
}

// portKey is a port in its own space: a UDP port has nothing to do with the TCP port of the same number.
type portKey struct {
	udp  bool
	port uint32
}

func (l *listener) portKey() portKey {
	return portKey{l.protocol == gatewayv1.UDPProtocolType, l.port}
}

// portUse is who has a port already.
type portUse struct {
	first      *listener
	byHostname map[string]*listener
}

// portUses are the ports of one Gateway while its listeners and those of its ListenerSets are merged, in the order of precedence of
// ListenerSetSpec.listeners: the Gateway, then the sets, oldest first. What an earlier object has, a later one cannot take.
type portUses map[portKey]*portUse

// add takes the listeners of one object. Within an object "the implementation MUST NOT pick one conflicting Listener as the winner.
// ALL indistinct Listeners must not be accepted" (GatewaySpec.listeners), so none of them takes the port from a later object.
func (uses portUses) add(listeners []*listener) {
	candidates := filter(listeners, func(l *listener) bool { return l.supported && !uses.excludes(l) })
	for _, a := range candidates {
		for _, b := range candidates {
			if a != b {
				a.compete(b)
			}
		}
	}
	for _, l := range candidates {
		if l.conflict == "" {
			uses.take(l)
		}
	}
}

// excludes marks a listener that conflicts with one of an earlier object. The message does not name the other one: it may be of a
// namespace that the reader does not see ("Implementations SHOULD be cautious about what information from the parent or siblings are
// reported").
func (uses portUses) excludes(l *listener) bool {
	use := uses[l.portKey()]
	if use == nil {
		return false
	}
	earlier := use.byHostname[l.hostname]
	if classOf(use.first.protocol) != classOf(l.protocol) {
		earlier = use.first
	}
	if earlier == nil {
		return false
	}
	l.conflict, l.conflictMessage = l.indistinct(earlier, "another listener of the Gateway")
	return true
}

func (uses portUses) take(l *listener) {
	use := uses[l.portKey()]
	if use == nil {
		use = &portUse{first: l, byHostname: map[string]*listener{}}
		uses[l.portKey()] = use
	}
	use.byHostname[l.hostname] = l
}

// compete marks a listener that is not distinct from another one of the same object. That the protocols exclude each other is the
// stronger reason of the two.
func (l *listener) compete(other *listener) {
	if l.portKey() != other.portKey() || l.conflict == gatewayv1.ListenerReasonProtocolConflict {
		return
	}
	reason, message := l.indistinct(other, fmt.Sprintf("listener %q", other.name))
	if reason == gatewayv1.ListenerReasonProtocolConflict || l.conflict == "" {
		l.conflict, l.conflictMessage = reason, message
	}
}

// indistinct says why two listeners of one port cannot be told apart, or "".
func (l *listener) indistinct(other *listener, called string) (gatewayv1.ListenerConditionReason, string) {
	switch {
	case classOf(l.protocol) != classOf(other.protocol):
		return gatewayv1.ListenerReasonProtocolConflict, fmt.Sprintf("%s speaks %s on port %d as well", called, other.protocol, other.port)
	case l.hostname != other.hostname:
		return "", ""
	case !l.byHostname():
		return gatewayv1.ListenerConditionReason(gatewayv1.ListenerEntryReasonListenerConflict),
			fmt.Sprintf("%s has %s port %d already", called, other.protocol, other.port)
	}
	return gatewayv1.ListenerReasonHostnameConflict, fmt.Sprintf("%s has hostname %s on port %d as well", called, other.hostname, other.port)
}
