package attach

import (
	"cmp"
	"fmt"
	"slices"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/status"
)

func (l *listener) status() status.Listener {
	report := status.Listener{Name: l.name, SupportedKinds: l.allowed.kinds, AttachedRoutes: l.attachedRoutes()}
	accepted, message := l.acceptedReason()
	conflict := cmp.Or(l.conflict, gatewayv1.ListenerReasonNoConflicts)
	resolved := cmp.Or(l.unresolved, &unresolved{reason: string(gatewayv1.ListenerReasonResolvedRefs)})
	report.Conditions = []status.Condition{
		status.New(gatewayv1.ListenerConditionAccepted, l.accepted(), accepted, message, l.generation),
		status.New(gatewayv1.ListenerConditionConflicted, l.conflict != "", conflict, l.conflictMessage, l.generation),
		status.New(gatewayv1.ListenerConditionResolvedRefs, l.unresolved == nil, resolved.reason, resolved.message, l.generation),
		status.New(gatewayv1.ListenerConditionProgrammed, l.served(), l.programmedReason(), l.programmedMessage(), l.generation),
	}
	// "This is a negative polarity condition and MUST NOT be set when it is False."
	if other := l.overlapping(); other != nil {
		message := fmt.Sprintf("hostnames %s and %s overlap on port %d: a connection for one may bring requests for the other", l.hostname, other.hostname, l.port)
		report.Conditions = append(report.Conditions,
			status.New(gatewayv1.ListenerConditionOverlappingTLSConfig, true, gatewayv1.ListenerReasonOverlappingHostnames, message, l.generation))
	}
	return report
}

// attachedRoutes counts the routes that the listener has. "Routes with any other value for the Accepted condition [than True] MUST NOT be
// included in this count" (ListenerStatus.attachedRoutes).
func (l *listener) attachedRoutes() int {
	count := 0
	for _, rt := range l.attached {
		if !rt.allDropped() {
			count++
		}
	}
	return count
}

func (l *listener) acceptedReason() (gatewayv1.ListenerConditionReason, string) {
	switch {
	case !l.supported:
		return gatewayv1.ListenerReasonUnsupportedProtocol, fmt.Sprintf("%s is no protocol of the Gateway API", l.protocol)
	case l.conflict != "":
		return l.conflict, l.conflictMessage
	case l.unguarded != "":
		return gatewayv1.ListenerReasonNoValidCACertificate, l.unguarded
	}
	return gatewayv1.ListenerReasonAccepted, ""
}

// programmedReason: that a listener of a ListenerSet lost to an earlier one is said in both conditions.
func (l *listener) programmedReason() gatewayv1.ListenerConditionReason {
	switch {
	case l.served():
		return gatewayv1.ListenerReasonProgrammed
	case l.set != nil && l.conflict != "":
		return l.conflict
	case l.withheld:
		return gatewayv1.ListenerReasonPending
	}
	return gatewayv1.ListenerReasonInvalid
}

func (l *listener) programmedMessage() string {
	if l.withheld && !l.served() {
		return "nothing is written of certificates"
	}
	return ""
}

// overlapping is another listener for TLS on the port whose hostname covers the listener's or is covered by it, or nil:
// "Controllers MUST detect the presence of overlapping hostnames" (ListenerConditionOverlappingTLSConfig).
func (l *listener) overlapping() *listener {
	if !l.accepted() || classOf(l.protocol) != secure {
		return nil
	}
	neighbours := l.gateway.onPort[l.portKey()]
	i := slices.IndexFunc(neighbours, func(other *listener) bool {
		return other != l && (covers(l.hostname, other.hostname) || covers(other.hostname, l.hostname))
	})
	if i < 0 {
		return nil
	}
	return neighbours[i]
}

// listenerStatuses are sorted by name.
func listenerStatuses(listeners []*listener) []status.Listener {
	var reports []status.Listener
	for _, l := range listeners {
		reports = append(reports, l.status())
	}
	slices.SortFunc(reports, func(a, b status.Listener) int { return cmp.Compare(a.Name, b.Name) })
	return reports
}
