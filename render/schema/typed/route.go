package typed

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// HTTPRoute finds what the API takes in an HTTPRoute and no proxy can serve, and drops conditions that do not count. Its defaults
// are filled in.
func HTTPRoute(route *gatewayv1.HTTPRoute) diagnostic.List {
	c := &checker{}
	c.hostnames(specPath.Child("hostnames"), route.Spec.Hostnames)
	for i := range route.Spec.Rules {
		rule, at := &route.Spec.Rules[i], specPath.Child("rules").Index(i)
		for j := range rule.Matches {
			c.httpMatch(at.Child("matches"), j, &rule.Matches[j])
		}
		c.httpFilters(at, rule.Filters)
		for j := range rule.BackendRefs {
			if filters := rule.BackendRefs[j].Filters; len(filters) > 0 { // few have any, and a path takes room
				c.httpFilters(at.Child("backendRefs").Index(j), filters)
			}
		}
	}
	return c.found
}

// GRPCRoute does the same for a GRPCRoute.
func GRPCRoute(route *gatewayv1.GRPCRoute) diagnostic.List {
	c := &checker{}
	c.hostnames(specPath.Child("hostnames"), route.Spec.Hostnames)
	for i := range route.Spec.Rules {
		rule, at := &route.Spec.Rules[i], specPath.Child("rules").Index(i)
		for j := range rule.Matches {
			c.grpcMatch(at.Child("matches").Index(j), &rule.Matches[j])
		}
		c.grpcFilters(at, rule.Filters)
		for j := range rule.BackendRefs {
			c.grpcFilters(at.Child("backendRefs").Index(j), rule.BackendRefs[j].Filters)
		}
	}
	return c.found
}

// httpMatch looks at one match of a list.
func (c *checker) httpMatch(list *field.Path, position int, match *gatewayv1.HTTPRouteMatch) {
	if match.Path == nil || !is(match.Path.Type, gatewayv1.PathMatchRegularExpression) {
		if len(match.Headers)+len(match.QueryParams) == 0 {
			return
		}
	}
	at := list.Index(position)
	if path := match.Path; path != nil && is(path.Type, gatewayv1.PathMatchRegularExpression) && path.Value != nil {
		c.regex(at.Child("path", "value"), *path.Value)
	}
	headers := at.Child("headers")
	for i, header := range match.Headers {
		if is(header.Type, gatewayv1.HeaderMatchRegularExpression) {
			c.regex(headers.Index(i).Child("value"), header.Value)
		}
	}
	match.Headers = distinct(c, headers, match.Headers, func(h gatewayv1.HTTPHeaderMatch) string { return string(h.Name) })
	for i, param := range match.QueryParams {
		if is(param.Type, gatewayv1.QueryParamMatchRegularExpression) {
			c.regex(at.Child("queryParams").Index(i).Child("value"), param.Value)
		}
	}
}

// grpcMatch looks at one match of a GRPCRoute.
func (c *checker) grpcMatch(at *field.Path, match *gatewayv1.GRPCRouteMatch) {
	if method := match.Method; method != nil && is(method.Type, gatewayv1.GRPCMethodMatchRegularExpression) {
		for name, pattern := range map[string]*string{"service": method.Service, "method": method.Method} {
			if pattern != nil {
				c.regex(at.Child("method", name), *pattern)
			}
		}
	}
	headers := at.Child("headers")
	for i, header := range match.Headers {
		if is(header.Type, gatewayv1.GRPCHeaderMatchRegularExpression) {
			c.regex(headers.Index(i).Child("value"), header.Value)
		}
	}
	match.Headers = distinct(c, headers, match.Headers, func(h gatewayv1.GRPCHeaderMatch) string { return string(h.Name) })
}

func is[T comparable](value *T, want T) bool { return value != nil && *value == want }

// distinct gives the headers that count: "If multiple entries specify equivalent header names, only the first entry with an
// equivalent name MUST be considered for a match." (HTTPHeaderMatch.Name) Names that are equal to the letter are refused by the
// list's type already.
func distinct[T any](c *checker, at *field.Path, list []T, nameOf func(T) string) []T {
	if len(list) < 2 {
		return list
	}
	seen := make(map[string]bool, len(list))
	counting := list[:0:0]
	for i, one := range list {
		name := strings.ToLower(nameOf(one))
		if seen[name] {
			c.warn(diagnostic.DuplicateItem, at.Index(i).Child("name"), "header names do not differ by case: keep one",
				"duplicate value: %q: this entry is ignored, the first one counts", diagnostic.Clip(nameOf(one)))
			continue
		}
		seen[name] = true
		counting = append(counting, one)
	}
	return counting
}
