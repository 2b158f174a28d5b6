package envoy_test

import (
	"fmt"
	"strings"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
)

// poolHosts are hosts of requests: names that hostnames hold for, and neighbours of these.
var poolHosts = []string{
	"a.test", "x.a.test", "z.a.test", "y.x.a.test", "z.x.a.test", "q.y.x.a.test", "b.test", "c.test", "z.c.test", "test", "xa.test", "other",
}

// request is made from a match that is served there, which it often meets, and then a little changed.
func (m maker) request(s *specification, g *gatewayv1.Gateway, port gatewayv1.PortNumber) envoytest.Request {
	request := m.anyRequest(s.routes, port)
	// Requests that no rule matches are the most by far if nothing is done about it.
	for range pick(m, []int{0, 4, 12, 12}) {
		if s.ask(g, port, request).effects[0].status != 404 {
			break
		}
		request = m.anyRequest(s.routes, port)
	}
	if s.ask(g, port, request).effects[0].location != "" {
		// Behind a wildcard Envoy repeats a port in the Host header, which is not one that it was sent to.
		request.Host = strings.TrimSuffix(request.Host, ":1234")
	}
	return request
}

// anyRequest has the host of a route, the path of one of its matches, and the other conditions of that match and often of a
// second one, so that both hold.
func (m maker) anyRequest(routes []*gatewayv1.HTTPRoute, port gatewayv1.PortNumber) envoytest.Request {
	route := pick(m, routes)
	match := pick(m, matchesOf(pick(m, rulesOf(route))))
	request := envoytest.Request{Method: "GET", Host: m.host(route), Path: m.path(match)}
	if m.chance(5) {
		request.Host = fmt.Sprint(request.Host, ":", pick(m, []gatewayv1.PortNumber{port, 1234}))
	}
	var query []string
	m.meet(&request, &query, match)
	if m.chance(2) {
		m.meet(&request, &query, pick(m, matchesOf(pick(m, rulesOf(pick(m, routes))))))
	}
	if m.chance(4) {
		request.Method = pick(m, []string{"GET", "POST", "HEAD", "PUT"})
	}
	for range m.IntN(4) - 1 {
		request.Headers = append(request.Headers, envoytest.Header{Name: pick(m, poolHeaders), Value: pick(m, poolValues)})
	}
	for range m.IntN(4) - 1 {
		query = append(query, pick(m, poolQuery)+"="+pick(m, poolValues))
	}
	m.Shuffle(len(request.Headers), func(i, j int) {
		request.Headers[i], request.Headers[j] = request.Headers[j], request.Headers[i]
	})
	m.Shuffle(len(query), func(i, j int) { query[i], query[j] = query[j], query[i] })
	if len(query) > 0 {
		request.Path += "?" + strings.Join(query, "&")
	}
	return request
}

// meet gives a request most of what a match asks for beside the path.
func (m maker) meet(request *envoytest.Request, query *[]string, match gatewayv1.HTTPRouteMatch) {
	if match.Method != nil {
		request.Method = string(*match.Method)
	}
	headers := match.Headers
	if m.chance(2) {
		headers = headersOf(match) // without those that do not count
	}
	for _, h := range headers {
		if !m.chance(10) {
			request.Headers = append(request.Headers, envoytest.Header{Name: string(h.Name), Value: m.value(h.Value)})
		}
	}
	for _, q := range match.QueryParams {
		if !m.chance(10) {
			*query = append(*query, string(q.Name)+"="+m.value(q.Value))
		}
	}
}

func (m maker) host(route *gatewayv1.HTTPRoute) string {
	if len(route.Spec.Hostnames) == 0 || m.chance(3) {
		host := pick(m, poolHosts)
		if m.chance(8) {
			host = strings.ToUpper(host)
		}
		return host
	}
	hostname := string(pick(m, route.Spec.Hostnames))
	return strings.Replace(hostname, "*", pick(m, []string{"x", "z", "y.x", "z.z"}), 1)
}

func (m maker) path(match gatewayv1.HTTPRouteMatch) string {
	kind, path := pathOf(match)
	if kind == gatewayv1.PathMatchRegularExpression || m.chance(4) {
		path = pick(m, poolPaths)
	}
	switch m.IntN(6) {
	case 0:
		path = strings.TrimSuffix(path, "/") + "/"
	case 1:
		path = strings.TrimSuffix(path, "/") + "/" + pick(m, []string{"a", "b", "c"})
	case 2:
		path += "b"
	case 3:
		path = "/" + strings.Trim(path, "/")
	}
	return path
}

// value is one that is wanted, or one of the pool where an expression is.
func (m maker) value(want string) string {
	if m.chance(8) || strings.ContainsAny(want, "[|.+*") {
		return pick(m, poolValues)
	}
	return want
}
