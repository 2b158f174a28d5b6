package judgetest

import (
	"hash/fnv"
	"math/rand/v2"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	uritemplatev3 "github.com/envoyproxy/go-control-plane/envoy/extensions/path/match/uri_template/v3"
	matcherv3 "github.com/envoyproxy/go-control-plane/envoy/type/matcher/v3"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/routedelta/routedelta/diff/table"
)

// Decorate gives some routes of a table's route configuration what a random table does not have: matchers that package table
// reads as other conditions than Envoy's own (templates, gRPC, deprecated fields), as constants, or as outcomes of their own.
// Equal rules get the same, so that a pair of tables differs in no more than it did.
func Decorate(seed uint64, t *table.Table, config *routev3.RouteConfiguration) {
	for h, host := range config.VirtualHosts {
		if r := sourceOf(seed, host.Domains...); r.IntN(12) == 0 {
			host.RequireTls = routev3.VirtualHost_ALL
		}
		for i, route := range host.Routes {
			if r := sourceOf(seed, t.Hosts[h].Rules[i].Key()); r.IntN(4) == 0 {
				decorateRoute(r, t.Options, route)
			}
		}
	}
}

func sourceOf(seed uint64, texts ...string) *rand.Rand {
	hash := fnv.New64a()
	for _, text := range texts {
		hash.Write([]byte(text))
		hash.Write([]byte{0})
	}
	return rand.New(rand.NewPCG(seed, hash.Sum64()))
}

func decorateRoute(r *rand.Rand, o table.Options, route *routev3.Route) {
	match := route.Match
	switch r.IntN(8) {
	case 0:
		if !o.IgnorePathParameters && match.GetConnectMatcher() == nil { // a template sees the parameters, which table leaves undecided
			match.PathSpecifier, match.CaseSensitive = &routev3.RouteMatch_PathMatchPolicy{PathMatchPolicy: template(pick(r, templates))}, nil
		}
	case 1:
		match.Grpc = &routev3.RouteMatch_GrpcRouteMatchOptions{}
	case 2, 3:
		match.Headers = append(match.Headers, oldHeader(r, pick(r, []string{"x-env", "x-user", "accept", "content-type"})))
	case 4:
		match.Headers = append(match.Headers, oldHeader(r, pick(r, settledHeaders)))
	case 5:
		match.QueryParameters = append(match.QueryParameters, &routev3.QueryParameterMatcher{Name: pick(r, []string{"q", "debug"})})
	case 6:
		addUncliently(r, match)
	case 7:
		if action := route.GetRoute(); action != nil {
			action.ClusterSpecifier = &routev3.RouteAction_Cluster{Cluster: "nosuch"}
			action.ClusterNotFoundResponseCode = pick(r, []routev3.RouteAction_ClusterNotFoundResponseCode{
				routev3.RouteAction_SERVICE_UNAVAILABLE, routev3.RouteAction_NOT_FOUND, routev3.RouteAction_INTERNAL_SERVER_ERROR,
			})
		}
	}
}

// addUncliently adds a condition on what no client sends, constant but at a place that says otherwise (Place.Free).
func addUncliently(r *rand.Rand, match *routev3.RouteMatch) {
	holds := r.IntN(3) == 0
	switch r.IntN(4) {
	case 0:
		match.TlsContext = &routev3.RouteMatch_TlsContextMatchOptions{Presented: wrapperspb.Bool(holds)}
	case 1:
		match.TlsContext = &routev3.RouteMatch_TlsContextMatchOptions{Validated: wrapperspb.Bool(holds)}
	case 2:
		match.DynamicMetadata = append(match.DynamicMetadata, &matcherv3.MetadataMatcher{
			Filter: "nobody", Path: []*matcherv3.MetadataMatcher_PathSegment{{Segment: &matcherv3.MetadataMatcher_PathSegment_Key{Key: "k"}}},
			Value: &matcherv3.ValueMatcher{MatchPattern: &matcherv3.ValueMatcher_PresentMatch{PresentMatch: true}}, Invert: !holds,
		})
	case 3:
		match.FilterState = append(match.FilterState, &matcherv3.FilterStateMatcher{Key: "nobody", Matcher: &matcherv3.FilterStateMatcher_StringMatch{
			StringMatch: &matcherv3.StringMatcher{MatchPattern: &matcherv3.StringMatcher_Exact{Exact: "a"}},
		}})
	}
}

var templates = []string{"/a/*", "/a/**", "/*", "/**", "/{x}/b", "/a/{x=*}/1", "/{x=**}", "/orders/{id}/{rest=**}", "/a-b/*/v2", "/{x}/{y}"}

// settledHeaders have their presence, or their value, from the connection manager.
var settledHeaders = []string{"x-request-id", "x-envoy-internal", "x-forwarded-client-cert", "transfer-encoding", "x-envoy-retry-on", "upgrade"}

func template(text string) *corev3.TypedExtensionConfig {
	return &corev3.TypedExtensionConfig{
		Name: "envoy.path.match.uri_template.uri_template_matcher", TypedConfig: packed(&uritemplatev3.UriTemplateMatchConfig{PathTemplate: text}),
	}
}

// oldHeader is a header matcher in one of its older forms.
func oldHeader(r *rand.Rand, name string) *routev3.HeaderMatcher {
	value := pick(r, []string{"1", "a", "application/grpc", "A"})
	m := &routev3.HeaderMatcher{Name: name, InvertMatch: r.IntN(4) == 0, TreatMissingHeaderAsEmpty: r.IntN(4) == 0}
	switch r.IntN(8) {
	case 0: // no specifier at all
	case 1, 2:
		m.HeaderMatchSpecifier = &routev3.HeaderMatcher_PresentMatch{PresentMatch: r.IntN(2) == 0}
	case 3:
		m.HeaderMatchSpecifier = &routev3.HeaderMatcher_ExactMatch{ExactMatch: pick(r, []string{"", value})}
	case 4:
		m.HeaderMatchSpecifier = &routev3.HeaderMatcher_PrefixMatch{PrefixMatch: value}
	case 5:
		m.HeaderMatchSpecifier = &routev3.HeaderMatcher_SuffixMatch{SuffixMatch: value}
	case 6:
		m.HeaderMatchSpecifier = &routev3.HeaderMatcher_ContainsMatch{ContainsMatch: value}
	case 7:
		m.HeaderMatchSpecifier = &routev3.HeaderMatcher_SafeRegexMatch{SafeRegexMatch: &matcherv3.RegexMatcher{Regex: value + ".*"}}
	}
	return m
}

func pick[T any](r *rand.Rand, values []T) T { return values[r.IntN(len(values))] }
