package attach

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/model"
)

// ruleReader turns one rule of a route into the model: one model.Rule for each match, with the same action.
type ruleReader struct {
	*resolver
	route    *route
	field    string // spec.rules[i]
	position int
}

func (r ruleReader) read(spec *gatewayv1.HTTPRouteRule) []model.Rule {
	action := r.action(spec)
	origin := r.origin(spec)
	matches := spec.Matches
	if len(matches) == 0 {
		matches = make([]gatewayv1.HTTPRouteMatch, 1) // "If no matches are specified, the default is a prefix path match on /"
	}
	rules := make([]model.Rule, 0, len(matches))
	for i := range matches {
		origin.Match = i
		place := r.route.places.At(fmt.Sprintf("%s.matches[%d]", r.field, i))
		origin.File, origin.Line = place.File, place.Line
		rules = append(rules, model.Rule{Origin: origin, Match: match(&matches[i]), Action: action})
	}
	return rules
}

func (r ruleReader) origin(spec *gatewayv1.HTTPRouteRule) model.Origin {
	origin := model.Origin{Kind: r.route.Kind, Name: r.route.Name, Rule: r.position}
	if spec.Name != nil {
		origin.RuleName = string(*spec.Name)
	}
	line := func(written bool, field string) int {
		if !written {
			return 0
		}
		return r.route.places.At(r.field + field).Line
	}
	origin.BackendLine = line(len(spec.BackendRefs) > 0, ".backendRefs")
	origin.FilterLine = line(len(spec.Filters) > 0, ".filters")
	origin.TimeoutLine = line(spec.Timeouts != nil, ".timeouts")
	return origin
}

// action is what the rule does. A filter that is not rendered turns it into a 500: "implementations MUST NOT skip" a filter
// that they do not know (HTTPRouteFilter), as the request might reach a backend that it was to be kept from.
func (r ruleReader) action(spec *gatewayv1.HTTPRouteRule) model.Action {
	filters := r.filters(spec.Filters, r.field+".filters", ruleFilters)
	backends := r.backends(spec.BackendRefs)
	unrendered := slices.Concat(filters.unrendered, backends.unrendered, r.unrendered(spec))
	switch {
	case filters.refused != "":
		r.route.refused = append(r.route.refused, r.position+1)
		return model.Action{Direct: &model.Direct{Status: 500, Reason: filters.refused}}
	case filters.redirect != nil:
		return model.Action{Redirect: filters.redirect, ResponseHeaders: filters.response, Unrendered: unrendered}
	case len(spec.BackendRefs) == 0:
		r.warn(r.route.source, r.field, diagnostic.NoBackend, "the rule has no backend and no redirect: it answers 500", "")
		return model.Action{Direct: &model.Direct{Status: 500, Reason: "no backend"}}
	case backends.direct != nil:
		return model.Action{Direct: backends.direct}
	}
	action := model.Action{
		Backends:        backends.shares,
		RequestHeaders:  filters.request,
		ResponseHeaders: filters.response,
		Rewrite:         filters.rewrite,
		Unrendered:      unrendered,
	}
	if spec.Timeouts != nil {
		action.RequestTimeout = timeout(spec.Timeouts.Request)
		action.BackendTimeout = timeout(spec.Timeouts.BackendRequest)
	}
	return action
}

// unrendered is what a rule asks for beside its filters and this version does not render.
func (r ruleReader) unrendered(spec *gatewayv1.HTTPRouteRule) []model.Unrendered {
	var parts []model.Unrendered
	if spec.Retry != nil {
		parts = append(parts, model.Unrendered{Part: "retry", Value: written(spec.Retry)})
		r.warn(r.route.source, r.field+".retry", diagnostic.FieldUnsupported, "retries are not rendered yet: a request is tried once", "")
	}
	if spec.SessionPersistence != nil {
		parts = append(parts, model.Unrendered{Part: "session persistence", Value: written(spec.SessionPersistence)})
		r.warn(r.route.source, r.field+".sessionPersistence", diagnostic.FieldUnsupported, "session persistence is not rendered yet: any endpoint may get a request", "")
	}
	return parts
}

// written is a part of a manifest on one line, the same for equal parts.
func written(part any) string {
	text, err := json.Marshal(part)
	if err != nil {
		return err.Error() // no type of the API's fails to be written as JSON
	}
	return string(text)
}

// timeout reads a duration of GEP-2257, which is a subset of Go's; the schema check has refused all else.
func timeout(d *gatewayv1.Duration) *time.Duration {
	if d == nil {
		return nil
	}
	parsed, err := time.ParseDuration(string(*d))
	if err != nil {
		return nil
	}
	return &parsed
}

// match reads a match with the API's defaults: prefix "/", exact values.
func match(spec *gatewayv1.HTTPRouteMatch) model.Match {
	m := model.Match{PathKind: model.PathPrefix, PathWritten: "/"}
	if spec.Path != nil {
		if spec.Path.Type != nil {
			m.PathKind = model.PathKind(*spec.Path.Type)
		}
		if spec.Path.Value != nil {
			m.PathWritten = *spec.Path.Value
		}
	}
	m.PathValue = m.PathWritten
	if m.PathKind == model.PathPrefix {
		m.PathValue = prefix(m.PathWritten)
	}
	if spec.Method != nil {
		m.Method = string(*spec.Method)
	}
	// "If multiple entries specify equivalent header names, only the first entry with an equivalent name MUST be
	// considered for a match" (HTTPHeaderMatch.name, and the same for query parameters).
	for _, h := range spec.Headers {
		regex := h.Type != nil && *h.Type == gatewayv1.HeaderMatchRegularExpression
		m.Headers = appendFirst(m.Headers, model.ValueMatch{Name: strings.ToLower(string(h.Name)), Regex: regex, Value: h.Value})
	}
	for _, q := range spec.QueryParams {
		regex := q.Type != nil && *q.Type == gatewayv1.QueryParamMatchRegularExpression
		m.Query = appendFirst(m.Query, model.ValueMatch{Name: string(q.Name), Regex: regex, Value: q.Value})
	}
	return m
}

// prefix is a PathPrefix value without its trailing slash: "/abc/" and "/abc" are one prefix (PathMatchPathPrefix).
func prefix(value string) string {
	if trimmed := strings.TrimRight(value, "/"); trimmed != "" {
		return trimmed
	}
	return "/"
}

func appendFirst(matches []model.ValueMatch, m model.ValueMatch) []model.ValueMatch {
	for _, present := range matches {
		if present.Name == m.Name {
			return matches
		}
	}
	return append(matches, m)
}
