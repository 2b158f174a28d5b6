package attach

import (
	"fmt"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/model"
)

// mirror reads a RequestMirror. A mirror cannot change the answer, so whatever is wrong with it the rule serves without it: a
// reference that does not hold "must be dropped from the Gateway" (HTTPRequestMirrorFilter.backendRef).
func (r ruleReader) mirror(f *filtered, spec *gatewayv1.HTTPRequestMirrorFilter, field string, scope filterScope) {
	if scope == shareFilters {
		f.unrendered = append(f.unrendered, model.Unrendered{Part: "mirror", Value: mirrorText(spec)})
		r.warn(r.route.source, field, diagnostic.FilterUnsupported,
			"the mirror of one backend among several is not rendered: requests are not copied",
			"Envoy mirrors for all backends of a rule alike: put the filter into the rule, or give the backend a rule of its own")
		return
	}
	backend, problem := r.mirrored(spec.BackendRef, field+".requestMirror.backendRef")
	if problem != nil {
		r.route.refuse(problem)
		return
	}
	if numerator, denominator := mirroredPart(spec); numerator > 0 {
		f.mirrors = append(f.mirrors, model.Mirror{Backend: backend, Numerator: numerator, Denominator: denominator})
	}
}

// mirroredPart is the part of the requests that is copied; all is 1 of 1.
func mirroredPart(spec *gatewayv1.HTTPRequestMirrorFilter) (numerator, denominator uint32) {
	switch {
	case spec.Percent != nil:
		return uint32(max(0, *spec.Percent)), 100
	case spec.Fraction == nil:
		return 1, 1
	case spec.Fraction.Denominator == nil:
		return uint32(max(0, spec.Fraction.Numerator)), 100 // the API's default
	}
	return uint32(max(0, spec.Fraction.Numerator)), uint32(max(1, *spec.Fraction.Denominator))
}

// mirrorText is a mirror in words: "shop/orders:80, 10%".
func mirrorText(spec *gatewayv1.HTTPRequestMirrorFilter) string {
	ref := spec.BackendRef
	text := string(ref.Name)
	if ref.Namespace != nil {
		text = string(*ref.Namespace) + "/" + text
	}
	if ref.Kind != nil && *ref.Kind != "Service" {
		text = string(*ref.Kind) + " " + text
	}
	if ref.Port != nil {
		text += fmt.Sprintf(":%d", *ref.Port)
	}
	switch numerator, denominator := mirroredPart(spec); {
	case numerator >= denominator:
		return text
	case denominator == 100:
		return text + fmt.Sprintf(", %d%%", numerator)
	default:
		return text + fmt.Sprintf(", %d of %d", numerator, denominator)
	}
}
