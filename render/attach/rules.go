package attach

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
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
	// name is the rule's own, or "".
	name string
}

func (rt *route) ruleReader(r *resolver, position int, name *gatewayv1.SectionName) ruleReader {
	reader := ruleReader{resolver: r, route: rt, field: indexed("spec.rules", position), position: position}
	if name != nil {
		reader.name = string(*name)
	}
	return reader
}

// indexed is the path of an item of a list. There is one for each reference of a route.
func indexed(list string, position int) string { return list + "[" + strconv.Itoa(position) + "]" }

// read appends the rule of an HTTPRoute.
func (r ruleReader) read(into []model.Rule, spec *gatewayv1.HTTPRouteRule) []model.Rule {
	specs := spec.Matches
	if len(specs) == 0 {
		specs = make([]gatewayv1.HTTPRouteMatch, 1) // "If no matches are specified, the default is a prefix path match on /"
	}
	matches := make([]model.Match, len(specs))
	for i := range specs {
		matches[i] = match(&specs[i])
		if matches[i].Method == "CONNECT" {
			r.warn(r.route.source, indexed(r.field+".matches", i)+".method", diagnostic.Approximated,
				"Envoy takes CONNECT for the opening of a tunnel, which has no path and which no route asks for: no request gets here", "")
		}
	}
	begin := len(into)
	into = r.rules(into, matches, r.origin(spec), r.action(spec, matches))
	return append(into, preflights(into[begin:])...)
}

// rules appends the matches of a rule, each with the rule's action.
func (r ruleReader) rules(into []model.Rule, matches []model.Match, origin model.Origin, action model.Action) []model.Rule {
	for i := range matches {
		origin.Match = i
		place := r.route.places.At(indexed(r.field+".matches", i))
		origin.File, origin.Line = place.File, place.Line
		into = append(into, model.Rule{Origin: origin, Match: matches[i], Action: action})
	}
	return into
}

func (r ruleReader) origin(spec *gatewayv1.HTTPRouteRule) model.Origin {
	origin := model.Origin{Kind: r.route.Kind, Name: r.route.Name, Rule: r.position, RuleName: r.name}
	place := func(written bool, field string) model.Place {
		if !written {
			return model.Place{}
		}
		return placeOf(r.route.places.At(r.field + field))
	}
	origin.Backends = place(len(spec.BackendRefs) > 0, ".backendRefs")
	origin.Filters = place(len(spec.Filters) > 0, ".filters")
	origin.Timeouts = place(spec.Timeouts != nil, ".timeouts")
	origin.Retry = place(spec.Retry != nil, ".retry")
	origin.Session = place(spec.SessionPersistence != nil, ".sessionPersistence")
	return origin
}

func placeOf(at diagnostic.Position) model.Place { return model.Place{File: at.File, Line: at.Line} }

// action is what the rule does. A filter that is not rendered turns it into a 500: "implementations MUST NOT skip" a filter
// that they do not know (HTTPRouteFilter), as the request might reach a backend that it was to be kept from.
func (r ruleReader) action(spec *gatewayv1.HTTPRouteRule, matches []model.Match) model.Action {
	filters := r.filters(spec.Filters, r.field+".filters", ruleFilters)
	backends := r.backends(spec.BackendRefs)
	unrendered := slices.Concat(filters.unrendered, backends.unrendered)
	r.refuseSecondAuth(&filters, backends)
	switch {
	case filters.refused != "":
		r.route.drop(r.position+1, filters.refused)
		return model.Action{Direct: &model.Direct{Status: r.refusedStatus(), Reason: filters.refused}}
	case filters.unasked != "":
		return model.Action{Direct: &model.Direct{Status: r.refusedStatus(), Reason: filters.unasked}}
	case filters.redirect != nil:
		return r.redirected(filters, filters.redirect, unrendered)
	case len(spec.BackendRefs) == 0:
		r.warn(r.route.source, r.field, diagnostic.NoBackend, "the rule has no backend and no redirect: it "+r.answer(), "")
		return model.Action{Direct: &model.Direct{Status: r.refusedStatus(), Reason: "no backend"}}
	case backends.direct != nil:
		return model.Action{Direct: backends.direct}
	case backends.lone.redirect != nil:
		filters.externalAuth = cmp.Or(filters.externalAuth, backends.lone.externalAuth)
		return r.redirected(filters, backends.lone.redirect, unrendered)
	}
	action := forwarded(filters, backends)
	if usageOf(r.route.Kind) == useGRPC {
		action.RefusedStatus = r.refusedStatus()
	}
	if spec.Timeouts != nil {
		action.RequestTimeout = timeout(spec.Timeouts.Request)
		action.BackendTimeout = timeout(spec.Timeouts.BackendRequest)
	}
	action.Retry = r.retry(spec.Retry)
	session, rest := r.session(spec.SessionPersistence, action.Served(), matches)
	action.Session, action.Unrendered = session, append(unrendered, rest...)
	return action
}

// forwarded is what filters of the rule and of its only backend do on the way to the backends. The backend's are "executed if and only
// if the request is being forwarded to the backend", so after those of the rule.
func forwarded(filters filtered, backends shared) model.Action {
	lone := backends.lone
	action := model.Action{
		Backends:        backends.shares,
		RequestHeaders:  filters.request,
		ResponseHeaders: filters.response,
		Rewrite:         filters.rewrite,
		Mirrors:         slices.Concat(filters.mirrors, lone.mirrors),
		ExternalAuth:    cmp.Or(filters.externalAuth, lone.externalAuth),
		CORS:            cmp.Or(lone.cors, filters.cors),
	}
	action.Rewrite.Hostname = cmp.Or(lone.rewrite.Hostname, action.Rewrite.Hostname)
	action.Rewrite.Path = cmp.Or(lone.rewrite.Path, action.Rewrite.Path)
	return action
}

// redirected answers with a redirect. Envoy does so before it would mirror a request or look at its origin, and after it has asked
// whether the request is allowed.
func (r ruleReader) redirected(filters filtered, redirect *model.Redirect, unrendered []model.Unrendered) model.Action {
	for range filters.mirrors {
		unrendered = append(unrendered, model.Unrendered{Part: "mirror", Value: "of redirected requests"})
		r.warn(r.route.source, r.field+".filters", diagnostic.Approximated, "Envoy mirrors no request that it redirects: requests are not copied", "")
	}
	if filters.cors != nil {
		unrendered = append(unrendered, model.Unrendered{Part: "CORS", Value: "of redirects"})
		r.warn(r.route.source, r.field+".filters", diagnostic.Approximated,
			"Envoy adds no CORS headers to a redirect: a browser does not let scripts follow it to another origin", "")
	}
	return model.Action{Redirect: redirect, ResponseHeaders: filters.response, ExternalAuth: filters.externalAuth, Unrendered: unrendered}
}

// refusedStatus is the answer in place of a backend that there is not: 500, and for gRPC what Envoy turns into UNAVAILABLE
// (GRPCRouteRule.backendRefs).
func (r ruleReader) refusedStatus() uint32 {
	if usageOf(r.route.Kind) == useGRPC {
		return 503
	}
	return 500
}

// answer is refusedStatus in words.
func (r ruleReader) answer() string {
	if usageOf(r.route.Kind) == useGRPC {
		return "answers UNAVAILABLE"
	}
	return "answers 500"
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
