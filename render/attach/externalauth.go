package attach

import (
	"path"
	"slices"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/model"
)

// externalAuth reads an ExternalAuth filter. Where the server that is to be asked is not known, what the filter stands at is answered
// with 500: "If there is any problem communicating with the external service, this filter MUST fail closed"
// (HTTPRouteFilter.externalAuth), and what has no backend answers 500.
func (r ruleReader) externalAuth(f *filtered, spec *gatewayv1.HTTPExternalAuthFilter, field string) {
	auth := model.ExternalAuth{GRPC: spec.ExternalAuthProtocol == gatewayv1.HTTPRouteExternalAuthGRPCProtocol}
	use := useAuth
	if auth.GRPC {
		use = useGRPCAuth
	}
	backend, problem := r.backendFor(spec.BackendRef, field+".backendRef", use)
	if problem != nil {
		r.route.refuse(problem)
		f.unasked = problem.message
		return
	}
	auth.Backend = backend
	if spec.GRPCAuthConfig != nil {
		auth.RequestHeaders = spec.GRPCAuthConfig.AllowedRequestHeaders
	}
	if config := spec.HTTPAuthConfig; config != nil {
		auth.Path = checkPath(config.Path)
		auth.RequestHeaders, auth.ResponseHeaders = config.AllowedRequestHeaders, config.AllowedResponseHeaders
		if len(config.AllowedResponseHeaders) == 0 {
			r.remark(r.route.source, field+".http", diagnostic.Approximated,
				"all headers of the server's answer are copied into the request, but for those of the answer itself (Content-Length, Content-Type and the like) and X-Envoy-*")
		}
	}
	if spec.ForwardBody != nil && spec.ForwardBody.MaxSize > 0 {
		auth.MaxBody = uint32(spec.ForwardBody.MaxSize)
		r.remark(r.route.source, field+".forwardBody", diagnostic.Approximated,
			"a longer body is answered with 413, but Envoy cuts it for the server where it comes over HTTP/2 in one piece: X-Envoy-Auth-Partial-Body tells the server so")
	}
	f.externalAuth = &auth
}

// refuseSecondAuth: Envoy has one server judge a request. One for a backend beside one for the whole rule would be asked in its place,
// and let through what that refuses.
func (r ruleReader) refuseSecondAuth(filters *filtered, backends shared) {
	own := func(share model.WeightedBackend) bool { return share.ExternalAuth != nil }
	if filters.externalAuth == nil || backends.lone.externalAuth == nil && !slices.ContainsFunc(backends.shares, own) {
		return
	}
	filters.refused = "filter ExternalAuth of a backend beside that of the rule is not rendered"
	r.warn(r.route.source, r.field+".backendRefs", diagnostic.FilterUnsupported, filters.refused+": the rule "+r.answer(), "let one server judge")
}

// checkPath is a prefix for paths, which start with a slash themselves. "Implementations MUST sanitize this input before using it"
// (HTTPAuthConfig.path): it leaves no directory that it did not enter, and has a slash in front and none behind.
func checkPath(written string) string {
	if cleaned := path.Clean("/" + written); cleaned != "/" {
		return cleaned
	}
	return ""
}
