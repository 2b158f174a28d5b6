package attach

import (
	"cmp"
	"fmt"
	"strings"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/model"
	"github.com/routedelta/routedelta/render/status"
)

// attachment is a route on a listener under one hostname.
type attachment struct {
	route *route
	// own is the route's own hostname, or the listener's where the route has none.
	own string
	// hostname is what own and the listener's hostname share.
	hostname string
}

// attachRoutes attaches the routes of every kind to the Gateways and ListenerSets that they name or take by default, and returns the status of each for
// each of them.
func (r *resolver) attachRoutes(objects *manifest.Objects, index parentIndex) []status.Route {
	var statuses []status.Route
	for _, located := range r.oldestFirst(objects) {
		p := &parents{resolver: r, route: newRoute(located), taken: map[string]bool{}}
		for i, ref := range located.ParentRefs {
			statuses = append(statuses, p.attach(ref, parentField(i), index)...)
		}
		statuses = append(statuses, p.attachByDefault(index)...)
		if len(located.ParentRefs) == 0 && !isScope(located.UseDefaultGateways) {
			r.warn(p.route.source, "spec.parentRefs", diagnostic.NoParent, "the route names no parent: it gets no requests",
				"name the Gateway or ListenerSet that it is for")
		}
		if p.decided && len(p.taken) > 0 {
			p.reportIgnoredHostnames()
		}
	}
	return statuses
}

// parents attaches one route.
type parents struct {
	*resolver
	route *route
	// taken are the route's own hostnames that a listener of any parent takes.
	taken map[string]bool
	// decided: every parent is known, so that a hostname that nobody takes is said to be ignored.
	decided bool
	// held are listeners of the parent at hand that a route of the other kind has.
	held []heldListener
}

func isGateway(ref gatewayv1.ParentReference) bool {
	return (ref.Group == nil || *ref.Group == gatewayv1.GroupName) && (ref.Kind == nil || *ref.Kind == "Gateway")
}

func parentField(i int) string { return indexed("spec.parentRefs", i) }

func parentName(ref gatewayv1.ParentReference, routeNamespace string) model.Name {
	name := model.Name{Namespace: routeNamespace, Name: string(ref.Name)}
	if ref.Namespace != nil {
		name.Namespace = string(*ref.Namespace)
	}
	return name
}

// attach follows one parentRef. There is no status for a parent that some other controller answers for.
func (p *parents) attach(ref gatewayv1.ParentReference, field string, index parentIndex) []status.Route {
	if !isGateway(ref) && !isListenerSet(ref) {
		p.remark(p.route.source, field, diagnostic.FieldUnsupported, fmt.Sprintf("parent %s is no Gateway: it is left out", ref.Name))
		return nil
	}
	name := parentName(ref, p.route.Namespace)
	found, known := index.listenersOf(ref, p.route.Namespace)
	if known && !found.gateway.selected {
		return nil
	}
	p.route.read(p.resolver)
	var refused *unresolved
	if known {
		p.decided = true
		name = found.gateway.Name
		refused = p.attachTo(found, ref, field)
	} else {
		refused = p.withoutParent(kindOf(ref), name, field)
	}
	return []status.Route{{
		Kind: p.route.Kind, Route: p.route.Name, Parent: ref, Gateway: name, Conditions: p.route.conditions(refused),
	}}
}

func kindOf(ref gatewayv1.ParentReference) string {
	if ref.Kind == nil {
		return "Gateway"
	}
	return string(*ref.Kind)
}

// withoutParent is the refusal of a route whose parent is not there, or is one that the API would refuse.
func (p *parents) withoutParent(kind string, name model.Name, field string) *unresolved {
	refused := &unresolved{string(gatewayv1.RouteReasonNoMatchingParent), fmt.Sprintf("%s %s is invalid", kind, name)}
	if !p.index.invalid[otherKey{kind, name}] {
		missing := kind
		refused.message = fmt.Sprintf("%s %s is not in the input", kind, name)
		if kind == "ListenerSet" && p.orphans[name] {
			missing = "Gateway"
			refused.message = fmt.Sprintf("the Gateway of ListenerSet %s is not in the input", name)
		}
		p.warn(p.route.source, field, diagnostic.GatewayUnknown, refused.message+": the route does not attach",
			"add the "+missing+" to the input, or use references: assume")
	}
	return refused
}

// attachTo attaches the route to the listeners of a parent that the parentRef selects, that allow it, and whose hostname it
// shares. "If 1 of 2 Gateway listeners accept attachment from the referencing Route, the Route MUST be considered
// successfully attached" (ParentReference.sectionName). It returns why no listener does.
func (p *parents) attachTo(to parent, ref gatewayv1.ParentReference, field string) *unresolved {
	refuse := func(code diagnostic.Code, reason gatewayv1.RouteConditionReason, message string) *unresolved {
		p.warn(p.route.source, field, code, "the route does not attach: "+message, "")
		return &unresolved{string(reason), message}
	}
	selected := filter(to.listeners, func(l *listener) bool { return l.selectedBy(p.route.Kind, ref) })
	if len(selected) == 0 {
		return refuse(diagnostic.NoMatchingParent, gatewayv1.RouteReasonNoMatchingParent, fmt.Sprintf("%s has no listener %s", to, selection(ref)))
	}
	permitting := filter(selected, func(l *listener) bool { return p.permits(l, p.route) })
	if len(permitting) == 0 {
		return refuse(diagnostic.NotAllowed, gatewayv1.RouteReasonNotAllowedByListeners,
			fmt.Sprintf("listener %q of %s %s", selected[0].name, to, selected[0].allowed.text(p.route.Kind, selected[0].namespace)))
	}
	accepted := filter(permitting, (*listener).accepted)
	if len(accepted) == 0 {
		return refuse(diagnostic.NoMatchingParent, gatewayv1.RouteReasonNoMatchingParent,
			fmt.Sprintf("listener %q of %s is not accepted", permitting[0].name, to))
	}
	attached := false
	p.held = nil
	for _, l := range accepted {
		attached = p.attachToListener(l) || attached
	}
	switch {
	case attached:
		p.count(permitting)
		p.reportElsewhere()
	case len(p.held) > 0:
		return refuse(diagnostic.KindConflict, hostnameConflict, p.held[0].message(p.route))
	default:
		return refuse(diagnostic.NoMatchingHostname, gatewayv1.RouteReasonNoMatchingListenerHostname,
			fmt.Sprintf("none of its hostnames (%s) is one of listener %q (%s)", strings.Join(p.route.hostnames, ", "), accepted[0].name, accepted[0].hostname))
	}
	return nil
}

// count attaches a route that a listener took to those that are not accepted as well: nothing is served there, but "the AttachedRoutes
// field count MUST be set for Listeners, even if the Accepted condition of an individual Listener is set to False"
// (ListenerStatus.attachedRoutes).
func (p *parents) count(permitting []*listener) {
	for _, l := range permitting {
		if !l.accepted() {
			p.attachToListener(l)
		}
	}
}

// String names the object behind a parentRef, for messages.
func (p parent) String() string {
	if p.set != nil {
		return "ListenerSet " + p.set.Name.String()
	}
	return "Gateway " + p.gateway.Name.String()
}

// attachToListener adds the route under each hostname that it shares with the listener. Two of its hostnames may come down to
// the same one, "*.example.com" and "a.example.com" on a listener for "a.example.com": the rules stand there once, with the
// more specific of the two.
func (p *parents) attachToListener(l *listener) bool {
	own := map[string]string{}
	var order []string
	for _, hostname := range p.route.hostnames {
		shared, ok := intersect(l.hostname, hostname)
		if !ok {
			continue
		}
		p.taken[hostname] = true
		before, twice := own[shared]
		if !twice {
			order = append(order, shared)
		}
		if !twice || moreSpecific(hostname, before) {
			own[shared] = hostname
		}
	}
	if len(p.route.hostnames) == 0 {
		order, own[l.hostname] = []string{l.hostname}, l.hostname
	}
	if len(order) == 0 {
		return false
	}
	if l.attached == nil {
		l.attached = map[diagnostic.Object]*route{}
	}
	if l.attached[p.route.Object] != nil {
		return true // by another parentRef of the same route
	}
	if holder := l.claim(p.route, order); holder != nil {
		p.held = append(p.held, heldListener{l, holder})
		return false
	}
	l.attached[p.route.Object] = p.route
	if l.endsTLS() {
		p.readEncrypted(p.route)
	}
	for _, hostname := range order {
		l.attachments = append(l.attachments, attachment{p.route, own[hostname], hostname})
	}
	return true
}

func (p *parents) reportIgnoredHostnames() {
	for i, hostname := range p.route.hostnames {
		if !p.taken[hostname] {
			p.warn(p.route.source, indexed("spec.hostnames", i), diagnostic.HostnameIgnored,
				fmt.Sprintf("%s is outside the hostnames of all its listeners: no request for it reaches the route", hostname), "")
		}
	}
}

// selectedBy tells whether a parentRef selects the listener by name and port; without them it selects all. The listeners of an
// assumed Gateway have no names that a reference could know.
func (l *listener) selectedBy(kind string, ref gatewayv1.ParentReference) bool {
	if l.gateway.assumed && l.set == nil {
		return ref.SectionName == nil && ref.Port == nil || l.port == assumedPort(kind, ref)
	}
	return (ref.SectionName == nil || string(*ref.SectionName) == l.name) && (ref.Port == nil || uint32(*ref.Port) == l.port)
}

func selection(ref gatewayv1.ParentReference) string {
	var words []string
	if ref.SectionName != nil {
		words = append(words, fmt.Sprintf("%q", string(*ref.SectionName)))
	}
	if ref.Port != nil {
		words = append(words, fmt.Sprintf("on port %d", *ref.Port))
	}
	return cmp.Or(strings.Join(words, " "), "at all")
}

func filter(listeners []*listener, keep func(*listener) bool) []*listener {
	var kept []*listener
	for _, l := range listeners {
		if keep(l) {
			kept = append(kept, l)
		}
	}
	return kept
}
