package attach

import (
	"fmt"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/model"
)

// filterScope is the place where filters stand.
type filterScope uint8

const (
	ruleFilters filterScope = iota
	// loneFilters are those of the only backend of a rule that gets requests: what they do, they do to all requests of the rule.
	loneFilters
	// shareFilters are those of one backend among several: Envoy chooses the backend late, and can do less for it alone.
	shareFilters
)

// filtered is what the filters of one place come down to.
type filtered struct {
	request, response model.HeaderChange
	rewrite           model.Rewrite
	redirect          *model.Redirect
	mirrors           []model.Mirror
	cors              *model.CORS
	externalAuth      *model.ExternalAuth
	unrendered        []model.Unrendered
	// refused names the filter that is not rendered and may not be skipped, or is "".
	refused string
	// unasked says why a server that is to judge the requests cannot be asked, or is "": none of them is let through.
	unasked string
}

// filters reads a list of filters. Their order does not matter: no two of them touch the same thing, as the API allows each
// once (mirrors apart, which do not touch each other) and excludes a redirect beside a rewrite.
func (r ruleReader) filters(specs []gatewayv1.HTTPRouteFilter, field string, scope filterScope) filtered {
	var f filtered
	for i := range specs {
		r.filter(&f, &specs[i], indexed(field, i), scope)
	}
	return f
}

func (r ruleReader) filter(f *filtered, spec *gatewayv1.HTTPRouteFilter, field string, scope filterScope) {
	switch {
	case spec.Type == gatewayv1.HTTPRouteFilterRequestHeaderModifier && spec.RequestHeaderModifier != nil:
		r.requestHeaders(f, spec.RequestHeaderModifier, field+".requestHeaderModifier")
	case spec.Type == gatewayv1.HTTPRouteFilterResponseHeaderModifier && spec.ResponseHeaderModifier != nil:
		f.response = headerChange(spec.ResponseHeaderModifier)
	case spec.Type == gatewayv1.HTTPRouteFilterRequestRedirect && spec.RequestRedirect != nil && scope != shareFilters:
		f.redirect = redirect(spec.RequestRedirect)
	case spec.Type == gatewayv1.HTTPRouteFilterURLRewrite && spec.URLRewrite != nil && (scope != shareFilters || spec.URLRewrite.Path == nil):
		f.rewriteURL(spec.URLRewrite)
	case spec.Type == gatewayv1.HTTPRouteFilterRequestMirror && spec.RequestMirror != nil:
		r.mirror(f, spec.RequestMirror, field, scope)
	case spec.Type == gatewayv1.HTTPRouteFilterCORS && spec.CORS != nil:
		f.cors = r.cors(spec.CORS, field+".cors")
	case spec.Type == gatewayv1.HTTPRouteFilterExternalAuth && spec.ExternalAuth != nil && f.externalAuth != nil:
		r.refuseFilter(f, "ExternalAuth beside another", field, scope)
	case spec.Type == gatewayv1.HTTPRouteFilterExternalAuth && spec.ExternalAuth != nil:
		r.externalAuth(f, spec.ExternalAuth, field+".externalAuth")
	case spec.Type == gatewayv1.HTTPRouteFilterExtensionRef && spec.ExtensionRef != nil:
		r.extension(f, spec.ExtensionRef, field)
	default:
		r.refuseFilter(f, spec.Type, field, scope)
	}
}

// refuseFilter turns what a filter stands at into an error: "implementations MUST NOT skip" a filter that they do not know.
func (r ruleReader) refuseFilter(f *filtered, kind gatewayv1.HTTPRouteFilterType, field string, scope filterScope) {
	f.refused = fmt.Sprintf("filter %s is not rendered", kind)
	outcome, hint := "the rule "+r.answer(), ""
	if scope == shareFilters {
		f.refused = fmt.Sprintf("filter %s of one backend among several is not rendered", kind)
		outcome = usageOf(r.route.Kind).refusal()
		hint = "Envoy does this for all backends of a rule alike: give the backend a rule of its own"
		// A controller has to say that a share is refused, and this is the condition for backends.
		r.route.refuse(&unresolved{string(gatewayv1.RouteReasonUnsupportedValue), f.refused})
	}
	r.warn(r.route.source, field, diagnostic.FilterUnsupported, f.refused+": "+outcome, hint)
}

// extension is a filter of another kind. Under assume it is taken to be there and to let requests pass; what it does to them is
// not known here. Under strict it is unresolved.
func (r ruleReader) extension(f *filtered, ref *gatewayv1.LocalObjectReference, field string) {
	kind := fmt.Sprintf("%s %s of group %q", ref.Kind, ref.Name, ref.Group)
	if r.assume() {
		f.unrendered = append(f.unrendered, model.Unrendered{Part: "filter", Value: fmt.Sprintf("%s %s of group %s", ref.Kind, ref.Name, ref.Group)})
		r.warn(r.route.source, field, diagnostic.FilterUnsupported, kind+" is not rendered: the rule serves without it", "")
		return
	}
	f.refused = kind + " is not rendered"
	r.route.refuse(&unresolved{string(gatewayv1.RouteReasonInvalidKind), kind + " is no filter that is rendered"})
	r.warn(r.route.source, field, diagnostic.FilterUnsupported, kind+" is not rendered: requests are refused, the rule "+r.answer(), "")
}
