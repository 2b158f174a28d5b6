package envoy_test

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
	gatewayv1beta1 "sigs.k8s.io/gateway-api/apis/v1beta1"

	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
)

// specification says what the Gateway API (v1.6.3, the comments of apis/v1) wants for one request, given the objects of a
// cluster. It is written from that text alone and shares no code with the renderer, which it judges. It looks at one request
// at a time and tries every rule: slow, and short enough to be held against the text.
//
// Where the text leaves room, this is the reading:
//   - A host is answered by the routes whose hostname, intersected with the listener's, is the most specific one; no request
//     falls through to a wider one ("a set of hostnames [...] to select a HTTPRoute used to process the request").
//   - A route without hostnames has the listener's, as if it were written there: it ties with a route that names it.
//   - Regular expressions of paths come after Exact and before prefixes, the longer one first.
//   - Of a header with several lines each line is compared, of a query parameter the first one.
//   - A rule with no backend at all answers 500, and so does one whose weights are all 0.
type specification struct {
	gateways   []*gatewayv1.Gateway
	routes     []*gatewayv1.HTTPRoute
	services   []*corev1.Service
	grants     []*gatewayv1beta1.ReferenceGrant
	namespaces []*corev1.Namespace
	// idle are the Services ("namespace/name") without endpoints that are ready.
	idle map[string]bool
}

// verdict is what a request gets.
type verdict struct {
	// effects have the shares of their weights.
	effects []weightedEffect
	// tie is what decided between the rule that won and the next one whose match holds too: "" where no other holds.
	tie string
}

type weightedEffect struct {
	effect
	weight int32
}

// candidate is a match that holds for a request.
type candidate struct {
	route *gatewayv1.HTTPRoute
	// hostname is the route's own that holds for the request.
	hostname    string
	rule, match int
}

func (c candidate) spec() gatewayv1.HTTPRouteRule { return rulesOf(c.route)[c.rule] }

// ask gives the verdict on a request to a port of a Gateway.
func (s *specification) ask(g *gatewayv1.Gateway, port gatewayv1.PortNumber, request envoytest.Request) verdict {
	host := hostOf(request)
	listener := chooseListener(g, port, host)
	if listener == nil {
		return only(effect{status: 404})
	}
	var candidates []candidate
	for _, selected := range s.selectRoutes(g, listener, host) {
		for i, rule := range rulesOf(selected.route) {
			for j, match := range matchesOf(rule) {
				if matches(match, request) {
					candidates = append(candidates, candidate{selected.route, selected.hostname, i, j})
				}
			}
		}
	}
	if len(candidates) == 0 {
		// "When no rules matching a request have been successfully attached to the parent a request is coming from, a HTTP
		// 404 status code MUST be returned."
		return only(effect{status: 404})
	}
	slices.SortFunc(candidates, func(a, b candidate) int { order, _ := precedes(a, b); return order })
	result := verdict{effects: s.effects(candidates[0], listener, request)}
	if len(candidates) > 1 {
		_, result.tie = precedes(candidates[0], candidates[1])
	}
	return result
}

func only(o effect) verdict { return verdict{effects: []weightedEffect{{o, 1}}} }

// hostOf is the host of a request, of which "implementations MUST ignore any port value" (HTTPRouteSpec.hostnames).
func hostOf(request envoytest.Request) string {
	host, _, _ := strings.Cut(request.Host, ":")
	return strings.ToLower(host)
}

// chooseListener: "inbound request hostnames MUST match from the most specific to least specific Hostname values to choose the
// correct Listener and its associated set of Routes" (GatewaySpec.listeners).
func chooseListener(g *gatewayv1.Gateway, port gatewayv1.PortNumber, host string) *gatewayv1.Listener {
	var chosen *gatewayv1.Listener
	for i := range g.Spec.Listeners {
		l := &g.Spec.Listeners[i]
		if l.Port == port && holds(listenerHostname(l), host) && (chosen == nil || specificity(listenerHostname(l)) > specificity(listenerHostname(chosen))) {
			chosen = l
		}
	}
	return chosen
}

func listenerHostname(l *gatewayv1.Listener) string {
	if l.Hostname == nil {
		return ""
	}
	return string(*l.Hostname)
}

// holds: "`*.example.com` would match both `test.example.com`, and `foo.test.example.com`, but not `example.com`"; no
// hostname is every hostname.
func holds(hostname, host string) bool {
	if suffix, wildcard := strings.CutPrefix(hostname, "*"); wildcard {
		return strings.HasSuffix(host, suffix) && host != suffix
	}
	return hostname == "" || hostname == host
}

// specificity orders hostnames that hold for one host: "exact matches MUST be processed before wildcard matches, and wildcard
// matches MUST be processed before fallback (empty Hostname value) matches [...] the higher the number of dots in the
// hostname to the right of the wildcard character, the higher the precedence".
func specificity(hostname string) int {
	switch {
	case hostname == "":
		return 0
	case strings.HasPrefix(hostname, "*"):
		return strings.Count(hostname, ".")
	}
	return 1000
}

// selectedRoute is a route that may answer for a host.
type selectedRoute struct {
	route    *gatewayv1.HTTPRoute
	hostname string
}

// selectRoutes finds the routes on a listener whose hostnames hold for a host, of which those stay whose intersection with the
// listener's hostname is the most specific one.
func (s *specification) selectRoutes(g *gatewayv1.Gateway, l *gatewayv1.Listener, host string) []selectedRoute {
	var selected []selectedRoute
	best := -1
	for _, route := range s.routes {
		if !s.attached(route, g, l) {
			continue
		}
		hostname, ok := ownHostname(route, l, host)
		if !ok {
			continue
		}
		// Both hostnames hold for the host, so one holds for all of the other, and that one is the intersection.
		intersection := max(specificity(hostname), specificity(listenerHostname(l)))
		if intersection > best {
			best, selected = intersection, nil
		}
		if intersection == best {
			selected = append(selected, selectedRoute{route, hostname})
		}
	}
	return selected
}

// ownHostname is the route's most specific hostname that holds for a host; without any it is the listener's.
func ownHostname(route *gatewayv1.HTTPRoute, l *gatewayv1.Listener, host string) (string, bool) {
	if len(route.Spec.Hostnames) == 0 {
		return listenerHostname(l), true
	}
	best, found := "", false
	for _, h := range route.Spec.Hostnames {
		if hostname := string(h); holds(hostname, host) && (!found || specificity(hostname) > specificity(best)) {
			best, found = hostname, true
		}
	}
	return best, found
}

// attached tells whether a route asks for a listener (ParentReference) and the listener allows it (AllowedRoutes). That their
// hostnames intersect follows for a host for which both hold.
func (s *specification) attached(route *gatewayv1.HTTPRoute, g *gatewayv1.Gateway, l *gatewayv1.Listener) bool {
	return slices.ContainsFunc(route.Spec.ParentRefs, func(ref gatewayv1.ParentReference) bool {
		namespace := route.Namespace
		if ref.Namespace != nil {
			namespace = string(*ref.Namespace)
		}
		return namespace == g.Namespace && string(ref.Name) == g.Name &&
			(ref.SectionName == nil || *ref.SectionName == l.Name) && (ref.Port == nil || *ref.Port == l.Port)
	}) && s.allowed(route, g, l)
}

func (s *specification) allowed(route *gatewayv1.HTTPRoute, g *gatewayv1.Gateway, l *gatewayv1.Listener) bool {
	if l.AllowedRoutes == nil {
		return route.Namespace == g.Namespace // the default: from: Same
	}
	isHTTPRoute := func(k gatewayv1.RouteGroupKind) bool { return k.Kind == "HTTPRoute" }
	if kinds := l.AllowedRoutes.Kinds; len(kinds) > 0 && !slices.ContainsFunc(kinds, isHTTPRoute) {
		return false
	}
	namespaces := l.AllowedRoutes.Namespaces
	if namespaces == nil || namespaces.From == nil {
		return route.Namespace == g.Namespace
	}
	switch *namespaces.From {
	case gatewayv1.NamespacesFromAll:
		return true
	case gatewayv1.NamespacesFromSelector:
		return slices.ContainsFunc(s.namespaces, func(n *corev1.Namespace) bool {
			for key, value := range namespaces.Selector.MatchLabels {
				if n.Labels[key] != value {
					return false
				}
			}
			return n.Name == route.Namespace
		})
	}
	return route.Namespace == g.Namespace
}

// precedes orders two matches that hold for one request (below 0: a first) and names the criterion: the order of
// HTTPRouteSpec.hostnames, then that of HTTPRouteRule.matches.
func precedes(a, b candidate) (int, string) {
	matchA, matchB := matchesOf(a.spec())[a.match], matchesOf(b.spec())[b.match]
	for _, criterion := range []struct {
		name  string
		order int
	}{
		{"hostname", cmp.Compare(preciseCharacters(b.hostname), preciseCharacters(a.hostname))},
		{"hostname", cmp.Compare(len(b.hostname), len(a.hostname))},
		{"path", cmp.Compare(pathRank(matchA), pathRank(matchB))},
		{"path", cmp.Compare(pathCharacters(matchB), pathCharacters(matchA))},
		{"method", cmp.Compare(countMethod(matchB), countMethod(matchA))},
		{"headers", cmp.Compare(len(headersOf(matchB)), len(headersOf(matchA)))},
		{"query", cmp.Compare(len(queryOf(matchB)), len(queryOf(matchA)))},
		{"age", a.route.CreationTimestamp.Compare(b.route.CreationTimestamp.Time)},
		{"name", cmp.Compare(a.route.Namespace+"/"+a.route.Name, b.route.Namespace+"/"+b.route.Name)},
		{"position", cmp.Or(cmp.Compare(a.rule, b.rule), cmp.Compare(a.match, b.match))},
	} {
		if criterion.order != 0 {
			return criterion.order, criterion.name
		}
	}
	return 0, ""
}

func preciseCharacters(hostname string) int {
	if strings.HasPrefix(hostname, "*") {
		return 0
	}
	return len(hostname)
}
