package attach

import (
	"fmt"
	"strings"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/model"
)

// listener is a listener of a Gateway, or of a ListenerSet of one, while routes attach to it.
type listener struct {
	// gateway serves the listener.
	gateway *gateway
	// set is the ListenerSet that the listener is written in; nil is the Gateway itself.
	set *listenerSet
	// source and namespace are of the object that the listener is written in: what it names without a namespace is there, and
	// "Same" is there. The two differ where a manifest leaves its namespace open (homes).
	source
	namespace  string
	generation int64
	field      string // spec.listeners[i]
	name       string
	port       uint32
	protocol   gatewayv1.ProtocolType
	// passthrough: TLS is passed on as it is, and not ended here.
	passthrough bool
	tls         *gatewayv1.ListenerTLSConfig
	hostname    string
	allowed     allowedRoutes
	// supported: the protocol is one that is rendered.
	supported bool
	// conflict is the reason why the listener is not distinct from another one, or "".
	conflict        gatewayv1.ListenerConditionReason
	conflictMessage string
	// unresolved is the first reference that leads nowhere, or nil.
	unresolved   *unresolved
	certificates []model.Certificate
	// withheld: nothing is written of the certificates.
	withheld bool
	// validation asks clients for certificates, or is nil. unguarded is why it cannot although the Gateway asks for it.
	validation *model.ClientValidation
	unguarded  string
	// attached are the routes that the listener takes; attachments say under which hostname.
	attached    map[diagnostic.Object]*route
	attachments []attachment
	// claims are the hostnames that routes have, by kind.
	claims struct{ http, grpc claims }
}

// unresolved is a reference that leads nowhere, in the words of a status.
type unresolved struct{ reason, message string }

// unresolve keeps the first problem: the condition has room for one reason.
func (l *listener) unresolve(problem *unresolved) {
	if l.unresolved == nil {
		l.unresolved = problem
	}
}

// accepted tells whether routes may attach. A missing certificate does not stop them: what a listener accepts and what it can
// be programmed to do are two conditions (product row R5).
func (l *listener) accepted() bool {
	return l.supported && l.conflict == "" && l.unguarded == "" && (l.set == nil || l.set.refused == nil)
}

// served tells whether a connection to the listener is answered.
func (l *listener) served() bool {
	return l.accepted() && l.gateway.refused == nil && (!l.endsTLS() || len(l.certificates) > 0)
}

// endsTLS tells whether the listener needs a certificate.
func (l *listener) endsTLS() bool {
	return l.protocol == gatewayv1.HTTPSProtocolType || l.protocol == gatewayv1.TLSProtocolType && !l.passthrough
}

// chainName is unique among the listeners of the Gateway and stays for as long as the listener does: Envoy drains a chain whose
// name changes. "Name is not required to be unique across a Gateway and ListenerSets" (ListenerEntry.name); no listener's own name
// has a slash.
func (l *listener) chainName() string {
	if l.set == nil {
		return l.name
	}
	return l.set.Name.String() + "/" + l.name
}

// readListeners reads the listeners of a Gateway or of a ListenerSet. What other objects have to do with them comes later.
func (r *resolver) readListeners(g *gateway, set *listenerSet, specs []gatewayv1.Listener) []*listener {
	listeners := make([]*listener, 0, len(specs))
	for i := range specs {
		l := &listener{gateway: g, set: set, field: fmt.Sprintf("spec.listeners[%d]", i)}
		l.source, l.namespace, l.generation = g.source, g.Namespace, g.generation
		if set != nil {
			l.source, l.namespace, l.generation = set.source, set.Namespace, set.generation
		}
		l.read(&specs[i])
		listeners = append(listeners, l)
		if !l.supported {
			r.warn(l.source, l.field+".protocol", diagnostic.ListenerUnsupported,
				fmt.Sprintf("listener %q speaks %s on port %d, which is no protocol of the Gateway API: it is left out", l.name, l.protocol, l.port), "")
		}
	}
	return listeners
}

func (l *listener) read(spec *gatewayv1.Listener) {
	l.name, l.port, l.protocol = string(spec.Name), uint32(spec.Port), spec.Protocol
	l.supported = classOf(l.protocol) != ""
	l.tls = spec.TLS
	l.passthrough = l.tls != nil && l.tls.Mode != nil && *l.tls.Mode == gatewayv1.TLSModePassthrough
	l.hostname = anyHostname
	if spec.Hostname != nil && *spec.Hostname != "" && l.byHostname() {
		l.hostname = strings.ToLower(string(*spec.Hostname))
	}
	l.readAllowedRoutes(spec.AllowedRoutes)
}

// ownerName is the name of the object that the listener is written in.
func (l *listener) ownerName() model.Name {
	if l.set != nil {
		return l.set.Name
	}
	return l.gateway.Name
}

// owner is that object, for a message.
func (l *listener) owner() string { return l.Kind + " " + l.ownerName().String() }

// resolveListeners follows the references of listeners that are distinct from all others: the rest are served by nobody.
func (r *resolver) resolveListeners(listeners []*listener) {
	for _, l := range listeners {
		if l.conflict != "" {
			r.warn(l.source, l.field, diagnostic.ListenerConflict, fmt.Sprintf("listener %q is not served: %s", l.name, l.conflictMessage),
				"give the listeners of one port different hostnames and one protocol")
			continue
		}
		if l.endsTLS() {
			r.readCertificates(l)
			r.withholdCertificates(l)
		}
		if l.protocol == gatewayv1.HTTPSProtocolType {
			r.guard(l)
		}
	}
}
