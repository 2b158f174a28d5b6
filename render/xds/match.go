package xds

import (
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	matcherv3 "github.com/envoyproxy/go-control-plane/envoy/type/matcher/v3"

	"github.com/routedelta/routedelta/render/model"
)

// routeMatch is the conjunction of a rule's conditions, in the order of the manifest.
func routeMatch(m model.Match) *routev3.RouteMatch {
	match := &routev3.RouteMatch{}
	setPath(match, m)
	if m.Method != "" {
		match.Headers = append(match.Headers, headerMatcher(model.ValueMatch{Name: ":method", Value: m.Method}))
	}
	for _, header := range m.Headers {
		match.Headers = append(match.Headers, headerMatcher(header))
	}
	for _, parameter := range m.Query {
		match.QueryParameters = append(match.QueryParameters, queryMatcher(parameter))
	}
	return match
}

// setPath renders a prefix on segment borders: Envoy's plain prefix "/orders" would take "/ordersx" as well.
// path_separated_prefix may not be "/" (refused), and prefix "/" is every path.
func setPath(match *routev3.RouteMatch, m model.Match) {
	switch {
	case m.PathKind == model.PathExact:
		match.PathSpecifier = &routev3.RouteMatch_Path{Path: m.PathValue}
	case m.PathKind == model.PathRegex:
		match.PathSpecifier = &routev3.RouteMatch_SafeRegex{SafeRegex: regexMatcher(m.PathValue)}
	case m.PathValue == "" || m.PathValue == "/":
		match.PathSpecifier = &routev3.RouteMatch_Prefix{Prefix: "/"}
	default:
		match.PathSpecifier = &routev3.RouteMatch_PathSeparatedPrefix{PathSeparatedPrefix: m.PathValue}
	}
}

func headerMatcher(m model.ValueMatch) *routev3.HeaderMatcher {
	return &routev3.HeaderMatcher{
		Name:                 m.Name,
		HeaderMatchSpecifier: &routev3.HeaderMatcher_StringMatch{StringMatch: stringMatcher(m)},
	}
}

// queryMatcher compares the bytes as they stand in the request: Envoy decodes nothing in a query.
func queryMatcher(m model.ValueMatch) *routev3.QueryParameterMatcher {
	return &routev3.QueryParameterMatcher{
		Name:                         m.Name,
		QueryParameterMatchSpecifier: &routev3.QueryParameterMatcher_StringMatch{StringMatch: stringMatcher(m)},
	}
}

func stringMatcher(m model.ValueMatch) *matcherv3.StringMatcher {
	if m.Regex {
		return &matcherv3.StringMatcher{MatchPattern: &matcherv3.StringMatcher_SafeRegex{SafeRegex: regexMatcher(m.Value)}}
	}
	return &matcherv3.StringMatcher{MatchPattern: &matcherv3.StringMatcher_Exact{Exact: m.Value}}
}
