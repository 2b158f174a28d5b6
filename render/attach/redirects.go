package attach

import (
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/model"
)

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

// rewriteURL reads a rewrite of host and path.
func (f *filtered) rewriteURL(spec *gatewayv1.HTTPURLRewriteFilter) {
	if spec.Hostname != nil {
		f.rewrite.Hostname = string(*spec.Hostname)
	}
	f.rewrite.Path = pathChange(spec.Path)
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
