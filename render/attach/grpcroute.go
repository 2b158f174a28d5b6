package attach

import (
	"strings"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/model"
)

// readGRPC reads the rules of a GRPCRoute. They have the filters and backends of an HTTPRoute's, a part of them each, so they are read
// by the same reader; what differs is the match, the answer in place of a backend, and what is spoken to it.
func (rt *route) readGRPC(r *resolver, specs []gatewayv1.GRPCRouteRule) {
	rt.ruleCount = len(specs)
	for i := range specs {
		reader := rt.ruleReader(r, i, specs[i].Name)
		rule := asHTTPRule(&specs[i])
		matches := grpcMatches(specs[i].Matches)
		rt.rules = reader.rules(rt.rules, matches, reader.origin(rule), reader.action(rule, matches))
	}
}

// asHTTPRule is what a rule says beside its matches, in the words of an HTTPRoute.
func asHTTPRule(spec *gatewayv1.GRPCRouteRule) *gatewayv1.HTTPRouteRule {
	rule := &gatewayv1.HTTPRouteRule{
		Name:               spec.Name,
		Filters:            asHTTPFilters(spec.Filters),
		SessionPersistence: spec.SessionPersistence,
	}
	for _, ref := range spec.BackendRefs {
		rule.BackendRefs = append(rule.BackendRefs, gatewayv1.HTTPBackendRef{BackendRef: ref.BackendRef, Filters: asHTTPFilters(ref.Filters)})
	}
	return rule
}

func asHTTPFilters(specs []gatewayv1.GRPCRouteFilter) []gatewayv1.HTTPRouteFilter {
	var filters []gatewayv1.HTTPRouteFilter
	for _, spec := range specs {
		filters = append(filters, gatewayv1.HTTPRouteFilter{
			Type:                   gatewayv1.HTTPRouteFilterType(spec.Type),
			RequestHeaderModifier:  spec.RequestHeaderModifier,
			ResponseHeaderModifier: spec.ResponseHeaderModifier,
			RequestMirror:          spec.RequestMirror,
			ExtensionRef:           spec.ExtensionRef,
		})
	}
	return filters
}

func grpcMatches(specs []gatewayv1.GRPCRouteMatch) []model.Match {
	if len(specs) == 0 {
		specs = make([]gatewayv1.GRPCRouteMatch, 1) // "If no matches are specified, the implementation MUST match every gRPC request"
	}
	matches := make([]model.Match, len(specs))
	for i := range specs {
		matches[i] = grpcMatch(&specs[i])
	}
	return matches
}

func grpcMatch(spec *gatewayv1.GRPCRouteMatch) model.Match {
	called := &model.GRPCMatch{}
	if m := spec.Method; m != nil {
		called.Regex = m.Type != nil && *m.Type == gatewayv1.GRPCMethodMatchRegularExpression
		if m.Service != nil {
			called.Service = *m.Service
		}
		if m.Method != nil {
			called.Method = *m.Method
		}
	}
	m := model.Match{GRPC: called}
	m.PathKind, m.PathValue = calledPath(called)
	m.PathWritten = m.PathValue
	for _, h := range spec.Headers {
		regex := h.Type != nil && *h.Type == gatewayv1.GRPCHeaderMatchRegularExpression
		m.Headers = appendFirst(m.Headers, model.ValueMatch{Name: strings.ToLower(string(h.Name)), Regex: regex, Value: h.Value})
	}
	return m
}

// anySegment is a service or method that is not named: whatever stands between two slashes.
const anySegment = "[^/]+"

// calledPath is the path of a call: "/" Service-Name "/" method name (gRPC over HTTP/2, "Requests"). The two halves of an expression are
// put into groups, as each may be a choice.
func calledPath(m *model.GRPCMatch) (model.PathKind, string) {
	switch {
	case m.Service == "" && m.Method == "":
		return model.PathPrefix, "/"
	case m.Regex:
		return model.PathRegex, "/" + namePattern(m.Service) + "/" + namePattern(m.Method)
	case m.Method == "":
		return model.PathPrefix, "/" + m.Service
	case m.Service == "":
		return model.PathRegex, "/" + anySegment + "/" + m.Method // a method has no character that means more than itself
	}
	return model.PathExact, "/" + m.Service + "/" + m.Method
}

func namePattern(pattern string) string {
	if pattern == "" {
		return anySegment
	}
	return "(?:" + pattern + ")"
}
