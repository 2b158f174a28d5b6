package attach_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/attach"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/model"
)

// hostnames are few, so that listeners, routes and requests meet; "" is none.
var hostnames = []string{"", "*.com", "*.a.com", "a.com", "x.a.com", "*.x.a.com", "y.x.a.com", "b.net"}

// requestHosts are hosts of requests.
var requestHosts = []string{"com", "a.com", "c.com", "x.a.com", "z.a.com", "y.x.a.com", "z.x.a.com", "q.y.x.a.com", "b.net", "other"}

// TestRequestReachesTheRoutesOfItsListener holds the virtual hosts against the words of the API: a request belongs to the most
// specific listener that covers its host, and there to the routes with the most specific hostname that covers it.
func TestRequestReachesTheRoutesOfItsListener(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		listeners := rapid.SliceOfNDistinct(rapid.SampledFrom(hostnames), 1, 4, rapid.ID[string]).Draw(t, "listeners")
		protocol := rapid.SampledFrom([]gatewayv1.ProtocolType{gatewayv1.HTTPProtocolType, gatewayv1.HTTPSProtocolType}).Draw(t, "protocol")
		objects := &manifest.Objects{}
		objects.Gateways = []manifest.Located[*gatewayv1.Gateway]{{Object: gatewayOf(protocol, listeners)}}
		for i := range rapid.IntRange(1, 4).Draw(t, "routes") {
			route := routeOf(fmt.Sprint("r", i), rapid.SliceOfNDistinct(rapid.SampledFrom(hostnames[1:]), 0, 3, rapid.ID[string]).Draw(t, "hostnames"),
				rapid.SampledFrom(append([]int{-1}, indexes(listeners)...)).Draw(t, "section"))
			objects.HTTPRoutes = append(objects.HTTPRoutes, manifest.Located[*gatewayv1.HTTPRoute]{Object: route})
		}
		gateways, _, _ := attach.Attach(objects, attach.Options{})
		for _, host := range requestHosts {
			got, want := servedBy(gateways[0], host), wantedBy(objects, listeners, host)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("routes of a request for %s (-want +got):\n%s", host, diff)
			}
		}
	})
}

func indexes(list []string) []int {
	var all []int
	for i := range list {
		all = append(all, i)
	}
	return all
}

func gatewayOf(protocol gatewayv1.ProtocolType, listeners []string) *gatewayv1.Gateway {
	g := &gatewayv1.Gateway{}
	g.Namespace, g.Name = "default", "edge"
	for i, hostname := range listeners {
		g.Spec.Listeners = append(g.Spec.Listeners, gatewayv1.Listener{
			Name: section(i), Port: 443, Protocol: protocol, Hostname: (*gatewayv1.Hostname)(&hostname),
		})
	}
	return g
}

func section(i int) gatewayv1.SectionName { return gatewayv1.SectionName(fmt.Sprint("l", i)) }

func routeOf(name string, hosts []string, listener int) *gatewayv1.HTTPRoute {
	r := &gatewayv1.HTTPRoute{}
	r.Namespace, r.Name = "default", name
	ref := gatewayv1.ParentReference{Name: "edge"}
	if listener >= 0 {
		s := section(listener)
		ref.SectionName = &s
	}
	r.Spec.ParentRefs = []gatewayv1.ParentReference{ref}
	for _, h := range hosts {
		r.Spec.Hostnames = append(r.Spec.Hostnames, gatewayv1.Hostname(h))
	}
	return r
}

// wantedBy reads the answer off the objects, without virtual hosts.
func wantedBy(objects *manifest.Objects, listeners []string, host string) []string {
	listener := mostSpecific(listeners, host)
	if listener < 0 {
		return nil
	}
	best, routes := "", []string(nil)
	for _, located := range objects.HTTPRoutes {
		route := located.Object
		if ref := route.Spec.ParentRefs[0]; ref.SectionName != nil && *ref.SectionName != section(listener) {
			continue
		}
		hosts := []string{""}
		if len(route.Spec.Hostnames) > 0 {
			hosts = nil
			for _, h := range route.Spec.Hostnames {
				hosts = append(hosts, string(h))
			}
		}
		// What listener and route share is the narrower of the two; both cover the host, so one of them covers the other.
		i := mostSpecific(hosts, host)
		if i < 0 {
			continue
		}
		shared := hosts[i]
		if mostSpecific([]string{listeners[listener], shared}, host) == 0 {
			shared = listeners[listener]
		}
		switch {
		case shared == best:
			routes = append(routes, route.Name)
		case routes == nil || mostSpecific([]string{best, shared}, host) == 1:
			best, routes = shared, []string{route.Name}
		}
	}
	return routes
}

// mostSpecific is the index of the pattern that a host belongs to: an exact one, else the longest wildcard, else "".
func mostSpecific(patterns []string, host string) int {
	best := -1
	rank := func(p string) int {
		if !strings.HasPrefix(p, "*") && p != "" {
			return 1000
		}
		return len(p)
	}
	for i, p := range patterns {
		fits := p == "" || p == host || strings.HasPrefix(p, "*.") && strings.HasSuffix(host, p[1:]) && len(host) >= len(p)
		if fits && (best < 0 || rank(p) > rank(patterns[best])) {
			best = i
		}
	}
	return best
}

// servedBy is the answer of the model, read as Envoy does: the filter chain by server name, then the virtual host.
func servedBy(g *model.Gateway, host string) []string {
	chains := g.Listeners[0].Chains
	names := make([]string, len(chains))
	for i, c := range chains {
		names[i] = strings.Join(c.ServerNames, "")
	}
	chain := mostSpecific(names, host)
	if chain < 0 {
		return nil
	}
	hosts := chains[chain].Routes.Hosts
	patterns := make([]string, len(hosts))
	for i, h := range hosts {
		if patterns[i] = h.Hostname; h.Hostname == "*" {
			patterns[i] = ""
		}
	}
	i := mostSpecific(patterns, host)
	if i < 0 {
		return nil
	}
	var routes []string
	for _, rule := range hosts[i].Rules {
		routes = append(routes, rule.Origin.Name.Name)
	}
	slices.Sort(routes)
	return routes
}
