package table

import (
	"fmt"
	"strconv"
	"strings"

	mutationv3 "github.com/envoyproxy/go-control-plane/envoy/config/common/mutation_rules/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	extauthzv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ext_authz/v3"
	matcherv3 "github.com/envoyproxy/go-control-plane/envoy/type/matcher/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/routedelta/routedelta/render/files"
)

// authText is who is asked whether a request is allowed, in a reader's words; false where a route hands its requests to anything else.
func (r *routeReader) authText(config *anypb.Any) (string, bool) {
	filters, known := handedTo(config)
	var servers []string
	for _, filter := range filters {
		auth := &extauthzv3.ExtAuthz{}
		if !filter.MessageIs(auth) || filter.UnmarshalTo(auth) != nil {
			return "", false
		}
		servers = append(servers, r.authServer(auth))
	}
	return strings.Join(servers, ", then "), known
}

// authServer is one server: "shop/auth:9000 over gRPC within 10s, told x-user". What there are no words for stands behind them, so that no
// change is lost.
func (r *routeReader) authServer(auth *extauthzv3.ExtAuthz) string {
	rest := proto.CloneOf(auth)
	var words []string
	switch service := rest.GetServices().(type) {
	case *extauthzv3.ExtAuthz_GrpcService:
		words = r.authOverGRPC(service.GrpcService)
		if proto.Size(service.GrpcService) == 0 {
			rest.Services = nil
		}
	case *extauthzv3.ExtAuthz_HttpService:
		words = r.authOverHTTP(service.HttpService)
		if proto.Size(service.HttpService) == 0 {
			rest.Services = nil
		}
	}
	if told, ok := headerNames(rest.GetAllowedHeaders()); ok {
		words, rest.AllowedHeaders = append(words, "told "+told), nil
	}
	if body := rest.GetWithRequestBody(); proto.Equal(body, &extauthzv3.BufferSettings{MaxRequestBytes: body.GetMaxRequestBytes()}) {
		words, rest.WithRequestBody = append(words, fmt.Sprintf("told bodies up to %d bytes", body.GetMaxRequestBytes())), nil
	}
	if rest.GetTransportApiVersion() == corev3.ApiVersion_V3 {
		rest.TransportApiVersion = 0 // there is no other
	}
	if proto.Equal(rest.GetDecoderHeaderMutationRules(), usualMutations()) {
		rest.DecoderHeaderMutationRules = nil
	}
	if more := canonical(rename(r.backends.names, rest)); more != "{}" {
		words = append(words, more)
	}
	return strings.Join(words, ", ")
}

// usualMutations keep headers that are about an answer out of requests.
func usualMutations() *mutationv3.HeaderMutationRules {
	return &mutationv3.HeaderMutationRules{
		DisallowSystem: wrapperspb.Bool(true), DisallowExpression: &matcherv3.RegexMatcher{Regex: files.AnswerHeaders},
	}
}

// authOverGRPC and authOverHTTP say who is asked, and take what they say out of the message.
func (r *routeReader) authOverGRPC(service *corev3.GrpcService) []string {
	target := service.GetEnvoyGrpc()
	if target == nil {
		return nil
	}
	server, called := r.authBackend(target.GetClusterName())
	words := []string{server + " over gRPC" + within(service.GetTimeout())}
	target.ClusterName, service.Timeout = "", nil
	if target.GetAuthority() == called {
		target.Authority = ""
	}
	if proto.Size(target) == 0 {
		service.TargetSpecifier = nil
	}
	return words
}

func (r *routeReader) authOverHTTP(service *extauthzv3.HttpService) []string {
	uri := service.GetServerUri()
	server, _ := r.authBackend(uri.GetCluster())
	words := []string{server + " over HTTP" + within(uri.GetTimeout())}
	service.ServerUri = nil // the request goes to the cluster, with its own host and path
	if service.GetPathPrefix() != "" {
		words, service.PathPrefix = append(words, "below "+service.GetPathPrefix()), ""
	}
	response := service.GetAuthorizationResponse()
	switch copied, ok := headerNames(response.GetAllowedUpstreamHeaders()); {
	case ok:
		words, response.AllowedUpstreamHeaders = append(words, "taking over "+copied), nil
	case proto.Equal(response.GetAllowedUpstreamHeaders(), anyHeader()):
		words, response.AllowedUpstreamHeaders = append(words, "taking over all headers"), nil
	}
	if proto.Size(response) == 0 {
		service.AuthorizationResponse = nil
	}
	return words
}

// authBackend is the backend of a cluster, and how our own renderings call it to itself.
func (r *routeReader) authBackend(cluster string) (server, called string) {
	found, exists := r.backends.lookup(cluster)
	if !exists || found.Service == "" {
		return strconv.QuoteToASCII(cluster), ""
	}
	return found.Namespace + "/" + found.Backend.String(), fmt.Sprintf("%s.%s:%d", found.Service, found.Namespace, found.Port)
}

func within(timeout *durationpb.Duration) string {
	if timeout == nil {
		return ""
	}
	return " within " + durationText(timeout)
}

// anyHeader matches every name.
func anyHeader() *matcherv3.ListStringMatcher {
	return &matcherv3.ListStringMatcher{Patterns: []*matcherv3.StringMatcher{{MatchPattern: &matcherv3.StringMatcher_SafeRegex{
		SafeRegex: &matcherv3.RegexMatcher{Regex: ".*"},
	}}}}
}

// headerNames are the names of a list that compares each with one name, in any case.
func headerNames(list *matcherv3.ListStringMatcher) (string, bool) {
	var names []string
	for _, pattern := range list.GetPatterns() {
		name := pattern.GetExact()
		if !pattern.GetIgnoreCase() || !isToken(name) {
			return "", false
		}
		names = append(names, lowerASCII(name))
	}
	return strings.Join(names, " "), len(names) > 0
}
