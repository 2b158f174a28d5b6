package table

import (
	"strings"

	extauthzv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ext_authz/v3"
	jwtv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/jwt_authn/v3"
	managerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
)

// steadyFilters leave the route as it was chosen: none of them clears the route cache. Any other filter may choose again.
var steadyFilters = namesOf(`router.v3.Router cors.v3.Cors fault.v3.HTTPFault buffer.v3.Buffer compressor.v3.Compressor
	decompressor.v3.Decompressor grpc_web.v3.GrpcWeb grpc_stats.v3.FilterConfig ratelimit.v3.RateLimit
	local_ratelimit.v3.LocalRateLimit rbac.v3.RBAC health_check.v3.HealthCheck csrf.v3.CsrfPolicy basic_auth.v3.BasicAuth
	api_key_auth.v3.ApiKeyAuth stateful_session.v3.StatefulSession header_to_metadata.v3.Config
	json_to_metadata.v3.JsonToMetadata set_metadata.v3.Config set_filter_state.v3.Config
	credential_injector.v3.CredentialInjector bandwidth_limit.v3.BandwidthLimit
	adaptive_concurrency.v3.AdaptiveConcurrency admission_control.v3.AdmissionControl oauth2.v3.OAuth2
	gcp_authn.v3.GcpAuthnFilterConfig aws_request_signing.v3.AwsRequestSigning header_mutation.v3.HeaderMutation
	dynamic_forward_proxy.v3.FilterConfig cache.v3.CacheConfig`)

const filterPackage = "envoy.extensions.filters.http."

// reroutes tells whether a filter may make Envoy choose a route again.
func reroutes(filter *managerv3.HttpFilter) bool {
	config := filter.GetTypedConfig()
	kind := strings.TrimPrefix(typeName(config.GetTypeUrl()), filterPackage)
	if steadyFilters[kind] || filter.GetDisabled() && config == nil {
		return false
	}
	switch kind {
	case compositeKind:
		return !filter.GetDisabled() // else routes decide: see addHanded
	case "jwt_authn.v3.JwtAuthentication":
		authn := &jwtv3.JwtAuthentication{}
		if config.UnmarshalTo(authn) == nil && !clearsRoute(authn) {
			return false
		}
	case "ext_authz.v3.ExtAuthz":
		authz := &extauthzv3.ExtAuthz{}
		if config.UnmarshalTo(authz) == nil && !authz.GetClearRouteCache() {
			return false
		}
	}
	return true
}

func clearsRoute(authn *jwtv3.JwtAuthentication) bool {
	for _, provider := range authn.GetProviders() {
		if provider.GetClearRouteCache() {
			return true
		}
	}
	return false
}
