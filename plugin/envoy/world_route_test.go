package envoy_test

import (
	"fmt"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
)

func (m maker) route(name string, gateways []*gatewayv1.Gateway, aged bool) *gatewayv1.HTTPRoute {
	r := &gatewayv1.HTTPRoute{TypeMeta: metav1.TypeMeta{APIVersion: gatewayv1.GroupVersion.String(), Kind: "HTTPRoute"}}
	r.Namespace, r.Name = pick(m, poolNamespaces), name
	if aged {
		r.CreationTimestamp = metav1.Time{Time: oldest.Add(time.Duration(m.IntN(2)) * time.Hour)}
	}
	r.Spec.ParentRefs = m.parentRefs(gateways)
	for range m.IntN(4) {
		if hostname := pick(m, poolHostnames); hostname != "" {
			r.Spec.Hostnames = append(r.Spec.Hostnames, gatewayv1.Hostname(hostname))
		}
	}
	if m.chance(20) {
		return r // the default rule
	}
	for range 1 + m.IntN(4) {
		r.Spec.Rules = append(r.Spec.Rules, m.rule())
	}
	return r
}

// parentRefs name each Gateway once, as a whole or by some of its listeners or ports, and now and then one that is not there.
func (m maker) parentRefs(gateways []*gatewayv1.Gateway) []gatewayv1.ParentReference {
	var refs []gatewayv1.ParentReference
	for i, g := range gateways {
		if i > 0 && m.chance(2) {
			continue
		}
		ref := gatewayv1.ParentReference{Namespace: new(gatewayv1.Namespace(g.Namespace)), Name: gatewayv1.ObjectName(g.Name)}
		switch m.IntN(6) {
		case 0:
			for j, l := range g.Spec.Listeners {
				if j == 0 || m.chance(2) {
					section := ref
					section.SectionName = &l.Name
					refs = append(refs, section)
				}
			}
			continue
		case 1:
			ref.Port = new(pick(m, listenerPorts))
		case 2:
			ref.SectionName = new(gatewayv1.SectionName("listener-1")) // it may not be there
			ref.Port = maybe(m, listenerPorts)
		}
		refs = append(refs, ref)
	}
	if len(refs) == 0 || m.chance(12) {
		refs = append(refs, gatewayv1.ParentReference{Namespace: new(gatewayv1.Namespace("a")), Name: "elsewhere"})
	}
	return refs
}

func (m maker) rule() gatewayv1.HTTPRouteRule {
	var rule gatewayv1.HTTPRouteRule
	for range m.IntN(3) {
		rule.Matches = append(rule.Matches, m.match())
	}
	if m.chance(6) {
		rule.Filters = append(rule.Filters, gatewayv1.HTTPRouteFilter{Type: gatewayv1.HTTPRouteFilterRequestRedirect, RequestRedirect: m.redirect(&rule)})
	} else {
		for range pick(m, []int{0, 1, 1, 1, 1, 1, 2, 2, 3}) {
			rule.BackendRefs = append(rule.BackendRefs, m.backendRef())
		}
		if m.chance(3) {
			rule.Filters = append(rule.Filters, gatewayv1.HTTPRouteFilter{Type: gatewayv1.HTTPRouteFilterURLRewrite, URLRewrite: m.rewrite(&rule)})
		}
	}
	rule.Filters = append(rule.Filters, m.modifiers(4, []string{"X-Env", "x-tag", "x-new"}, []string{"Content-Type", "x-reply"})...)
	if len(rule.Filters) == 1 && rule.Filters[0].RequestHeaderModifier != nil && m.chance(3) {
		// Without a rewrite of the host, which would touch the same.
		set := &rule.Filters[0].RequestHeaderModifier.Set
		*set = append(*set, gatewayv1.HTTPHeader{Name: "Host", Value: "header.test"})
	}
	m.Shuffle(len(rule.Filters), func(i, j int) { rule.Filters[i], rule.Filters[j] = rule.Filters[j], rule.Filters[i] })
	return rule
}

// match is a new one, or one that the world has already with a condition more or less: those compete.
func (m maker) match() gatewayv1.HTTPRouteMatch {
	var match gatewayv1.HTTPRouteMatch
	if len(*m.known) > 0 && m.chance(2) {
		from := pick(m, *m.known)
		match = *from.DeepCopy()
		m.change(&match)
	} else {
		match = m.newMatch()
	}
	*m.known = append(*m.known, match)
	return match
}

func (m maker) change(match *gatewayv1.HTTPRouteMatch) {
	switch m.IntN(6) {
	case 0:
		match.Method = maybe(m, poolMethods)
	case 1, 2:
		m.addHeader(match)
	case 3:
		m.addQuery(match)
	case 4:
		match.Headers = nil
	}
}

func (m maker) newMatch() gatewayv1.HTTPRouteMatch {
	var match gatewayv1.HTTPRouteMatch
	switch m.IntN(10) {
	case 0:
	case 1:
		match.Path = &gatewayv1.HTTPPathMatch{Type: new(gatewayv1.PathMatchRegularExpression), Value: new(pick(m, poolRegexes))}
	case 2:
		match.Path = &gatewayv1.HTTPPathMatch{Value: new(pick(m, poolPaths))}
	default:
		match.Path = &gatewayv1.HTTPPathMatch{
			Type: new(pick(m, []gatewayv1.PathMatchType{gatewayv1.PathMatchExact, gatewayv1.PathMatchPathPrefix, gatewayv1.PathMatchPathPrefix})), Value: new(pick(m, poolPaths)),
		}
	}
	if m.chance(4) {
		match.Method = new(pick(m, poolMethods))
	}
	for range m.IntN(6) - 3 {
		m.addHeader(&match)
	}
	for range m.IntN(6) - 3 {
		m.addQuery(&match)
	}
	return match
}

// addHeader adds a header whose name is not there yet in this very form: the API server refuses that.
func (m maker) addHeader(match *gatewayv1.HTTPRouteMatch) {
	h := gatewayv1.HTTPHeaderMatch{Name: gatewayv1.HTTPHeaderName(pick(m, poolHeaders)), Value: pick(m, poolValues)}
	for _, present := range match.Headers {
		if present.Name == h.Name {
			return
		}
	}
	if m.chance(4) {
		h.Type, h.Value = new(gatewayv1.HeaderMatchRegularExpression), pick(m, valueRegexes)
	}
	match.Headers = append(match.Headers, h)
}

func (m maker) addQuery(match *gatewayv1.HTTPRouteMatch) {
	q := gatewayv1.HTTPQueryParamMatch{Name: gatewayv1.HTTPHeaderName(pick(m, poolQuery)), Value: pick(m, poolValues)}
	for _, present := range match.QueryParams {
		if present.Name == q.Name {
			return
		}
	}
	if m.chance(4) {
		q.Type, q.Value = new(gatewayv1.QueryParamMatchRegularExpression), pick(m, valueRegexes)
	}
	match.QueryParams = append(match.QueryParams, q)
}

// backendRef leads anywhere: to another namespace, to a Service or a port that is not there, to no Service at all.
func (m maker) backendRef() gatewayv1.HTTPBackendRef {
	var ref gatewayv1.HTTPBackendRef
	ref.Name, ref.Port = gatewayv1.ObjectName(pick(m, poolServices[:2])), new(pick(m, poolPorts[:2]))
	if m.chance(5) {
		ref.Name = gatewayv1.ObjectName(pick(m, poolServices))
	}
	if m.chance(16) {
		ref.Port = new(poolPorts[2])
	}
	if m.chance(6) {
		ref.Namespace = new(gatewayv1.Namespace(pick(m, poolNamespaces)))
	}
	if m.chance(2) {
		ref.Weight = new(pick(m, []int32{0, 1, 1, 2, 3, 5}))
	}
	if m.chance(4) {
		// Other names than those of the rule's filters: which of the two comes first, the API does not say.
		ref.Filters = m.modifiers(2, []string{"Version", "x-backend"}, []string{"X-Tag", "x-backend"})
	}
	return ref
}

func (m maker) redirect(rule *gatewayv1.HTTPRouteRule) *gatewayv1.HTTPRequestRedirectFilter {
	r := &gatewayv1.HTTPRequestRedirectFilter{
		Scheme:     maybe(m, []string{"http", "https"}),
		Hostname:   maybe(m, []gatewayv1.PreciseHostname{"other.test"}),
		StatusCode: maybe(m, []int{301, 302, 303, 307, 308}),
	}
	if m.chance(3) {
		r.Port = new(pick(m, []gatewayv1.PortNumber{80, 443, 8080}))
	}
	if m.chance(2) {
		r.Path = m.pathModifier(rule)
	}
	return r
}

func (m maker) rewrite(rule *gatewayv1.HTTPRouteRule) *gatewayv1.HTTPURLRewriteFilter {
	rewrite := &gatewayv1.HTTPURLRewriteFilter{Hostname: maybe(m, []gatewayv1.PreciseHostname{"inside.test"})}
	if rewrite.Hostname == nil || m.chance(2) {
		rewrite.Path = m.pathModifier(rule)
	}
	return rewrite
}

// pathModifier: a prefix can be replaced only where the rule has one match, by prefix.
func (m maker) pathModifier(rule *gatewayv1.HTTPRouteRule) *gatewayv1.HTTPPathModifier {
	if m.chance(3) {
		return &gatewayv1.HTTPPathModifier{Type: gatewayv1.FullPathHTTPPathModifier, ReplaceFullPath: new(pick(m, []string{"/", "/full", "/full/path/"}))}
	}
	match := m.newMatch()
	match.Path = &gatewayv1.HTTPPathMatch{Type: new(gatewayv1.PathMatchPathPrefix), Value: new(pick(m, poolPaths))}
	rule.Matches = []gatewayv1.HTTPRouteMatch{match}
	return &gatewayv1.HTTPPathModifier{Type: gatewayv1.PrefixMatchHTTPPathModifier, ReplacePrefixMatch: new(pick(m, poolReplaced))}
}

// modifiers change request or response headers, each once in n times.
func (m maker) modifiers(n int, request, response []string) []gatewayv1.HTTPRouteFilter {
	var filters []gatewayv1.HTTPRouteFilter
	if m.chance(n) {
		filters = append(filters, gatewayv1.HTTPRouteFilter{
			Type: gatewayv1.HTTPRouteFilterRequestHeaderModifier, RequestHeaderModifier: m.modifier(request),
		})
	}
	if m.chance(n) {
		filters = append(filters, gatewayv1.HTTPRouteFilter{
			Type: gatewayv1.HTTPRouteFilterResponseHeaderModifier, ResponseHeaderModifier: m.modifier(response),
		})
	}
	return filters
}

// modifier has one action at most for each name: another one would be invalid.
func (m maker) modifier(names []string) *gatewayv1.HTTPHeaderFilter {
	filter := &gatewayv1.HTTPHeaderFilter{}
	for i, name := range names {
		header := gatewayv1.HTTPHeader{Name: gatewayv1.HTTPHeaderName(name), Value: fmt.Sprint(strings.ToLower(name), " is ", pick(m, []string{"50%", "%PROTOCOL%", "new", "1"}))}
		switch m.IntN(5) {
		case 0:
			filter.Set = append(filter.Set, header)
		case 1:
			filter.Add = append(filter.Add, header)
		case 2:
			filter.Remove = append(filter.Remove, name)
		default:
			if i == 0 {
				filter.Set = append(filter.Set, header) // a filter without any change is refused
			}
		}
	}
	return filter
}
