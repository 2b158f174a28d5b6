package status

import (
	"slices"

	"sigs.k8s.io/gateway-api/pkg/features"
)

// SupportedFeatures are the names of the features of the Gateway API that are rendered, sorted: what GatewayClass.status says, and
// what the conformance suite is asked to hold us to.
func SupportedFeatures() []features.FeatureName {
	supported := []features.FeatureName{
		features.SupportGateway,
		features.SupportGatewayPort8080,
		features.SupportGatewayStaticAddresses,
		features.SupportGatewayHTTPListenerIsolation,
		features.SupportGatewayInfrastructure,
		features.SupportGatewayAddressEmpty,
		features.SupportGatewayHTTPSListenerDetectMisdirectedRequests,
		features.SupportGatewayFrontendClientCertificateValidation,
		features.SupportGatewayFrontendClientCertificateValidationInsecureFallback,
		features.SupportGatewayBackendClientCertificate,
		features.SupportListenerSet,
		features.SupportReferenceGrant,
		features.SupportHTTPRoute,
		features.SupportHTTPRouteDestinationPortMatching,
		features.SupportHTTPRouteBackendRequestHeaderModification,
		features.SupportHTTPRouteQueryParamMatching,
		features.SupportHTTPRouteMethodMatching,
		features.SupportHTTPRouteResponseHeaderModification,
		features.SupportHTTPRoutePortRedirect,
		features.SupportHTTPRouteSchemeRedirect,
		features.SupportHTTPRoutePathRedirect,
		features.SupportHTTPRouteHostRewrite,
		features.SupportHTTPRoutePathRewrite,
		features.SupportHTTPRouteRequestMirror,
		features.SupportHTTPRouteRequestMultipleMirrors,
		features.SupportHTTPRouteRequestPercentageMirror,
		features.SupportHTTPRouteRequestTimeout,
		features.SupportHTTPRouteBackendTimeout,
		features.SupportHTTPRouteParentRefPort,
		features.SupportHTTPRouteBackendProtocolH2C,
		features.SupportHTTPRouteBackendProtocolWebSocket,
		features.SupportHTTPRouteNamedRouteRule,
		features.SupportHTTPRouteCORS,
		features.SupportHTTPRoute303RedirectStatusCode,
		features.SupportHTTPRoute307RedirectStatusCode,
		features.SupportHTTPRoute308RedirectStatusCode,
		features.SupportHTTPRouteRetry,
		features.SupportHTTPRouteRetryBackendTimeout,
		features.SupportHTTPRouteRetryConnectionError,
		features.SupportGRPCRoute,
		features.SupportGRPCRouteNamedRouteRule,
		features.SupportTLSRoute,
		features.SupportTLSRouteModeTerminate,
		features.SupportTLSRouteModeMixed,
		features.SupportTCPRoute,
		features.SupportUDPRoute,
		features.SupportBackendTLSPolicy,
		features.SupportBackendTLSPolicySANValidation,
	}
	slices.Sort(supported)
	return supported
}
