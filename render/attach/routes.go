package attach

import (
	"cmp"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/model"
	"github.com/routedelta/routedelta/render/status"
)

// route is a route of any kind while it attaches.
type route struct {
	model.Name
	source
	declared manifest.Route
	// hostnames are the route's own, in lower case.
	hostnames []string
	// rules are read when a parent first asks for them: the references of a route that nobody serves are nobody's concern.
	isRead bool
	rules  []model.Rule
	age    model.Age
	// forward is what a route for TLS, TCP or UDP does instead of having rules; encrypted is the same behind a listener that ends
	// TLS, nil where none does.
	forward, encrypted *model.Forward
	// reached are the ports of Services to which a BackendTLSPolicy may apply.
	reached []reachedPort
	// ruleCount is the number of rules in the manifest; each of their matches is one of rules.
	ruleCount int
	// unresolved is the first reference that leads nowhere, or nil.
	unresolved *unresolved
	// dropped are the rules that are refused whole, since a filter of theirs is not rendered.
	dropped []droppedRule
}

// droppedRule is a rule, counted from 1, and why it is refused.
type droppedRule struct {
	number int
	reason string
}

func (rt *route) drop(number int, reason string) {
	rt.dropped = append(rt.dropped, droppedRule{number, reason})
}

// droppedText names the rules that are refused. "The message for this condition MUST start with the prefix "Dropped Rule" and include
// information about which Rules have been dropped" (RouteConditionPartiallyInvalid).
func (rt *route) droppedText() string {
	words := make([]string, len(rt.dropped))
	for i, rule := range rt.dropped {
		words[i] = fmt.Sprintf("Dropped Rule %d (%s)", rule.number, rule.reason)
	}
	return strings.Join(words, ", ")
}

// allDropped tells whether no rule is left, so that the route is not accepted by anybody.
func (rt *route) allDropped() bool { return rt.ruleCount > 0 && len(rt.dropped) == rt.ruleCount }

func newRoute(located manifest.Route) *route {
	rt := &route{
		Name:     model.Name{Namespace: located.Object.GetNamespace(), Name: located.Object.GetName()},
		source:   source{located.Name(), located.Places},
		declared: located,
	}
	for _, hostname := range located.Hostnames {
		rt.hostnames = append(rt.hostnames, strings.ToLower(string(hostname)))
	}
	return rt
}

// read turns the rules into the model, once.
func (rt *route) read(r *resolver) {
	if rt.isRead {
		return
	}
	rt.isRead = true
	rt.age = r.ageOf(rt.declared.Object, rt.source.Object)
	switch object := rt.declared.Object.(type) {
	case *gatewayv1.HTTPRoute:
		rt.readHTTP(r, object.Spec.Rules)
	case *gatewayv1.GRPCRoute:
		rt.readGRPC(r, object.Spec.Rules)
	default:
		rt.forward = r.readForward(rt, usageOf(rt.Kind))
	}
	for i := range rt.rules {
		rt.rules[i].Age = rt.age
	}
}

// readHTTP reads the rules of an HTTPRoute.
func (rt *route) readHTTP(r *resolver, specs []gatewayv1.HTTPRouteRule) {
	if len(specs) == 0 {
		specs = make([]gatewayv1.HTTPRouteRule, 1) // the API's default: one rule that matches everything
	}
	rt.ruleCount = len(specs)
	rt.rules = make([]model.Rule, 0, countMatches(specs))
	for i := range specs {
		rt.rules = rt.ruleReader(r, i, specs[i].Name).read(rt.rules, &specs[i])
	}
}

// countMatches is the number of rules of the model: one for each match, and for a rule without matches.
func countMatches(specs []gatewayv1.HTTPRouteRule) int {
	count := 0
	for i := range specs {
		count += max(1, len(specs[i].Matches))
	}
	return count
}

// ageOf is the manifest's creationTimestamp, else what the caller knows (product row R9).
func (r *resolver) ageOf(declared metav1.Object, name diagnostic.Object) model.Age {
	if created := declared.GetCreationTimestamp(); !created.IsZero() {
		return model.Age{Created: created.UTC(), Source: model.AgeManifest}
	}
	return r.options.Ages[name]
}

// refuse keeps the first problem for the status: the condition has room for one reason.
func (rt *route) refuse(problem *unresolved) {
	if rt.unresolved == nil {
		rt.unresolved = problem
	}
}

// conditions of the route for one parent that refused it, or not.
func (rt *route) conditions(refused *unresolved) []status.Condition {
	generation := rt.declared.Object.GetGeneration()
	if refused == nil && rt.allDropped() {
		// "If all Route Rules in a Route are invalid, the entire Route would be considered invalid" (HTTPRouteRule.filters).
		refused = &unresolved{string(gatewayv1.RouteReasonUnsupportedValue), rt.droppedText()}
	}
	accepted := cmp.Or(refused, &unresolved{reason: string(gatewayv1.RouteReasonAccepted)})
	resolved := cmp.Or(rt.unresolved, &unresolved{reason: string(gatewayv1.RouteReasonResolvedRefs)})
	conditions := []status.Condition{
		status.New(gatewayv1.RouteConditionAccepted, refused == nil, gatewayv1.RouteConditionReason(accepted.reason), accepted.message, generation),
		status.New(gatewayv1.RouteConditionResolvedRefs, rt.unresolved == nil, gatewayv1.RouteConditionReason(resolved.reason), resolved.message, generation),
	}
	// The condition "MUST NOT be set if a Route is fully valid, fully invalid, or not accepted".
	if len(rt.dropped) > 0 && refused == nil {
		conditions = append(conditions, status.New(gatewayv1.RouteConditionPartiallyInvalid, true, gatewayv1.RouteReasonUnsupportedValue, rt.droppedText(), generation))
	}
	return conditions
}
