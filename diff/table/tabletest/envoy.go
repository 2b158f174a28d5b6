package tabletest

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	matcherv3 "github.com/envoyproxy/go-control-plane/envoy/type/matcher/v3"
	typev3 "github.com/envoyproxy/go-control-plane/envoy/type/v3"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/routedelta/routedelta/diff/table"
)

// RouteConfiguration is a random table as Envoy reads it. Table.Read makes the same table of it.
func RouteConfiguration(t *table.Table) *routev3.RouteConfiguration {
	config := &routev3.RouteConfiguration{Name: t.Routes, IgnorePortInHostMatching: t.Options.IgnoreHostPort, IgnorePathParametersInPathMatching: t.Options.IgnorePathParameters}
	for _, host := range t.Hosts {
		made := &routev3.VirtualHost{Name: host.Name, Domains: host.Domains}
		for _, rule := range host.Rules {
			made.Routes = append(made.Routes, envoyRoute(rule))
		}
		config.VirtualHosts = append(config.VirtualHosts, made)
	}
	return config
}

func envoyRoute(rule table.Rule) *routev3.Route {
	route := &routev3.Route{Name: rule.Name, Match: envoyPath(rule.Path)}
	predicates := slices.Concat(rule.Predicates, rule.Derived)
	if rule.Connect {
		route.Match.PathSpecifier = &routev3.RouteMatch_ConnectMatcher_{ConnectMatcher: &routev3.RouteMatch_ConnectMatcher{}}
		predicates = slices.DeleteFunc(predicates, func(p table.Predicate) bool { return p.Source == table.Method && p.Value == http.MethodConnect })
	}
	for _, p := range predicates {
		switch p.Source {
		case table.Cookie:
			route.Match.Cookies = append(route.Match.Cookies, &routev3.CookieMatcher{Name: p.Name, StringMatch: envoyString(p), InvertMatch: p.Invert})
		case table.Free:
			addFree(route.Match, p)
		case table.Query:
			route.Match.QueryParameters = append(route.Match.QueryParameters, envoyParameter(p))
		default:
			route.Match.Headers = append(route.Match.Headers, envoyHeader(p))
		}
	}
	route.Match.RuntimeFraction = envoyChance(rule.Chance)
	setAction(route, rule.Outcome)
	return route
}

func envoyChance(c *table.Chance) *corev3.RuntimeFractionalPercent {
	if c == nil {
		return nil
	}
	kind := typev3.FractionalPercent_HUNDRED
	switch c.Denominator {
	case 10_000:
		kind = typev3.FractionalPercent_TEN_THOUSAND
	case 1_000_000:
		kind = typev3.FractionalPercent_MILLION
	}
	return &corev3.RuntimeFractionalPercent{
		DefaultValue: &typev3.FractionalPercent{Numerator: c.Numerator, Denominator: kind}, RuntimeKey: c.RuntimeKey,
	}
}

// addFree writes one of FreeConditions.
func addFree(match *routev3.RouteMatch, p table.Predicate) {
	if p.Name == StateA || p.Name == StateB {
		value := "a"
		if p.Name == StateB {
			value = "b"
		}
		match.FilterState = append(match.FilterState, &matcherv3.FilterStateMatcher{Key: "k", Matcher: &matcherv3.FilterStateMatcher_StringMatch{
			StringMatch: &matcherv3.StringMatcher{MatchPattern: &matcherv3.StringMatcher_Exact{Exact: value}},
		}})
		return
	}
	if p.Name == Metadata {
		match.DynamicMetadata = append(match.DynamicMetadata, &matcherv3.MetadataMatcher{
			Filter: "f", Path: []*matcherv3.MetadataMatcher_PathSegment{{Segment: &matcherv3.MetadataMatcher_PathSegment_Key{Key: "k"}}},
			Value: &matcherv3.ValueMatcher{MatchPattern: &matcherv3.ValueMatcher_PresentMatch{PresentMatch: true}}, Invert: p.Invert,
		})
		return
	}
	if match.TlsContext == nil {
		match.TlsContext = &routev3.RouteMatch_TlsContextMatchOptions{}
	}
	if p.Name == tlsPresented {
		match.TlsContext.Presented = wrapperspb.Bool(!p.Invert)
	} else {
		match.TlsContext.Validated = wrapperspb.Bool(!p.Invert)
	}
}

func envoyPath(p table.Path) *routev3.RouteMatch {
	match := &routev3.RouteMatch{}
	switch p.Kind {
	case table.PathPrefix:
		match.PathSpecifier = &routev3.RouteMatch_Prefix{Prefix: p.Value}
	case table.PathExact:
		match.PathSpecifier = &routev3.RouteMatch_Path{Path: p.Value}
	case table.PathSegments:
		match.PathSpecifier = &routev3.RouteMatch_PathSeparatedPrefix{PathSeparatedPrefix: p.Value}
	case table.PathRegex:
		match.PathSpecifier = &routev3.RouteMatch_SafeRegex{SafeRegex: &matcherv3.RegexMatcher{Regex: p.Value}}
	}
	if p.IgnoreCase {
		match.CaseSensitive = wrapperspb.Bool(false)
	}
	return match
}

func envoyHeader(p table.Predicate) *routev3.HeaderMatcher {
	header := &routev3.HeaderMatcher{Name: p.Name, InvertMatch: p.Invert, TreatMissingHeaderAsEmpty: p.MissingAsEmpty}
	if p.Source == table.Method {
		header.Name = ":method"
	}
	switch p.Test {
	case table.Present:
		header.HeaderMatchSpecifier = &routev3.HeaderMatcher_PresentMatch{PresentMatch: true}
	case table.Range:
		header.HeaderMatchSpecifier = &routev3.HeaderMatcher_RangeMatch{RangeMatch: envoyRange(p.Value)}
	default:
		header.HeaderMatchSpecifier = &routev3.HeaderMatcher_StringMatch{StringMatch: envoyString(p)}
	}
	return header
}

func envoyRange(bounds string) *typev3.Int64Range {
	r := &typev3.Int64Range{}
	if _, err := fmt.Sscan(bounds, &r.Start, &r.End); err != nil {
		panic(err)
	}
	return r
}

func envoyParameter(p table.Predicate) *routev3.QueryParameterMatcher {
	parameter := &routev3.QueryParameterMatcher{Name: p.Name}
	if p.Test == table.Present {
		parameter.QueryParameterMatchSpecifier = &routev3.QueryParameterMatcher_PresentMatch{PresentMatch: !p.Invert}
	} else {
		parameter.QueryParameterMatchSpecifier = &routev3.QueryParameterMatcher_StringMatch{StringMatch: envoyString(p)}
	}
	return parameter
}

func envoyString(p table.Predicate) *matcherv3.StringMatcher {
	m := &matcherv3.StringMatcher{IgnoreCase: p.IgnoreCase}
	switch p.Test {
	case table.Exact:
		m.MatchPattern = &matcherv3.StringMatcher_Exact{Exact: p.Value}
	case table.Prefix:
		m.MatchPattern = &matcherv3.StringMatcher_Prefix{Prefix: p.Value}
	case table.Suffix:
		m.MatchPattern = &matcherv3.StringMatcher_Suffix{Suffix: p.Value}
	case table.Contains:
		m.MatchPattern = &matcherv3.StringMatcher_Contains{Contains: p.Value}
	case table.Regex:
		m.MatchPattern = &matcherv3.StringMatcher_SafeRegex{SafeRegex: &matcherv3.RegexMatcher{Regex: p.Value}}
	}
	return m
}

func setAction(route *routev3.Route, o table.Outcome) {
	switch o.Kind {
	case table.Redirected:
		route.Action = &routev3.Route_Redirect{Redirect: envoyRedirect(o)}
	case table.Answered:
		route.Action = &routev3.Route_DirectResponse{DirectResponse: &routev3.DirectResponseAction{Status: o.Status}}
	case table.ToBackends:
		route.Action = &routev3.Route_Route{Route: envoyForward(o)}
	default:
		panic(fmt.Sprintf("a random table has no outcome %q", o.Kind))
	}
}

func envoyRedirect(o table.Outcome) *routev3.RedirectAction {
	redirect := &routev3.RedirectAction{}
	if o.Status == 302 {
		redirect.ResponseCode = routev3.RedirectAction_FOUND
	}
	switch o.Location {
	case redirectHTTPS:
		redirect.SchemeRewriteSpecifier = &routev3.RedirectAction_HttpsRedirect{HttpsRedirect: true}
	case redirectPath:
		redirect.PathRewriteSpecifier = &routev3.RedirectAction_PathRedirect{PathRedirect: redirectPath}
	case redirectHost:
		redirect.HostRedirect = "new.example"
	}
	return redirect
}

func envoyForward(o table.Outcome) *routev3.RouteAction {
	action := &routev3.RouteAction{}
	for _, t := range o.Treatment {
		if limit, err := time.ParseDuration(t.Value); t.Name == "timeout" && err == nil && limit != 15*time.Second {
			action.Timeout = durationpb.New(limit)
		}
		if t.Name == NotFoundTreatment {
			action.ClusterNotFoundResponseCode = routev3.RouteAction_NOT_FOUND
			if t.Value == "500" {
				action.ClusterNotFoundResponseCode = routev3.RouteAction_INTERNAL_SERVER_ERROR
			}
		}
	}
	if header := NamedBy(o.Backends[0].Backend); header != "" && len(o.Backends) == 1 {
		action.ClusterSpecifier = &routev3.RouteAction_ClusterHeader{ClusterHeader: header}
		return action
	}
	if len(o.Backends) == 1 {
		action.ClusterSpecifier = &routev3.RouteAction_Cluster{Cluster: o.Backends[0].Backend.Cluster}
		return action
	}
	weighted := &routev3.WeightedCluster{}
	shares := o.Backends
	if o.Draw != nil {
		shares = o.Draw
	}
	for _, s := range shares {
		cluster := &routev3.WeightedCluster_ClusterWeight{Name: s.Backend.Cluster, Weight: wrapperspb.UInt32(uint32(s.Weight))}
		if header := NamedBy(s.Backend); header != "" {
			cluster.Name, cluster.ClusterHeader = "", header
		}
		weighted.Clusters = append(weighted.Clusters, cluster)
	}
	action.ClusterSpecifier = &routev3.RouteAction_WeightedClusters{WeightedClusters: weighted}
	return action
}
