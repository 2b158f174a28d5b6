package attach

import (
	"fmt"
	"strings"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/model"
)

// filterScope is the place where filters stand.
type filterScope uint8

const (
	ruleFilters filterScope = iota
	backendFilters
)

// filtered is what the filters of one place come down to.
type filtered struct {
	request, response model.HeaderChange
	rewrite           model.Rewrite
	redirect          *model.Redirect
	unrendered        []model.Unrendered
	// refused names the filter that is not rendered and may not be skipped, or is "".
	refused string
}

// filters reads a list of filters. Their order does not matter: no two of them touch the same thing, as the API allows each
// once and excludes a redirect beside a rewrite.
func (r ruleReader) filters(specs []gatewayv1.HTTPRouteFilter, field string, scope filterScope) filtered {
	var f filtered
	for i := range specs {
		r.filter(&f, &specs[i], fmt.Sprintf("%s[%d]", field, i), scope)
	}
	return f
}

func (r ruleReader) filter(f *filtered, spec *gatewayv1.HTTPRouteFilter, field string, scope filterScope) {
	switch {
	case spec.Type == gatewayv1.HTTPRouteFilterRequestHeaderModifier && spec.RequestHeaderModifier != nil:
		r.requestHeaders(f, spec.RequestHeaderModifier, field+".requestHeaderModifier", scope)
	case spec.Type == gatewayv1.HTTPRouteFilterResponseHeaderModifier && spec.ResponseHeaderModifier != nil:
		f.response = headerChange(spec.ResponseHeaderModifier)
	case spec.Type == gatewayv1.HTTPRouteFilterRequestRedirect && spec.RequestRedirect != nil && scope == ruleFilters:
		f.redirect = redirect(spec.RequestRedirect)
	case spec.Type == gatewayv1.HTTPRouteFilterURLRewrite && spec.URLRewrite != nil && scope == ruleFilters:
		if spec.URLRewrite.Hostname != nil {
			f.rewrite.Hostname = string(*spec.URLRewrite.Hostname)
		}
		f.rewrite.Path = pathChange(spec.URLRewrite.Path)
	case spec.Type == gatewayv1.HTTPRouteFilterRequestMirror:
		// A mirror cannot change the answer, so the rule serves without it.
		f.unrendered = append(f.unrendered, model.Unrendered{Part: "mirror", Value: mirror(spec.RequestMirror)})
		r.warn(r.route.source, field, diagnostic.FieldUnsupported, "mirrors are not rendered yet: requests are not copied", "")
	case spec.Type == gatewayv1.HTTPRouteFilterExtensionRef && spec.ExtensionRef != nil:
		r.extension(f, spec.ExtensionRef, field)
	default:
		f.refused = fmt.Sprintf("filter %s is not rendered", spec.Type)
		r.warn(r.route.source, field, diagnostic.FilterUnsupported, fmt.Sprintf("filter %s is not rendered: %s", spec.Type, scope.outcome()), "")
	}
}

// mirror is a mirror in words: "shop/orders:80, 10%".
func mirror(spec *gatewayv1.HTTPRequestMirrorFilter) string {
	if spec == nil {
		return ""
	}
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
	switch {
	case spec.Percent != nil:
		text += fmt.Sprintf(", %d%%", *spec.Percent)
	case spec.Fraction != nil && spec.Fraction.Denominator != nil:
		text += fmt.Sprintf(", %d of %d", spec.Fraction.Numerator, *spec.Fraction.Denominator)
	case spec.Fraction != nil:
		text += fmt.Sprintf(", %d of 100", spec.Fraction.Numerator) // the API's default
	}
	return text
}

// outcome is what a refused filter does to the requests.
func (s filterScope) outcome() string {
	if s == backendFilters {
		return "the share of this backend answers 500"
	}
	return "the rule answers 500"
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
	r.warn(r.route.source, field, diagnostic.FilterUnsupported, kind+" is not rendered: requests answer 500", "")
}

// requestHeaders reads a modifier of request headers. Envoy refuses to change "host" as a header; a value that is set is a
// rewrite of the host instead.
func (r ruleReader) requestHeaders(f *filtered, spec *gatewayv1.HTTPHeaderFilter, field string, scope filterScope) {
	change := headerChange(spec)
	for _, h := range change.Set {
		switch {
		case !isHost(h.Name):
			f.request.Set = append(f.request.Set, h)
		case scope == backendFilters:
			r.warn(r.route.source, field+".set", diagnostic.HostHeaderRewritten, "the Host header of one backend is not changed: Envoy has no header change for it", "")
		case f.rewrite.Hostname == "":
			f.rewrite.Hostname = h.Value
			r.remark(r.route.source, field+".set", diagnostic.HostHeaderRewritten, "the Host header is rendered as a rewrite of the host")
		}
	}
	for _, h := range change.Add {
		if isHost(h.Name) {
			r.warn(r.route.source, field+".add", diagnostic.HostHeaderRewritten, "a second Host header is not added: a request has one", "use set, or a URLRewrite filter")
			continue
		}
		f.request.Add = append(f.request.Add, h)
	}
	for _, name := range change.Remove {
		if isHost(name) {
			r.warn(r.route.source, field+".remove", diagnostic.HostHeaderRewritten, "the Host header is not removed: a request must have one", "")
			continue
		}
		f.request.Remove = append(f.request.Remove, name)
	}
}

func isHost(name string) bool { return strings.EqualFold(name, "host") }

// headerChange keeps the first of equal names in a list: "only the first entry with an equivalent name MUST be considered".
func headerChange(spec *gatewayv1.HTTPHeaderFilter) model.HeaderChange {
	return model.HeaderChange{Set: headers(spec.Set), Add: headers(spec.Add), Remove: spec.Remove}
}

func headers(specs []gatewayv1.HTTPHeader) []model.Header {
	var list []model.Header
	seen := map[string]bool{}
	for _, h := range specs {
		if name := strings.ToLower(string(h.Name)); !seen[name] {
			seen[name] = true
			list = append(list, model.Header{Name: string(h.Name), Value: h.Value})
		}
	}
	return list
}

func redirect(spec *gatewayv1.HTTPRequestRedirectFilter) *model.Redirect {
	r := &model.Redirect{Status: 302, Path: pathChange(spec.Path)} // 302 is the API's default
	if spec.Scheme != nil {
		r.Scheme = *spec.Scheme
	}
	if spec.Hostname != nil {
		r.Hostname = string(*spec.Hostname)
	}
	if spec.Port != nil {
		r.Port = uint32(*spec.Port)
	}
	if spec.StatusCode != nil {
		r.Status = uint32(*spec.StatusCode)
	}
	return r
}

func pathChange(spec *gatewayv1.HTTPPathModifier) *model.PathChange {
	switch {
	case spec == nil:
		return nil
	case spec.Type == gatewayv1.PrefixMatchHTTPPathModifier && spec.ReplacePrefixMatch != nil:
		return &model.PathChange{Prefix: true, Value: *spec.ReplacePrefixMatch}
	case spec.Type == gatewayv1.FullPathHTTPPathModifier && spec.ReplaceFullPath != nil:
		return &model.PathChange{Value: *spec.ReplaceFullPath}
	}
	return nil
}
