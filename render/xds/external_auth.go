package xds

import (
	"fmt"
	"time"

	xdscorev3 "github.com/cncf/xds/go/xds/core/v3"
	xdsmatcherv3 "github.com/cncf/xds/go/xds/type/matcher/v3"
	mutationv3 "github.com/envoyproxy/go-control-plane/envoy/config/common/mutation_rules/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	compositev3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/composite/v3"
	extauthzv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ext_authz/v3"
	matcherv3 "github.com/envoyproxy/go-control-plane/envoy/type/matcher/v3"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/model"
)

// authTimeout is how long a server may think about a request. The API has no field for it, and by Envoy's own default of 200 ms every
// pause of the server would refuse requests.
const authTimeout = 10 * time.Second

// externalAuth has a server judge the requests of a route.
//
// The configuration of ext_authz for a route knows another server, but not which headers it is told; and a filter on the listener that
// names no server of its own, so that only routes have one, makes Envoy 1.40 abort with the first request. So the route hands the
// request to a whole filter, by way of the composite filter of the listener. (To one: of a list of them Envoy 1.40 asks the first
// alone, and lets through what the others would refuse.)
func externalAuth(auth *model.ExternalAuth) *compositev3.CompositePerRoute {
	return &compositev3.CompositePerRoute{Matcher: &xdsmatcherv3.Matcher{OnNoMatch: &xdsmatcherv3.Matcher_OnMatch{
		OnMatch: &xdsmatcherv3.Matcher_OnMatch_Action{Action: &xdscorev3.TypedExtensionConfig{
			Name: "external-auth",
			TypedConfig: packed(&compositev3.ExecuteFilterAction{
				TypedConfig: &corev3.TypedExtensionConfig{Name: "envoy.filters.http.ext_authz", TypedConfig: packed(extAuthz(auth))},
			}),
		}},
	}}}
}

// extAuthz asks the server. What is not set is as it must be: a server that fails or is not there refuses the request with 403
// (failure_mode_allow), and the route stays as it was chosen (clear_route_cache).
func extAuthz(auth *model.ExternalAuth) *extauthzv3.ExtAuthz {
	filter := &extauthzv3.ExtAuthz{TransportApiVersion: corev3.ApiVersion_V3, AllowedHeaders: namedHeaders(auth.RequestHeaders)}
	if auth.GRPC {
		filter.Services = &extauthzv3.ExtAuthz_GrpcService{GrpcService: authService(auth.Backend)}
	} else {
		filter.Services = &extauthzv3.ExtAuthz_HttpService{HttpService: authHTTPService(auth)}
		filter.DecoderHeaderMutationRules = copiedHeaders()
	}
	if auth.MaxBody > 0 {
		// A body that is longer is answered with 413: "bodies over that size must be rejected with a 4xx series error"
		// (HTTPExternalAuthFilter.forwardBody). The field maxSize says beside it that they are cut; what the server has not seen
		// would then go to the backend all the same.
		filter.WithRequestBody = &extauthzv3.BufferSettings{MaxRequestBytes: auth.MaxBody}
	}
	return filter
}

func authService(b *model.Backend) *corev3.GrpcService {
	return &corev3.GrpcService{
		TargetSpecifier: &corev3.GrpcService_EnvoyGrpc_{EnvoyGrpc: &corev3.GrpcService_EnvoyGrpc{ClusterName: clusterName(b), Authority: authority(b)}},
		Timeout:         durationpb.New(authTimeout),
	}
}

func authHTTPService(auth *model.ExternalAuth) *extauthzv3.HttpService {
	copied := namedHeaders(auth.ResponseHeaders)
	if copied == nil {
		copied = &matcherv3.ListStringMatcher{Patterns: []*matcherv3.StringMatcher{stringMatcher(model.ValueMatch{Regex: true, Value: ".*"})}}
	}
	return &extauthzv3.HttpService{
		ServerUri: &corev3.HttpUri{
			// Envoy asks with the Host header of the request, and at its path: of the URI only the cluster matters.
			Uri:              "http://" + authority(auth.Backend),
			HttpUpstreamType: &corev3.HttpUri_Cluster{Cluster: clusterName(auth.Backend)},
			Timeout:          durationpb.New(authTimeout),
		},
		PathPrefix:            auth.Path,
		AuthorizationResponse: &extauthzv3.AuthorizationResponse{AllowedUpstreamHeaders: copied},
	}
}

// authority is how a backend is called by who asks it in its own name.
func authority(b *model.Backend) string {
	return fmt.Sprintf("%s.%s:%d", b.Name.Name, b.Namespace, b.Port)
}

// copiedHeaders keeps headers of an answer that are about the answer out of the request. Envoy would copy Content-Length: the backend
// took what is left of the body for the next request.
func copiedHeaders() *mutationv3.HeaderMutationRules {
	return &mutationv3.HeaderMutationRules{
		DisallowSystem:     wrapperspb.Bool(true),
		DisallowExpression: &matcherv3.RegexMatcher{Regex: files.AnswerHeaders},
	}
}

// namedHeaders are headers by their names, in any case; nil is none.
func namedHeaders(names []string) *matcherv3.ListStringMatcher {
	if len(names) == 0 {
		return nil
	}
	list := &matcherv3.ListStringMatcher{}
	for _, name := range names {
		list.Patterns = append(list.Patterns, &matcherv3.StringMatcher{MatchPattern: &matcherv3.StringMatcher_Exact{Exact: name}, IgnoreCase: true})
	}
	return list
}
