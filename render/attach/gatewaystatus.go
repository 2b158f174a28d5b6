package attach

import (
	"cmp"
	"slices"
	"strings"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/status"
)

// accepted: the Gateway as a whole is taken, and at least one of its own listeners is (GatewaySpec.listeners, "Handling indistinct
// Listeners"). One that is assumed may have listeners in ListenerSets alone.
func (g *gateway) accepted() bool {
	return g.refused == nil && (g.assumed || slices.ContainsFunc(g.listeners, (*listener).accepted))
}

func (g *gateway) status() status.Gateway {
	report := status.Gateway{
		Gateway: g.Name, Class: string(g.spec.GatewayClassName), Listeners: listenerStatuses(g.listeners), Addresses: g.addresses.granted,
	}
	for _, set := range g.sets {
		if set.accepted() {
			report.AttachedListenerSets++
		}
	}
	report.Conditions = []status.Condition{g.acceptedCondition(), g.programmedCondition(), g.resolvedCondition()}
	if g.insecure() {
		report.Conditions = append(report.Conditions, status.New(gatewayv1.GatewayConditionInsecureFrontendValidationMode, true,
			gatewayv1.GatewayReasonConfigurationChanged, "clients without a valid certificate are let in", g.generation))
	}
	if isScope(g.spec.DefaultScope) {
		report.Conditions = append(report.Conditions, g.defaultCondition())
	}
	return report
}

// acceptedCondition has the reason ListenersNotValid while a listener is not accepted, whether the others are or not.
func (g *gateway) acceptedCondition() status.Condition {
	if g.refused != nil {
		return status.New(gatewayv1.GatewayConditionAccepted, false, gatewayv1.GatewayConditionReason(g.refused.reason), g.refused.message, g.generation)
	}
	reason, message := gatewayv1.GatewayReasonAccepted, ""
	if invalid := names(g.listeners, func(l *listener) bool { return !l.accepted() }); invalid != "" {
		reason, message = gatewayv1.GatewayReasonListenersNotValid, "listeners not accepted: "+invalid
	}
	return status.New(gatewayv1.GatewayConditionAccepted, g.accepted(), reason, message, g.generation)
}

func (g *gateway) programmedCondition() status.Condition {
	served := slices.ContainsFunc(g.listeners, (*listener).served)
	switch {
	case !served:
		return status.New(gatewayv1.GatewayConditionProgrammed, false, gatewayv1.GatewayReasonInvalid, "no listener is served", g.generation)
	case g.addresses.problem != nil:
		problem := g.addresses.problem
		return status.New(gatewayv1.GatewayConditionProgrammed, false, gatewayv1.GatewayConditionReason(problem.reason), problem.message, g.generation)
	}
	return status.New(gatewayv1.GatewayConditionProgrammed, true, gatewayv1.GatewayReasonProgrammed, "", g.generation)
}

// resolvedCondition is about the Gateway's own references, and a summary of those of its listeners.
func (g *gateway) resolvedCondition() status.Condition {
	found := g.unresolved
	if invalid := names(g.listeners, func(l *listener) bool { return l.unresolved != nil }); found == nil && invalid != "" {
		found = &unresolved{string(gatewayv1.GatewayReasonListenersNotResolved), "listeners with references that lead nowhere: " + invalid}
	}
	said := cmp.Or(found, &unresolved{reason: string(gatewayv1.GatewayReasonResolvedRefs)})
	return status.New(gatewayv1.GatewayConditionResolvedRefs, found == nil, gatewayv1.GatewayConditionReason(said.reason), said.message, g.generation)
}

// names lists the listeners of a kind.
func names(listeners []*listener, which func(*listener) bool) string {
	var found []string
	for _, l := range listeners {
		if which(l) {
			found = append(found, l.name)
		}
	}
	slices.Sort(found)
	return strings.Join(found, ", ")
}

// accepted: the Gateway takes the set and is taken itself, and at least one listener is served.
func (s *listenerSet) accepted() bool {
	return s.refused == nil && s.gateway.accepted() && slices.ContainsFunc(s.listeners, (*listener).served)
}

// status of a ListenerSet. Of the listeners of a set that the Gateway does not take there is nothing to say.
func (s *listenerSet) status() status.ListenerSet {
	report := status.ListenerSet{ListenerSet: s.Name}
	reason, message := gatewayv1.ListenerSetReasonAccepted, ""
	programmed := gatewayv1.ListenerSetReasonProgrammed
	switch invalid := names(s.listeners, func(l *listener) bool { return !l.served() }); {
	case s.refused != nil:
		reason, message = gatewayv1.ListenerSetConditionReason(s.refused.reason), s.refused.message
	case !s.gateway.accepted():
		reason, message = gatewayv1.ListenerSetReasonParentNotAccepted, "Gateway "+s.gateway.Name.String()+" is not accepted"
	case invalid != "":
		reason, message = gatewayv1.ListenerSetReasonListenersNotValid, "listeners not served: "+invalid
	}
	if s.refused == nil {
		report.Listeners = listenerStatuses(s.listeners)
	}
	if !s.accepted() {
		programmed = reason
	}
	report.Conditions = []status.Condition{
		status.New(gatewayv1.ListenerSetConditionAccepted, s.accepted(), reason, message, s.generation),
		status.New(gatewayv1.ListenerSetConditionProgrammed, s.accepted(), programmed, message, s.generation),
	}
	return report
}
