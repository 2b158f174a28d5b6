package envoy_test

import (
	"regexp"
	"slices"
	"strings"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
)

// rulesOf are the rules of a route; without any there is one that matches every request (the default of HTTPRouteSpec.rules).
func rulesOf(route *gatewayv1.HTTPRoute) []gatewayv1.HTTPRouteRule {
	if len(route.Spec.Rules) == 0 {
		return make([]gatewayv1.HTTPRouteRule, 1)
	}
	return route.Spec.Rules
}

// matchesOf: "If no matches are specified, the default is a prefix path match on "/"".
func matchesOf(rule gatewayv1.HTTPRouteRule) []gatewayv1.HTTPRouteMatch {
	if len(rule.Matches) == 0 {
		return make([]gatewayv1.HTTPRouteMatch, 1)
	}
	return rule.Matches
}

// matches: "the match will evaluate to true only if all conditions are satisfied" (HTTPRouteMatch).
func matches(match gatewayv1.HTTPRouteMatch, request envoytest.Request) bool {
	path, query, _ := strings.Cut(request.Path, "?")
	if !matchesPath(match, path) || match.Method != nil && string(*match.Method) != request.Method {
		return false
	}
	for _, h := range headersOf(match) {
		regex := h.Type != nil && *h.Type == gatewayv1.HeaderMatchRegularExpression
		if !slices.ContainsFunc(request.Headers, func(sent envoytest.Header) bool {
			return strings.EqualFold(sent.Name, string(h.Name)) && matchesValue(regex, h.Value, sent.Value)
		}) {
			return false
		}
	}
	for _, q := range queryOf(match) {
		regex := q.Type != nil && *q.Type == gatewayv1.QueryParamMatchRegularExpression
		value, present := firstParameter(query, string(q.Name))
		if !present || !matchesValue(regex, q.Value, value) {
			return false
		}
	}
	return true
}

// pathOf is the path match with its defaults.
func pathOf(match gatewayv1.HTTPRouteMatch) (gatewayv1.PathMatchType, string) {
	kind, value := gatewayv1.PathMatchPathPrefix, "/"
	if match.Path != nil && match.Path.Type != nil {
		kind = *match.Path.Type
	}
	if match.Path != nil && match.Path.Value != nil {
		value = *match.Path.Value
	}
	return kind, value
}

func matchesPath(match gatewayv1.HTTPRouteMatch, path string) bool {
	switch kind, value := pathOf(match); kind {
	case gatewayv1.PathMatchExact:
		return path == value
	case gatewayv1.PathMatchRegularExpression:
		return matchesValue(true, value, path)
	default:
		return hasPathPrefix(path, value)
	}
}

// hasPathPrefix compares element by element: "a trailing `/` is ignored. For example, the paths `/abc`, `/abc/`, and `/abc/def`
// would all match the prefix `/abc`, but the path `/abcd` would not" (PathMatchPathPrefix).
func hasPathPrefix(path, prefix string) bool {
	prefix = withoutSlash(prefix)
	return path == prefix || strings.HasPrefix(path, prefix+"/")
}

// withoutSlash ignores a trailing slash; of "/" nothing is left.
func withoutSlash(path string) string { return strings.TrimSuffix(path, "/") }

// matchesValue: an expression has to match the whole value.
func matchesValue(regex bool, want, value string) bool {
	if regex {
		return regexp.MustCompile(`^(?:` + want + `)$`).MatchString(value)
	}
	return want == value
}

// headersOf: "If multiple entries specify equivalent header names, only the first entry with an equivalent name MUST be
// considered for a match" (HTTPHeaderMatch.name).
func headersOf(match gatewayv1.HTTPRouteMatch) []gatewayv1.HTTPHeaderMatch {
	var first []gatewayv1.HTTPHeaderMatch
	for _, h := range match.Headers {
		if !slices.ContainsFunc(first, func(f gatewayv1.HTTPHeaderMatch) bool { return strings.EqualFold(string(f.Name), string(h.Name)) }) {
			first = append(first, h)
		}
	}
	return first
}

// queryOf: names of query parameters are compared exactly, so that the API server leaves no two equivalent ones.
func queryOf(match gatewayv1.HTTPRouteMatch) []gatewayv1.HTTPQueryParamMatch {
	return match.QueryParams
}

// firstParameter: "it is *recommended* that implementations should match against the first value" (HTTPQueryParamMatch.name).
func firstParameter(query, name string) (string, bool) {
	for part := range strings.SplitSeq(query, "&") {
		if key, value, _ := strings.Cut(part, "="); key == name && part != "" {
			return value, true
		}
	}
	return "", false
}

// pathRank: "Exact" path match first.
func pathRank(match gatewayv1.HTTPRouteMatch) int {
	kind, _ := pathOf(match)
	return slices.Index([]gatewayv1.PathMatchType{gatewayv1.PathMatchExact, gatewayv1.PathMatchRegularExpression, gatewayv1.PathMatchPathPrefix}, kind)
}

// pathCharacters: "Prefix" path match with largest number of characters, the ignored slash not counted.
func pathCharacters(match gatewayv1.HTTPRouteMatch) int {
	kind, value := pathOf(match)
	if kind == gatewayv1.PathMatchPathPrefix {
		value = withoutSlash(value)
	}
	return len(value)
}

func countMethod(match gatewayv1.HTTPRouteMatch) int {
	if match.Method == nil {
		return 0
	}
	return 1
}
