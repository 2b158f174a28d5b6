package attach

import (
	"fmt"
	"slices"
	"strings"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/model"
	"github.com/routedelta/routedelta/render/status"
)

// listener is a listener of a Gateway while routes attach to it.
type listener struct {
	// gateway serves the listener.
	gateway *gateway
	// set is the ListenerSet that the listener is written in; nil is the Gateway itself.
	set *listenerSet
	// source and namespace are of the object that the listener is written in: what it names without a namespace is there, and
	// "Same" is there. The two differ where a manifest leaves its namespace open (homes).
	source
	namespace string
	field     string // spec.listeners[i]
	name      string
	port      uint32
	protocol  gatewayv1.ProtocolType
	hostname  string
	allowed   allowedRoutes
	// supported: the protocol is one that is rendered.
	supported bool
	// conflict is the reason why the listener is not distinct from another one, or "".
	conflict        gatewayv1.ListenerConditionReason
	conflictMessage string
	// unresolved is the first reference that leads nowhere, or nil.
	unresolved   *unresolved
	certificates []model.Certificate
	// attached are the routes that the listener takes; attachments say under which hostname.
	attached    map[model.Name]bool
	attachments []attachment
}

// unresolved is a reference that leads nowhere, in the words of a status.
type unresolved struct{ reason, message string }

// accepted tells whether routes may attach. A missing certificate does not stop them: what a listener accepts and what it can
// be programmed to do are two conditions (product row R5).
func (l *listener) accepted() bool { return l.supported && l.conflict == "" }

// served tells whether a connection to the listener is answered.
func (l *listener) served() bool {
	return l.accepted() && (l.protocol != gatewayv1.HTTPSProtocolType || len(l.certificates) > 0)
}

// listeners reads the listeners of a Gateway and finds those that exclude each other.
func (r *resolver) listeners(g *gateway, specs []gatewayv1.Listener) []*listener {
	var listeners []*listener
	for i, spec := range specs {
		l := &listener{
			gateway:   g,
			source:    g.source,
			namespace: g.Namespace,
			field:     fmt.Sprintf("spec.listeners[%d]", i),
			name:      string(spec.Name),
			port:      uint32(spec.Port),
			protocol:  spec.Protocol,
			hostname:  anyHostname,
			supported: spec.Protocol == gatewayv1.HTTPProtocolType || spec.Protocol == gatewayv1.HTTPSProtocolType,
		}
		if spec.Hostname != nil && *spec.Hostname != "" {
			l.hostname = strings.ToLower(string(*spec.Hostname))
		}
		l.readAllowedRoutes(spec.AllowedRoutes)
		listeners = append(listeners, l)
		if !l.supported {
			r.warn(l.source, l.field+".protocol", diagnostic.ListenerUnsupported,
				fmt.Sprintf("listener %q speaks %s%s on port %d, which is not rendered yet: it is left out", l.name, l.protocol, l.forHostname(), l.port), "")
		}
	}
	findConflicts(listeners)
	for i, l := range listeners {
		if l.conflict != "" {
			r.warn(l.source, l.field, diagnostic.ListenerConflict, fmt.Sprintf("listener %q is not served: %s", l.name, l.conflictMessage),
				"give the listeners of one port different hostnames and one protocol")
			continue
		}
		if l.protocol == gatewayv1.HTTPSProtocolType {
			r.readCertificates(l, specs[i].TLS)
		}
	}
	return listeners
}

// forHostname is " for shop.example", "" where any host may come.
func (l *listener) forHostname() string {
	if l.hostname == anyHostname {
		return ""
	}
	return " for " + l.hostname
}

// findConflicts marks the listeners that are not distinct. HTTP cannot share a port with TLS in either form; listeners that
// share a port are told apart by hostname, and "the implementation MUST NOT pick one conflicting Listener as the winner"
// (GatewaySpec.listeners). TCP and UDP listeners are not served, so they take nothing from others.
func findConflicts(listeners []*listener) {
	for _, a := range listeners {
		for _, b := range listeners {
			if a == b || a.port != b.port || !byHostname(a) || !byHostname(b) {
				continue
			}
			switch {
			case isHTTP(a) != isHTTP(b):
				a.conflict = gatewayv1.ListenerReasonProtocolConflict
				a.conflictMessage = fmt.Sprintf("listener %q speaks %s on port %d as well", b.name, b.protocol, b.port)
			case a.hostname == b.hostname && a.conflict == "":
				a.conflict = gatewayv1.ListenerReasonHostnameConflict
				a.conflictMessage = fmt.Sprintf("listener %q has hostname %s on port %d as well", b.name, b.hostname, b.port)
			}
		}
	}
}

func isHTTP(l *listener) bool { return l.protocol == gatewayv1.HTTPProtocolType }

// byHostname tells whether listeners of the protocol share a port by hostname.
func byHostname(l *listener) bool {
	return slices.Contains([]gatewayv1.ProtocolType{gatewayv1.HTTPProtocolType, gatewayv1.HTTPSProtocolType, gatewayv1.TLSProtocolType}, l.protocol)
}

func (l *listener) status() status.Listener {
	generation := l.gateway.generation
	report := status.Listener{Name: l.name, SupportedKinds: l.allowed.kinds, AttachedRoutes: len(l.attached)}

	accepted, acceptedMessage := gatewayv1.ListenerReasonAccepted, ""
	switch {
	case !l.supported:
		accepted, acceptedMessage = gatewayv1.ListenerReasonUnsupportedProtocol, fmt.Sprintf("protocol %s is not rendered", l.protocol)
	case l.conflict != "":
		accepted, acceptedMessage = l.conflict, l.conflictMessage
	}
	conflict := l.conflict
	if conflict == "" {
		conflict = gatewayv1.ListenerReasonNoConflicts
	}
	resolved, resolvedMessage := string(gatewayv1.ListenerReasonResolvedRefs), ""
	if l.unresolved != nil {
		resolved, resolvedMessage = l.unresolved.reason, l.unresolved.message
	}
	programmed := gatewayv1.ListenerReasonProgrammed
	if !l.served() {
		programmed = gatewayv1.ListenerReasonInvalid
	}
	report.Conditions = []status.Condition{
		status.New(gatewayv1.ListenerConditionAccepted, l.accepted(), accepted, acceptedMessage, generation),
		status.New(gatewayv1.ListenerConditionConflicted, l.conflict != "", conflict, l.conflictMessage, generation),
		status.New(gatewayv1.ListenerConditionResolvedRefs, l.unresolved == nil, resolved, resolvedMessage, generation),
		status.New(gatewayv1.ListenerConditionProgrammed, l.served(), programmed, "", generation),
	}
	return report
}
