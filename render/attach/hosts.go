package attach

import (
	"fmt"
	"maps"
	"slices"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/model"
)

// hosts lays out the virtual hosts of one route table, which serves some listeners of a port.
//
// A request for a host never falls through to a wider one, in Envoy as in the Gateway API, and it belongs to the most specific
// listener alone that covers its host ("Listener Isolation", GatewaySpec.listeners). So a route does not serve a hostname
// that another listener of the port owns, and a listener without a host of its own gets one without rules where a wider
// listener would take its requests: they are 404.
func (r *resolver) hosts(served, port []*listener) []model.Host {
	byHostname := map[string]*model.Host{}
	for _, l := range served {
		for _, a := range l.attachments {
			if owner := owner(port, a.hostname); owner != l {
				r.reportOwned(a, l, owner)
				continue
			}
			host := byHostname[a.hostname]
			if host == nil {
				host = &model.Host{Hostname: a.hostname}
				byHostname[a.hostname] = host
			}
			host.Rules = slices.Grow(host.Rules, len(a.route.rules)) // most hosts are one route's, and rules are large
			for _, rule := range a.route.rules {
				rule.Hostname = a.own
				host.Rules = append(host.Rules, rule)
			}
		}
	}
	r.misdirect(byHostname, served, port)
	var isolated []string
	for _, l := range port {
		if byHostname[l.hostname] == nil && taken(byHostname, l.hostname) {
			isolated = append(isolated, l.hostname)
		}
	}
	for _, hostname := range isolated {
		byHostname[hostname] = &model.Host{Hostname: hostname}
	}
	hosts := make([]model.Host, 0, len(byHostname))
	for _, hostname := range slices.Sorted(maps.Keys(byHostname)) {
		hosts = append(hosts, *byHostname[hostname])
	}
	return hosts
}

// owner is the listener that takes the requests for a hostname.
func owner(port []*listener, hostname string) *listener {
	var best *listener
	for _, l := range port {
		if covers(l.hostname, hostname) && (best == nil || moreSpecific(l.hostname, best.hostname)) {
			best = l
		}
	}
	return best
}

// taken tells whether a wider host would take the requests for a hostname.
func taken(hosts map[string]*model.Host, hostname string) bool {
	for wider := range hosts {
		if covers(wider, hostname) {
			return true
		}
	}
	return false
}

func (r *resolver) reportOwned(a attachment, l, owner *listener) {
	if owner.attached[a.route.Object] != nil || !r.once(diagnostic.HostnameIgnored, fmt.Sprint(a.route.Name, l.gateway.Name, l.chainName(), a.hostname)) {
		return
	}
	field := "spec.hostnames"
	if i := slices.Index(a.route.hostnames, a.own); i >= 0 {
		field = indexed(field, i)
	}
	r.warn(a.route.source, field, diagnostic.HostnameIgnored,
		fmt.Sprintf("requests for %s belong to listener %q of %s, which is more specific than %q: the route does not get them",
			a.hostname, owner.name, owner.owner(), l.name), "attach the route to that listener")
}
