package schema

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// checkHTTPRoute applies the rules of HTTPRoute.
func checkHTTPRoute(c *checker, route *gatewayv1.HTTPRoute) {
	emptyRules := route.Spec.Rules != nil && len(route.Spec.Rules) == 0
	defaultHTTPRoute(&route.Spec)
	c.subdomain(metadataName, route.Name)
	checkParentRefs(c, specPath.Child("parentRefs"), route.Spec.ParentRefs)
	hostnames := specPath.Child("hostnames")
	c.atMost(hostnames, len(route.Spec.Hostnames), 16)
	for i, hostname := range route.Spec.Hostnames {
		c.hostname(hostnames.Index(i), string(hostname))
	}
	rules := specPath.Child("rules")
	if emptyRules {
		c.refuse(diagnostic.MissingValue, rules, "leave rules out to match every request", "should have at least 1 items")
	}
	c.atMost(rules, len(route.Spec.Rules), 16)
	matches := 0
	names := map[gatewayv1.SectionName]bool{}
	for i := range route.Spec.Rules {
		rule := &route.Spec.Rules[i]
		checkRule(c, rules.Index(i), rule)
		matches += len(rule.Matches)
		if rule.Name == nil {
			continue
		}
		if names[*rule.Name] {
			c.warn(diagnostic.DuplicateItem, rules.Index(i).Child("name"), "", "rule name %q stands twice: it should be unique within the route", diagnostic.Clip(string(*rule.Name)))
		}
		names[*rule.Name] = true
	}
	// Below the other limit, so that a long route is not complained of twice.
	if len(route.Spec.Rules) <= 16 && matches > 128 {
		c.atMost(rules, matches, 128)
	}
}

// checkParentRefs applies the rules of parentRefs.
func checkParentRefs(c *checker, at *field.Path, refs []gatewayv1.ParentReference) {
	c.atMost(at, len(refs), 32)
	for i, ref := range refs {
		item := at.Index(i)
		c.group(item.Child("group"), string(*ref.Group))
		c.kindOf(item.Child("kind"), string(*ref.Kind))
		c.objectName(item.Child("name"), string(ref.Name))
		if ref.Namespace != nil {
			c.label(item.Child("namespace"), string(*ref.Namespace))
		}
		if ref.SectionName != nil {
			c.subdomain(item.Child("sectionName"), string(*ref.SectionName))
		}
		if ref.Port != nil {
			c.port(item.Child("port"), *ref.Port)
		}
	}
	checkParentRefsDistinct(c, at, refs)
}

// checkParentRefsDistinct applies the two CEL rules on several references to one parent. Those of the standard channel do
// not look at the port; two references that differ in it only are let pass, as by the experimental channel.
func checkParentRefsDistinct(c *checker, at *field.Path, refs []gatewayv1.ParentReference) {
	type parent struct{ group, kind, namespace, name string }
	type section struct {
		name string
		port gatewayv1.PortNumber
	}
	seen := map[parent][]section{}
	for i, ref := range refs {
		key := parent{string(*ref.Group), string(*ref.Kind), "", string(ref.Name)}
		if ref.Namespace != nil {
			key.namespace = string(*ref.Namespace)
		}
		var own section
		if ref.SectionName != nil {
			own.name = string(*ref.SectionName)
		}
		if ref.Port != nil {
			own.port = *ref.Port
		}
		others := seen[key]
		seen[key] = append(others, own)
		switch {
		case slices.Contains(others, own) && own == section{}:
			c.refuse(diagnostic.DuplicateItem, at.Index(i), "remove the second reference",
				"sectionName or port must be specified when parentRefs includes 2 or more references to the same parent")
		case slices.Contains(others, own):
			c.refuse(diagnostic.DuplicateItem, at.Index(i), "remove the second reference",
				"sectionName or port must be unique when parentRefs includes 2 or more references to the same parent")
		case slices.ContainsFunc(others, func(o section) bool { return (o.name == "") != (own.name == "") && o.port == own.port }):
			c.refuse(diagnostic.MissingValue, at.Index(i).Child("sectionName"), "a reference without sectionName covers all listeners already",
				"sectionName must be specified when parentRefs includes 2 or more references to the same parent")
		}
	}
}

// checkRule applies the rules of one rule.
func checkRule(c *checker, at *field.Path, rule *gatewayv1.HTTPRouteRule) {
	if rule.Name != nil {
		c.subdomain(at.Child("name"), string(*rule.Name))
	}
	c.atMost(at.Child("matches"), len(rule.Matches), 64)
	for i := range rule.Matches {
		checkMatch(c, at.Child("matches").Index(i), &rule.Matches[i])
	}
	checkFilters(c, at.Child("filters"), rule.Filters)
	checkReplacePrefix(c, at, rule)
	checkBackendRefs(c, at, rule)
	checkTimeouts(c, at.Child("timeouts"), rule.Timeouts)
	checkRetry(c, at.Child("retry"), rule.Retry)
}

// checkMatch applies the rules of one match.
func checkMatch(c *checker, at *field.Path, match *gatewayv1.HTTPRouteMatch) {
	checkPath(c, at.Child("path"), match.Path)
	if match.Method != nil {
		oneOf(c, at.Child("method"), *match.Method, gatewayv1.HTTPMethodGet, gatewayv1.HTTPMethodHead, gatewayv1.HTTPMethodPost,
			gatewayv1.HTTPMethodPut, gatewayv1.HTTPMethodDelete, gatewayv1.HTTPMethodConnect, gatewayv1.HTTPMethodOptions,
			gatewayv1.HTTPMethodTrace, gatewayv1.HTTPMethodPatch)
	}
	match.Headers = checkHeaderMatches(c, at.Child("headers"), match.Headers)
	checkQueryMatches(c, at.Child("queryParams"), match.QueryParams)
}

// checkHeaderMatches applies the rules of header matches and gives those that count: "If multiple entries specify equivalent
// header names, only the first entry with an equivalent name MUST be considered for a match."
func checkHeaderMatches(c *checker, at *field.Path, headers []gatewayv1.HTTPHeaderMatch) []gatewayv1.HTTPHeaderMatch {
	c.atMost(at, len(headers), 16)
	written, lower := map[string]bool{}, map[string]bool{}
	counting := headers[:0:0]
	for i, header := range headers {
		item, name := at.Index(i), string(header.Name)
		c.headerName(item.Child("name"), name)
		c.length(item.Child("value"), header.Value, 1, 4096)
		regex := oneOf(c, item.Child("type"), *header.Type, gatewayv1.HeaderMatchExact, gatewayv1.HeaderMatchRegularExpression) &&
			*header.Type == gatewayv1.HeaderMatchRegularExpression
		if regex && header.Value != "" {
			c.regex(item.Child("value"), header.Value)
		}
		if !lower[strings.ToLower(name)] {
			counting = append(counting, header)
		}
		c.distinctName(item.Child("name"), name, written, lower)
	}
	return counting
}

// checkQueryMatches applies the rules of query parameter matches. Their names differ by case.
func checkQueryMatches(c *checker, at *field.Path, params []gatewayv1.HTTPQueryParamMatch) {
	c.atMost(at, len(params), 16)
	written := map[string]bool{}
	for i, param := range params {
		item, name := at.Index(i), string(param.Name)
		c.headerName(item.Child("name"), name)
		c.length(item.Child("value"), param.Value, 1, 1024)
		regex := oneOf(c, item.Child("type"), *param.Type, gatewayv1.QueryParamMatchExact, gatewayv1.QueryParamMatchRegularExpression) &&
			*param.Type == gatewayv1.QueryParamMatchRegularExpression
		if regex && param.Value != "" {
			c.regex(item.Child("value"), param.Value)
		}
		if written[name] {
			c.refuse(diagnostic.DuplicateItem, item.Child("name"), "", "duplicate value: %q", diagnostic.Clip(name))
		}
		written[name] = true
	}
}

// distinctName refuses a header name that stands twice and warns of one that differs in case only: the later one is ignored.
func (c *checker) distinctName(at *field.Path, name string, written, lower map[string]bool) {
	switch folded := strings.ToLower(name); {
	case name == "":
	case written[name]:
		c.refuse(diagnostic.DuplicateItem, at, "", "duplicate value: %q", diagnostic.Clip(name))
	case lower[folded]:
		c.warn(diagnostic.DuplicateItem, at, "header names do not differ by case: keep one", "duplicate value: %q: this entry is ignored, the first one counts", diagnostic.Clip(name))
	default:
		written[name], lower[folded] = true, true
	}
}

// checkTimeouts applies the rules of timeouts.
func checkTimeouts(c *checker, at *field.Path, timeouts *gatewayv1.HTTPRouteTimeouts) {
	if timeouts == nil || (timeouts.Request == nil && timeouts.BackendRequest == nil) {
		return
	}
	if timeouts.BackendRequest == nil {
		c.duration(at.Child("request"), string(*timeouts.Request))
		return
	}
	backend, goodBackend := c.duration(at.Child("backendRequest"), string(*timeouts.BackendRequest))
	if timeouts.Request == nil {
		return
	}
	request, goodRequest := c.duration(at.Child("request"), string(*timeouts.Request))
	if goodBackend && goodRequest && request != 0 && backend > request {
		c.refuse(diagnostic.BadCombine, at.Child("backendRequest"), "", "backendRequest timeout cannot be longer than request timeout")
	}
}

// checkRetry applies the rules of retry.
func checkRetry(c *checker, at *field.Path, retry *gatewayv1.HTTPRouteRetry) {
	if retry == nil {
		return
	}
	for i, code := range retry.Codes {
		c.within(at.Child("codes").Index(i), int64(code), 400, 599)
	}
	if retry.Backoff != nil {
		c.duration(at.Child("backoff"), string(*retry.Backoff))
	}
}
