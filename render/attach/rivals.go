package attach

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/model"
	"github.com/routedelta/routedelta/render/status"
)

// winner is the route that gets the connections for a hostname of a listener. Of several, "a more specific match is given
// precedence", then the oldest, then the first by name ("Conflicts", Gateway API design guide). The others stay attached.
func (r *resolver) winner(l *listener, hostname string, rivals []attachment) *route {
	slices.SortStableFunc(rivals, func(a, b attachment) int {
		return cmp.Or(compareSpecific(a.own, b.own), a.route.age.Compare(b.route.age), compareNames(a.route, b.route))
	})
	for _, loser := range rivals[1:] {
		r.reportOutdone(l, hostname, rivals[0], loser)
	}
	return rivals[0].route
}

func compareSpecific(a, b string) int {
	switch {
	case moreSpecific(a, b):
		return -1
	case moreSpecific(b, a):
		return 1
	}
	return 0
}

func compareNames(a, b *route) int {
	return cmp.Or(cmp.Compare(a.Name.String(), b.Name.String()), cmp.Compare(a.Kind, b.Kind))
}

// outdone is a route that another one takes a listener from, in the words of a status.
type outdone struct {
	gateway       model.Name
	winner, loser diagnostic.Object
	message       string
}

// addOverlaps writes the condition RouteRulesOverlap for both.
func (r *resolver) addOverlaps(report *status.Status) {
	byGateway := map[model.Name]map[diagnostic.Object][]string{}
	for _, o := range r.outdone {
		messages := byGateway[o.gateway]
		if messages == nil {
			messages = map[diagnostic.Object][]string{}
			byGateway[o.gateway] = messages
		}
		messages[o.winner] = append(messages[o.winner], o.message)
		messages[o.loser] = append(messages[o.loser], o.message)
	}
	for gateway, messages := range byGateway {
		report.AddOverlaps(gateway, func(kind string, route model.Name) string {
			all := messages[diagnostic.Object{Kind: kind, Namespace: route.Namespace, Name: route.Name}]
			return strings.Join(all[:min(len(all), maxListed)], ", ")
		})
	}
}

// maxListed bounds what one message lists.
const maxListed = 5

// reportOutdone says what a reader of the loser should know: it is accepted, and nothing reaches its backends.
func (r *resolver) reportOutdone(l *listener, hostname string, winner, loser attachment) {
	code, reason, hint := diagnostic.Duplicate, fmt.Sprintf("%s is more specific than %s", winner.own, loser.own), ""
	switch {
	case winner.own != loser.own && compareSpecific(winner.own, loser.own) != 0:
	case winner.route.age.Compare(loser.route.age) != 0:
		code, reason = diagnostic.DecidedByAge, "it is older"
		hint = "only the age decides: a cluster that is rebuilt gives all routes new ages, which can reverse it"
	default:
		code, reason = diagnostic.DecidedByName, "its name comes first"
		hint = "only the name decides, as both routes have one age or none that is known"
	}
	r.outdone = append(r.outdone, outdone{l.gateway.Name, winner.route.Object, loser.route.Object,
		fmt.Sprintf("%s wins over %s on listener %s%s", winner.route.Object, loser.route.Object, l.name, forHostname(hostname))})
	message := fmt.Sprintf("listener %q of Gateway %s gives what comes%s to %s, since %s: nothing gets here",
		l.name, l.gateway.Name, forHostname(hostname), winner.route.Object, reason)
	r.warn(loser.route.source, "spec.rules[0]", code, message, hint)
}

func forHostname(hostname string) string {
	if hostname == anyHostname {
		return ""
	}
	return " for " + hostname
}
