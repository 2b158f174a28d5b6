package schema

import (
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// filterTypes are the types of filters, each with the field that holds its settings. ExternalAuth is of the experimental channel.
var filterTypes = []struct {
	name  gatewayv1.HTTPRouteFilterType
	field string
	isSet func(*gatewayv1.HTTPRouteFilter) bool
	// once: the filter may stand in a list once only.
	once bool
}{
	{gatewayv1.HTTPRouteFilterRequestHeaderModifier, "requestHeaderModifier", func(f *gatewayv1.HTTPRouteFilter) bool { return f.RequestHeaderModifier != nil }, true},
	{gatewayv1.HTTPRouteFilterResponseHeaderModifier, "responseHeaderModifier", func(f *gatewayv1.HTTPRouteFilter) bool { return f.ResponseHeaderModifier != nil }, true},
	{gatewayv1.HTTPRouteFilterRequestMirror, "requestMirror", func(f *gatewayv1.HTTPRouteFilter) bool { return f.RequestMirror != nil }, false},
	{gatewayv1.HTTPRouteFilterRequestRedirect, "requestRedirect", func(f *gatewayv1.HTTPRouteFilter) bool { return f.RequestRedirect != nil }, true},
	{gatewayv1.HTTPRouteFilterURLRewrite, "urlRewrite", func(f *gatewayv1.HTTPRouteFilter) bool { return f.URLRewrite != nil }, true},
	{gatewayv1.HTTPRouteFilterExtensionRef, "extensionRef", func(f *gatewayv1.HTTPRouteFilter) bool { return f.ExtensionRef != nil }, false},
	{gatewayv1.HTTPRouteFilterCORS, "cors", func(f *gatewayv1.HTTPRouteFilter) bool { return f.CORS != nil }, true},
	{gatewayv1.HTTPRouteFilterExternalAuth, "externalAuth", func(f *gatewayv1.HTTPRouteFilter) bool { return f.ExternalAuth != nil }, true},
}

// checkFilters applies the rules of a list of filters.
func checkFilters(c *checker, at *field.Path, filters []gatewayv1.HTTPRouteFilter) {
	c.atMost(at, len(filters), 16)
	seen := map[gatewayv1.HTTPRouteFilterType]bool{}
	for i := range filters {
		filter := &filters[i]
		checkFilterType(c, at.Index(i), filter)
		checkFilter(c, at.Index(i), filter)
		for _, known := range filterTypes {
			if known.name == filter.Type && known.once && seen[filter.Type] {
				c.refuse(diagnostic.BadCombine, at.Index(i), "merge the two filters into one", "%s filter cannot be repeated", filter.Type)
			}
		}
		seen[filter.Type] = true
	}
	if seen[gatewayv1.HTTPRouteFilterRequestRedirect] && seen[gatewayv1.HTTPRouteFilterURLRewrite] {
		c.refuse(diagnostic.BadCombine, at, "a redirect can change host and path by itself: remove the URLRewrite filter",
			"May specify either httpRouteFilterRequestRedirect or httpRouteFilterRequestRewrite, but not both")
	}
}

// checkFilterType applies the CEL rules of the union: the field of the type is set, and no other.
func checkFilterType(c *checker, at *field.Path, filter *gatewayv1.HTTPRouteFilter) {
	names := make([]gatewayv1.HTTPRouteFilterType, len(filterTypes))
	for i, known := range filterTypes {
		names[i] = known.name
	}
	if filter.Type == "" {
		c.missing(at.Child("type"))
		return
	}
	if !oneOf(c, at.Child("type"), filter.Type, names...) {
		return
	}
	for _, known := range filterTypes {
		switch is := known.isSet(filter); {
		case is && known.name != filter.Type:
			c.refuse(diagnostic.BadCombine, at.Child(known.field), "", "filter.%s must be nil if the filter.type is not %s", known.field, known.name)
		case !is && known.name == filter.Type:
			c.refuse(diagnostic.MissingValue, at.Child(known.field), "", "filter.%s must be specified for %s filter.type", known.field, known.name)
		}
	}
}

// checkFilter applies the rules of whatever settings a filter has.
func checkFilter(c *checker, at *field.Path, filter *gatewayv1.HTTPRouteFilter) {
	checkHeaderModifier(c, at.Child("requestHeaderModifier"), filter.RequestHeaderModifier)
	checkHeaderModifier(c, at.Child("responseHeaderModifier"), filter.ResponseHeaderModifier)
	checkMirror(c, at.Child("requestMirror"), filter.RequestMirror)
	checkRedirect(c, at.Child("requestRedirect"), filter.RequestRedirect)
	checkCORS(c, at.Child("cors"), filter.CORS)
	if rewrite := filter.URLRewrite; rewrite != nil {
		checkTargetHost(c, at.Child("urlRewrite", "hostname"), rewrite.Hostname)
		checkPathModifier(c, at.Child("urlRewrite", "path"), rewrite.Path)
	}
	if auth := filter.ExternalAuth; auth != nil {
		at := at.Child("externalAuth")
		oneOf(c, at.Child("protocol"), auth.ExternalAuthProtocol, gatewayv1.HTTPRouteExternalAuthGRPCProtocol, gatewayv1.HTTPRouteExternalAuthHTTPProtocol)
		checkBackend(c, at.Child("backendRef"), &auth.BackendRef)
	}
	if ref := filter.ExtensionRef; ref != nil {
		at := at.Child("extensionRef")
		c.group(at.Child("group"), string(ref.Group))
		c.kindOf(at.Child("kind"), string(ref.Kind))
		c.objectName(at.Child("name"), string(ref.Name))
	}
}

// checkHeaderModifier applies the rules of a header modifier and drops entries that do not count: later ones of a header
// that stands twice.
func checkHeaderModifier(c *checker, at *field.Path, modifier *gatewayv1.HTTPHeaderFilter) {
	if modifier == nil {
		return
	}
	modifier.Set = checkHeaders(c, at.Child("set"), modifier.Set)
	modifier.Add = checkHeaders(c, at.Child("add"), modifier.Add)
	c.atMost(at.Child("remove"), len(modifier.Remove), 16)
	written, lower := map[string]bool{}, map[string]bool{}
	for i, name := range modifier.Remove {
		c.headerName(at.Child("remove").Index(i), name)
		c.distinctName(at.Child("remove").Index(i), name, written, lower)
	}
}

func checkHeaders(c *checker, at *field.Path, headers []gatewayv1.HTTPHeader) []gatewayv1.HTTPHeader {
	c.atMost(at, len(headers), 16)
	written, lower := map[string]bool{}, map[string]bool{}
	counting := headers[:0:0]
	for i, header := range headers {
		name := string(header.Name)
		c.headerName(at.Index(i).Child("name"), name)
		c.headerValue(at.Index(i).Child("value"), header.Value)
		if !lower[strings.ToLower(name)] {
			counting = append(counting, header)
		}
		c.distinctName(at.Index(i).Child("name"), name, written, lower)
	}
	return counting
}

func checkMirror(c *checker, at *field.Path, mirror *gatewayv1.HTTPRequestMirrorFilter) {
	if mirror == nil {
		return
	}
	checkBackend(c, at.Child("backendRef"), &mirror.BackendRef)
	if mirror.Percent != nil && mirror.Fraction != nil {
		c.refuse(diagnostic.BadCombine, at, "", "Only one of percent or fraction may be specified in HTTPRequestMirrorFilter")
	}
	if mirror.Percent != nil {
		c.within(at.Child("percent"), int64(*mirror.Percent), 0, 100)
	}
	if fraction := mirror.Fraction; fraction != nil {
		at := at.Child("fraction")
		if *fraction.Denominator < 1 || fraction.Numerator < 0 {
			c.refuse(diagnostic.BadValue, at, "", "numerator must be at least 0 and denominator at least 1")
		} else if fraction.Numerator > *fraction.Denominator {
			c.refuse(diagnostic.BadValue, at, "", "numerator must be less than or equal to denominator")
		}
	}
}

func checkRedirect(c *checker, at *field.Path, redirect *gatewayv1.HTTPRequestRedirectFilter) {
	if redirect == nil {
		return
	}
	if redirect.Scheme != nil {
		oneOf(c, at.Child("scheme"), *redirect.Scheme, "http", "https")
	}
	if redirect.Port != nil {
		c.port(at.Child("port"), *redirect.Port)
	}
	switch *redirect.StatusCode {
	case 301, 302, 303, 307, 308:
	default:
		c.refuse(diagnostic.BadValue, at.Child("statusCode"), "", "unsupported value: %d: supported values: 301, 302, 303, 307, 308", *redirect.StatusCode)
	}
	checkTargetHost(c, at.Child("hostname"), redirect.Hostname)
	checkPathModifier(c, at.Child("path"), redirect.Path)
}

// checkTargetHost applies the rules of the host that a redirect or rewrite sets.
func checkTargetHost(c *checker, at *field.Path, hostname *gatewayv1.PreciseHostname) {
	if hostname != nil {
		c.preciseHostname(at, string(*hostname), string(*hostname))
	}
}

// checkPathModifier applies the CEL rules of HTTPPathModifier.
func checkPathModifier(c *checker, at *field.Path, path *gatewayv1.HTTPPathModifier) {
	if path == nil || !oneOf(c, at.Child("type"), path.Type, gatewayv1.FullPathHTTPPathModifier, gatewayv1.PrefixMatchHTTPPathModifier) {
		return
	}
	for _, kind := range []struct {
		name  gatewayv1.HTTPPathModifierType
		field string
		value *string
	}{
		{gatewayv1.FullPathHTTPPathModifier, "replaceFullPath", path.ReplaceFullPath},
		{gatewayv1.PrefixMatchHTTPPathModifier, "replacePrefixMatch", path.ReplacePrefixMatch},
	} {
		switch {
		case kind.name == path.Type && kind.value == nil:
			c.refuse(diagnostic.MissingValue, at.Child(kind.field), "", "%s must be specified when type is set to '%s'", kind.field, kind.name)
		case kind.name != path.Type && kind.value != nil:
			c.refuse(diagnostic.BadCombine, at.Child(kind.field), "", "type must be '%s' when %s is set", kind.name, kind.field)
		case kind.value != nil:
			checkReplacement(c, at.Child(kind.field), *kind.value)
		}
	}
}

// checkReplacement applies the rules of a new path. The API bounds its length only; a line break in it would end the
// header that carries it.
func checkReplacement(c *checker, at *field.Path, value string) {
	c.length(at, value, 0, 1024)
	if strings.ContainsFunc(value, func(r rune) bool { return r < 0x20 || r == 0x7f }) {
		c.refuse(diagnostic.BadPath, at, "remove line breaks and control characters", "invalid value %q: a path cannot hold it", diagnostic.Clip(value))
	}
}

// checkReplacePrefix applies the CEL rules on replacePrefixMatch, in the filters of a rule and of its backendRefs: what is
// replaced is the prefix that matched, so there has to be exactly one.
func checkReplacePrefix(c *checker, at *field.Path, rule *gatewayv1.HTTPRouteRule) {
	if len(rule.Matches) == 1 && *rule.Matches[0].Path.Type == gatewayv1.PathMatchPathPrefix {
		return
	}
	check := func(at *field.Path, filters []gatewayv1.HTTPRouteFilter) {
		for i := range filters {
			filter := &filters[i]
			switch {
			case filter.RequestRedirect != nil && replacesPrefix(filter.RequestRedirect.Path):
				c.refuse(diagnostic.BadCombine, at.Index(i), "split the rule: one PathPrefix match each",
					"When using RequestRedirect filter with path.replacePrefixMatch, exactly one PathPrefix match must be specified")
			case filter.URLRewrite != nil && replacesPrefix(filter.URLRewrite.Path):
				c.refuse(diagnostic.BadCombine, at.Index(i), "split the rule: one PathPrefix match each",
					"When using URLRewrite filter with path.replacePrefixMatch, exactly one PathPrefix match must be specified")
			}
		}
	}
	check(at.Child("filters"), rule.Filters)
	for i := range rule.BackendRefs {
		check(at.Child("backendRefs").Index(i).Child("filters"), rule.BackendRefs[i].Filters)
	}
}

func replacesPrefix(path *gatewayv1.HTTPPathModifier) bool {
	return path != nil && path.Type == gatewayv1.PrefixMatchHTTPPathModifier && path.ReplacePrefixMatch != nil
}

var corsOrigin = regexp.MustCompile(`(^\*$)|(^(http(s)?):\/\/(((\*\.)?([a-zA-Z0-9\-]+\.)*[a-zA-Z0-9-]+|\*)(:([0-9]{1,5}))?)$)`)

func checkCORS(c *checker, at *field.Path, cors *gatewayv1.HTTPCORSFilter) {
	if cors == nil {
		return
	}
	for i, origin := range cors.AllowOrigins {
		if !corsOrigin.MatchString(string(origin)) {
			c.refuse(diagnostic.BadValue, at.Child("allowOrigins").Index(i), "write scheme and host: https://example.com",
				"invalid value %q: not an origin", diagnostic.Clip(string(origin)))
		}
	}
	for i, method := range cors.AllowMethods {
		oneOf(c, at.Child("allowMethods").Index(i), method, "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "*")
	}
	for i, name := range cors.AllowHeaders {
		c.headerName(at.Child("allowHeaders").Index(i), string(name))
	}
	for i, name := range cors.ExposeHeaders {
		c.headerName(at.Child("exposeHeaders").Index(i), string(name))
	}
	if cors.MaxAge < 1 {
		c.refuse(diagnostic.BadValue, at.Child("maxAge"), "", "invalid value %d: should be greater than or equal to 1", cors.MaxAge)
	}
}
