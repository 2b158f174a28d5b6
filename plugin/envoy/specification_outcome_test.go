package envoy_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
	gatewayv1beta1 "sigs.k8s.io/gateway-api/apis/v1beta1"

	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
)

// effect is one thing that can happen to a request.
type effect struct {
	// status of an answer that the gateway gives itself; 0 if a backend answers.
	status int
	// location of a redirect, without the port that is its scheme's own.
	location string
	// backend is "namespace/service:port"; path, host and request are what it gets.
	backend, path, host string
	request             fields
	// response are the fields that the client gets, of a backend's answer or a redirect.
	response fields
}

// fields are header fields by their name in lower case, several values of one joined as RFC 9110 has it.
type fields map[string]string

// String holds everything that two equal effects have in common.
func (o effect) String() string {
	switch {
	case o.backend != "":
		return fmt.Sprintf("%s gets %s%s with %s; client gets %s", o.backend, o.host, o.path, o.request, o.response)
	case o.location != "":
		return fmt.Sprintf("%d to %s with %s", o.status, o.location, o.response)
	}
	return fmt.Sprint(o.status)
}

func (f fields) String() string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(f)) {
		lines = append(lines, name+": "+f[name])
	}
	return "{" + strings.Join(lines, ", ") + "}"
}

// echoed are the fields of a backend's answer that filters may touch.
func echoed() fields { return fields{"content-type": "text/plain; charset=utf-8"} }

// effects are what a rule does with a request that it won.
func (s *specification) effects(c candidate, l *gatewayv1.Listener, request envoytest.Request) []weightedEffect {
	rule := c.spec()
	if i := slices.IndexFunc(rule.Filters, func(f gatewayv1.HTTPRouteFilter) bool { return f.RequestRedirect != nil }); i >= 0 {
		redirected := redirect(rule.Filters[i].RequestRedirect, matchesOf(rule)[c.match], l, request)
		for _, f := range rule.Filters {
			modify(redirected.response, f.ResponseHeaderModifier)
		}
		// A redirect has no content, and Envoy leaves out the type of what is not there.
		delete(redirected.response, "content-type")
		return []weightedEffect{{redirected, 1}}
	}
	var list []weightedEffect
	for _, ref := range rule.BackendRefs {
		weight := int32(1)
		if ref.Weight != nil {
			weight = *ref.Weight
		}
		if weight > 0 {
			list = append(list, weightedEffect{s.forward(c, ref, request), weight})
		}
	}
	if len(list) == 0 {
		return []weightedEffect{{effect{status: 500}, 1}}
	}
	return list
}

// forward sends a request to a backend. "When a HTTPBackendRef is invalid, 500 status codes MUST be returned"; for a Service
// without ready endpoints a 503 should be (HTTPRouteRule.backendRefs).
func (s *specification) forward(c candidate, ref gatewayv1.HTTPBackendRef, request envoytest.Request) effect {
	namespace := c.route.Namespace
	if ref.Namespace != nil {
		namespace = string(*ref.Namespace)
	}
	if !s.valid(c.route.Namespace, namespace, ref) {
		return effect{status: 500}
	}
	if s.idle[namespace+"/"+string(ref.Name)] {
		return effect{status: 503}
	}
	sent := effect{
		backend: fmt.Sprintf("%s/%s:%d", namespace, ref.Name, *ref.Port),
		host:    request.Host, path: request.Path,
		request: fields{}, response: echoed(),
	}
	for _, h := range request.Headers {
		sent.request.add(h.Name, h.Value)
	}
	rule := c.spec()
	for _, f := range slices.Concat(rule.Filters, ref.Filters) {
		modify(sent.request, f.RequestHeaderModifier)
		modify(sent.response, f.ResponseHeaderModifier)
		if f.URLRewrite == nil {
			continue
		}
		if f.URLRewrite.Hostname != nil {
			sent.host = string(*f.URLRewrite.Hostname)
		}
		sent.path = changePath(f.URLRewrite.Path, matchesOf(rule)[c.match], request.Path)
	}
	if host, set := sent.request["host"]; set {
		sent.host = host
		delete(sent.request, "host")
	}
	return sent
}

// valid tells whether a backendRef leads to a port of a Service that the route may use.
func (s *specification) valid(from, namespace string, ref gatewayv1.HTTPBackendRef) bool {
	if ref.Kind != nil && *ref.Kind != "Service" || ref.Group != nil && *ref.Group != "" {
		return false
	}
	if namespace != from && !slices.ContainsFunc(s.grants, func(g *gatewayv1beta1.ReferenceGrant) bool {
		return g.Namespace == namespace && grants(g.Spec, from, ref.Name)
	}) {
		return false
	}
	return slices.ContainsFunc(s.services, func(service *corev1.Service) bool {
		return service.Namespace == namespace && service.Name == string(ref.Name) && service.Spec.Type != corev1.ServiceTypeExternalName &&
			ref.Port != nil && slices.ContainsFunc(service.Spec.Ports, func(p corev1.ServicePort) bool { return p.Port == *ref.Port })
	})
}

// grants: each of from "MUST be considered to be an additional place that references can be valid from", each of to an
// additional resource (ReferenceGrantSpec).
func grants(spec gatewayv1beta1.ReferenceGrantSpec, from string, service gatewayv1.ObjectName) bool {
	return slices.ContainsFunc(spec.From, func(f gatewayv1beta1.ReferenceGrantFrom) bool {
		return f.Group == gatewayv1.GroupName && f.Kind == "HTTPRoute" && string(f.Namespace) == from
	}) && slices.ContainsFunc(spec.To, func(t gatewayv1beta1.ReferenceGrantTo) bool {
		return t.Group == "" && t.Kind == "Service" && (t.Name == nil || *t.Name == service)
	})
}

// modify applies a header modifier, which has one action at most for a name.
func modify(f fields, filter *gatewayv1.HTTPHeaderFilter) {
	if filter == nil {
		return
	}
	for _, h := range filter.Set {
		f[strings.ToLower(string(h.Name))] = h.Value
	}
	for _, h := range filter.Add {
		f.add(string(h.Name), h.Value)
	}
	for _, name := range filter.Remove {
		delete(f, strings.ToLower(name))
	}
}

func (f fields) add(name, value string) {
	name = strings.ToLower(name)
	if present, ok := f[name]; ok {
		value = present + "," + value
	}
	f[name] = value
}

// redirect writes the Location of HTTPRequestRedirectFilter.
func redirect(filter *gatewayv1.HTTPRequestRedirectFilter, match gatewayv1.HTTPRouteMatch, l *gatewayv1.Listener, request envoytest.Request) effect {
	scheme, port := "http", l.Port
	if filter.Scheme != nil {
		scheme, port = *filter.Scheme, map[string]gatewayv1.PortNumber{"http": 80, "https": 443}[*filter.Scheme]
	}
	if filter.Port != nil {
		port = *filter.Port
	}
	host := hostOf(request)
	if filter.Hostname != nil {
		host = string(*filter.Hostname)
	}
	status := 302
	if filter.StatusCode != nil {
		status = *filter.StatusCode
	}
	location := fmt.Sprintf("%s://%s:%d%s", scheme, host, port, changePath(filter.Path, match, request.Path))
	return effect{status: status, location: withoutOwnPort(location), response: fields{}}
}

// withoutOwnPort drops the port that a scheme has anyway: whether it is shown is a "SHOULD NOT".
func withoutOwnPort(location string) string {
	scheme, rest, _ := strings.Cut(location, "://")
	authority, path, _ := strings.Cut(rest, "/")
	own := map[string]string{"http": ":80", "https": ":443"}[scheme]
	return scheme + "://" + strings.ToLower(strings.TrimSuffix(authority, own)) + "/" + path
}

// changePath follows the table of HTTPPathModifier.replacePrefixMatch; the query stays as it is.
func changePath(change *gatewayv1.HTTPPathModifier, match gatewayv1.HTTPRouteMatch, target string) string {
	path, query, hasQuery := strings.Cut(target, "?")
	switch {
	case change == nil:
	case change.Type == gatewayv1.FullPathHTTPPathModifier:
		path = *change.ReplaceFullPath
	case change.Type == gatewayv1.PrefixMatchHTTPPathModifier:
		_, prefix := pathOf(match)
		path = withoutSlash(*change.ReplacePrefixMatch) + strings.TrimPrefix(path, withoutSlash(prefix))
	}
	if path == "" {
		path = "/"
	}
	if hasQuery {
		path += "?" + query
	}
	return path
}
