package attach

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/model"
)

// route is an HTTPRoute while it attaches.
type route struct {
	model.Name
	source
	object    *gatewayv1.HTTPRoute
	hostnames []string
	// homeless: the manifest names no namespace, so that whoever applies it decides.
	homeless bool
	// rules are read when a parent first asks for them: the references of a route that nobody serves are nobody's concern.
	isRead bool
	rules  []model.Rule
	// unresolved is the first reference that leads nowhere, or nil.
	unresolved *unresolved
	// refused are the rules (from 1) that answer 500 for a filter that is not rendered.
	refused []int
}

func numbers(list []int) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, ", ")
}

func routeSource(located manifest.Located[*gatewayv1.HTTPRoute]) source {
	o := located.Object
	return source{diagnostic.Object{Kind: "HTTPRoute", Namespace: o.Namespace, Name: o.Name}, located.Places}
}

func newRoute(located manifest.Located[*gatewayv1.HTTPRoute]) *route {
	s := routeSource(located)
	rt := &route{
		Name:     model.Name{Namespace: s.Object.Namespace, Name: s.Object.Name},
		source:   s,
		object:   located.Object,
		homeless: located.NamespaceAbsent,
	}
	for _, hostname := range located.Object.Spec.Hostnames {
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
	age := r.age(rt)
	specs := rt.object.Spec.Rules
	if len(specs) == 0 {
		specs = make([]gatewayv1.HTTPRouteRule, 1) // the API's default: one rule that matches everything
	}
	rt.rules = make([]model.Rule, 0, countMatches(specs))
	for i := range specs {
		reader := ruleReader{r, rt, fmt.Sprintf("spec.rules[%d]", i), i}
		for _, rule := range reader.read(&specs[i]) {
			rule.Age = age
			rt.rules = append(rt.rules, rule)
		}
	}
	if rt.object.Spec.UseDefaultGateways != "" {
		r.warn(rt.source, "spec.useDefaultGateways", diagnostic.FieldUnsupported, "default Gateways are not rendered yet", "")
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

// age is the manifest's creationTimestamp, else what the caller knows (product row R9).
func (r *resolver) age(rt *route) model.Age {
	if created := rt.object.CreationTimestamp; !created.IsZero() {
		return model.Age{Created: created.UTC(), Source: model.AgeManifest}
	}
	return r.options.Ages[rt.source.Object]
}

// refuse keeps the first problem for the status: the condition has room for one reason.
func (rt *route) refuse(problem *unresolved) {
	if rt.unresolved == nil {
		rt.unresolved = problem
	}
}

// conditions of the route for one parent that refused it, or not.
func (rt *route) conditions(refused *unresolved) []Condition {
	generation := rt.object.Generation
	accepted := cmp.Or(refused, &unresolved{reason: string(gatewayv1.RouteReasonAccepted)})
	resolved := cmp.Or(rt.unresolved, &unresolved{reason: string(gatewayv1.RouteReasonResolvedRefs)})
	conditions := []Condition{
		condition(gatewayv1.RouteConditionAccepted, refused == nil, gatewayv1.RouteConditionReason(accepted.reason), accepted.message, generation),
		condition(gatewayv1.RouteConditionResolvedRefs, rt.unresolved == nil, gatewayv1.RouteConditionReason(resolved.reason), resolved.message, generation),
	}
	// The condition "MUST NOT be set if a Route is fully valid, fully invalid, or not accepted".
	if n := len(rt.refused); refused == nil && n > 0 && n < len(rt.object.Spec.Rules) {
		message := "rules that answer 500 for a filter that is not rendered: " + numbers(rt.refused)
		conditions = append(conditions, condition(gatewayv1.RouteConditionPartiallyInvalid, true, gatewayv1.RouteReasonUnsupportedValue, message, generation))
	}
	return conditions
}
