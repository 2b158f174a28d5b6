package typed

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// httpFilters looks at the filters of a rule or of a backend.
func (c *checker) httpFilters(of *field.Path, filters []gatewayv1.HTTPRouteFilter) {
	for i := range filters {
		filter, at := &filters[i], of.Child("filters").Index(i)
		c.headerModifier(at.Child("requestHeaderModifier"), filter.RequestHeaderModifier)
		c.headerModifier(at.Child("responseHeaderModifier"), filter.ResponseHeaderModifier)
		if redirect := filter.RequestRedirect; redirect != nil {
			c.preciseHostname(at.Child("requestRedirect", "hostname"), redirect.Hostname)
			c.newPath(at.Child("requestRedirect", "path"), redirect.Path)
		}
		if rewrite := filter.URLRewrite; rewrite != nil {
			c.preciseHostname(at.Child("urlRewrite", "hostname"), rewrite.Hostname)
			c.newPath(at.Child("urlRewrite", "path"), rewrite.Path)
		}
	}
}

// grpcFilters looks at the filters of a GRPCRoute.
func (c *checker) grpcFilters(of *field.Path, filters []gatewayv1.GRPCRouteFilter) {
	for i := range filters {
		at := of.Child("filters").Index(i)
		c.headerModifier(at.Child("requestHeaderModifier"), filters[i].RequestHeaderModifier)
		c.headerModifier(at.Child("responseHeaderModifier"), filters[i].ResponseHeaderModifier)
	}
}

// headerModifier looks at changes of headers, and drops those that do not count.
func (c *checker) headerModifier(at *field.Path, modifier *gatewayv1.HTTPHeaderFilter) {
	if modifier == nil {
		return
	}
	name := func(h gatewayv1.HTTPHeader) string { return string(h.Name) }
	c.headerValues(at.Child("set"), modifier.Set)
	c.headerValues(at.Child("add"), modifier.Add)
	modifier.Set = distinct(c, at.Child("set"), modifier.Set, name)
	modifier.Add = distinct(c, at.Child("add"), modifier.Add, name)
	modifier.Remove = distinct(c, at.Child("remove"), modifier.Remove, func(name string) string { return name })
}

// headerValues refuses characters that no header can carry: Envoy refuses the whole table for one.
func (c *checker) headerValues(at *field.Path, headers []gatewayv1.HTTPHeader) {
	for i, header := range headers {
		if strings.ContainsFunc(header.Value, func(r rune) bool { return r < 0x20 && r != '\t' || r == 0x7f }) {
			c.refuse(diagnostic.BadValue, at.Index(i).Child("value"), "remove line breaks and control characters",
				"invalid value %q: a header cannot carry it", diagnostic.Clip(header.Value))
		}
	}
}

// newPath looks at the path that a redirect or rewrite sets. The API bounds its length only; a line break in it would end the
// header that carries it.
func (c *checker) newPath(at *field.Path, path *gatewayv1.HTTPPathModifier) {
	if path == nil {
		return
	}
	for name, value := range map[string]*string{"replaceFullPath": path.ReplaceFullPath, "replacePrefixMatch": path.ReplacePrefixMatch} {
		if value != nil && strings.ContainsFunc(*value, func(r rune) bool { return r < 0x20 || r == 0x7f }) {
			c.refuse(diagnostic.BadPath, at.Child(name), "remove line breaks and control characters", "invalid value %q: a path cannot hold it", diagnostic.Clip(*value))
		}
	}
}
