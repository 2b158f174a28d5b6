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
	// ruleCount is the number of rules in the manifest; each of their matches is one of rules.
	ruleCount int
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
	switch object := rt.declared.Object.(type) {
	case *gatewayv1.HTTPRoute:
		rt.readHTTP(r, object.Spec.Rules)
	}
	age := r.age(rt)
	for i := range rt.rules {
		rt.rules[i].Age = age
	}
	if rt.declared.UseDefaultGateways != "" {
		r.warn(rt.source, "spec.useDefaultGateways", diagnostic.FieldUnsupported, "default Gateways are not rendered yet", "")
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
		reader := ruleReader{r, rt, fmt.Sprintf("spec.rules[%d]", i), i}
		rt.rules = append(rt.rules, reader.read(&specs[i])...)
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
	if created := rt.declared.Object.GetCreationTimestamp(); !created.IsZero() {
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
func (rt *route) conditions(refused *unresolved) []status.Condition {
	generation := rt.declared.Object.GetGeneration()
	accepted := cmp.Or(refused, &unresolved{reason: string(gatewayv1.RouteReasonAccepted)})
	resolved := cmp.Or(rt.unresolved, &unresolved{reason: string(gatewayv1.RouteReasonResolvedRefs)})
	conditions := []status.Condition{
		status.New(gatewayv1.RouteConditionAccepted, refused == nil, gatewayv1.RouteConditionReason(accepted.reason), accepted.message, generation),
		status.New(gatewayv1.RouteConditionResolvedRefs, rt.unresolved == nil, gatewayv1.RouteConditionReason(resolved.reason), resolved.message, generation),
	}
	// The condition "MUST NOT be set if a Route is fully valid, fully invalid, or not accepted".
	if n := len(rt.refused); refused == nil && n > 0 && n < rt.ruleCount {
		message := "rules that answer 500 for a filter that is not rendered: " + numbers(rt.refused)
		conditions = append(conditions, status.New(gatewayv1.RouteConditionPartiallyInvalid, true, gatewayv1.RouteReasonUnsupportedValue, message, generation))
	}
	return conditions
}
