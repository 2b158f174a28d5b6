package attach

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

// hostnameConflict is the reason of a route that loses a hostname to one of the other kind. The Gateway API has the word for listeners.
const hostnameConflict = "HostnameConflict"

// oldestFirst are the routes in the order in which they attach: "the oldest Route based on creation timestamp", then "the Route appearing
// first in alphabetical order by {namespace}/{name}" (GRPCRouteSpec.hostnames). What an earlier route has, a later one cannot take.
func (r *resolver) oldestFirst(objects *manifest.Objects) []manifest.Route {
	routes := slices.Collect(objects.Routes())
	slices.SortStableFunc(routes, func(a, b manifest.Route) int {
		return cmp.Or(r.ageOf(a.Object, a.Name()).Compare(r.ageOf(b.Object, b.Name())),
			cmp.Compare(a.Object.GetNamespace()+"/"+a.Object.GetName(), b.Object.GetNamespace()+"/"+b.Object.GetName()))
	})
	return routes
}

// claims are the hostnames that routes of one kind have on a listener, each with the first route that has it.
type claims struct {
	exact map[string]*route
	// below are wildcards with a route for a hostname that they cover.
	below map[string]*route
}

// claim gives hostnames of a listener to an HTTPRoute or a GRPCRoute, unless a route of the other kind has one that it shares with them: it
// returns that one. "If a Route (A) of type HTTPRoute or GRPCRoute is attached to a Listener and that listener already has another Route
// (B) of the other type attached and the intersection of the hostnames of A and B is non-empty, then the implementation MUST accept
// exactly one of these two routes" (GRPCRouteSpec.hostnames).
func (l *listener) claim(rt *route, hostnames []string) *route {
	own, other := &l.claims.http, &l.claims.grpc
	switch rt.Kind {
	case "HTTPRoute":
	case "GRPCRoute":
		own, other = other, own
	default:
		return nil
	}
	if holder := other.holder(hostnames); holder != nil {
		return holder
	}
	own.take(rt, hostnames)
	return nil
}

func (c *claims) take(rt *route, hostnames []string) {
	if c.exact == nil {
		c.exact, c.below = map[string]*route{}, map[string]*route{}
	}
	for _, hostname := range hostnames {
		c.exact[hostname] = cmp.Or(c.exact[hostname], rt)
		for wildcard := range wider(hostname) {
			c.below[wildcard] = cmp.Or(c.below[wildcard], rt)
		}
	}
}

// holder is a route that has a hostname in common with these, or nil.
func (c *claims) holder(hostnames []string) *route {
	for _, hostname := range hostnames {
		found := cmp.Or(c.exact[hostname], c.below[hostname])
		for wildcard := range wider(hostname) {
			found = cmp.Or(found, c.exact[wildcard])
		}
		if found != nil {
			return found
		}
	}
	return nil
}

// wider are the wildcards that cover a hostname: "*.b.example", "*.example" and "*" for "a.b.example".
func wider(hostname string) iter.Seq[string] {
	return func(yield func(string) bool) {
		rest, more := strings.TrimPrefix(hostname, "*."), true
		for {
			if _, rest, more = strings.Cut(rest, "."); !more {
				break
			}
			if !yield("*." + rest) {
				return
			}
		}
		if hostname != anyHostname {
			yield(anyHostname)
		}
	}
}

// heldListener is a listener that a route does not get, as a route of the other kind has its hostname.
type heldListener struct {
	listener *listener
	holder   *route
}

// message names both, and what decided.
func (h heldListener) message(rt *route) string {
	reason := "its name comes first"
	if h.holder.age.Compare(rt.age) != 0 {
		reason = "it is older"
	}
	return fmt.Sprintf("listener %q of Gateway %s has %s for one of its hostnames, and takes routes of one kind for a hostname: %s",
		h.listener.name, h.listener.gateway.Name, h.holder.Object, reason)
}

// reportElsewhere says where the route does not attach although another listener takes it.
func (p *parents) reportElsewhere() {
	for _, h := range p.held {
		p.warn(p.route.source, "spec.hostnames", diagnostic.KindConflict, "the route does not attach there: "+h.message(p.route), "")
	}
}
