package policy

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/plugin/config"
)

// class says how a class breaks a rule, in one sentence without its full stop; "" if it does not.
//
// Requests that no ordinary client sends (a header twice, a connection for another host) count for the rules that keep somebody out, since an
// attacker sends what he likes, and for no other.
func (j *judgement) class(rule string, c *report.Class) string {
	requests := requestsTo(c.Areas)
	switch ordinary := !c.OnlyRepeated && !c.Misdirected; {
	case rule == config.SecurityRemoved:
		if lost := report.ProtectionsLost(c); len(lost) > 0 {
			return requests + " are not protected any more by " + quotedList(lost)
		}
	case rule == config.NamespaceCrossed:
		if namespaces := namespacesEntered(c); len(namespaces) > 0 {
			return requests + " move to a backend in namespace " + quotedList(namespaces)
		}
	case !ordinary:
	case rule == config.BackendLost && c.Severity == report.Lost:
		return requests + " lose their backend"
	case rule == config.NotFoundAdded && notFoundAdded(c):
		return requests + " get 404"
	case rule == config.HostLost && hostLost(c):
		return requests + " are not served any more"
	case rule == config.MovedShare && (c.Severity == report.Moves || c.Severity == report.Lost):
		if share := movedShare(c); share.Cmp(percent(j.policy.MaxMovedShare)) > 0 {
			return fmt.Sprintf("%s move, %s %% of them at once where %d %% may", requests, report.Percent(share), j.policy.MaxMovedShare)
		}
	}
	return ""
}

// notFoundAdded tells whether requests that were answered in another way get 404. A listener that is new answered nothing before.
func notFoundAdded(c *report.Class) bool {
	if len(c.Flows) > 0 {
		return slices.ContainsFunc(c.Flows, func(f report.Flow) bool { return isNotFound(f.To) && isAnswered(f.From) && !isNotFound(f.From) })
	}
	was := report.Destinations(c.Before)
	return slices.ContainsFunc(was, isAnswered) && !slices.ContainsFunc(was, isNotFound) &&
		slices.ContainsFunc(report.Destinations(c.After), isNotFound)
}

func isNotFound(o table.Outcome) bool {
	switch o.Kind {
	case table.NoRoute:
		return true
	case table.Answered:
		return o.Status == 404
	case table.ToBackends:
		return len(o.Backends) == 1 && o.Backends[0].Backend.Status == 404
	}
	return false
}

func isAnswered(o table.Outcome) bool { return o.Kind != report.NotServed && o.Kind != "" }

// hostLost tells whether a host is not served any more by a listener that served it: the listener is gone, or the name is in none of its
// routes. A rule of a host that goes while the host stays is none.
func hostLost(c *report.Class) bool {
	if c.Severity != report.Lost {
		return false
	}
	unserved := func(o table.Outcome) bool { return o.Kind == report.NotServed }
	if slices.ContainsFunc(c.After, unserved) {
		return true
	}
	return slices.ContainsFunc(c.Causes, func(cause report.Cause) bool {
		switch cause.Edit {
		case "host removed", "server name removed", "listener removed", "scope removed", "gateway removed":
			return slices.ContainsFunc(report.Destinations(c.After), isNotFound)
		}
		return false
	})
}

// movedShare is the part of the requests of a class that goes elsewhere. What is lost of a class that loses some goes nowhere.
func movedShare(c *report.Class) *big.Rat {
	share := new(big.Rat)
	if len(c.Flows) == 0 || c.Flows[0].Whole == 0 {
		if c.Severity == report.Lost && !slices.ContainsFunc(report.Destinations(c.After), servedAnew(c)) {
			return share
		}
		return big.NewRat(1, 1)
	}
	for _, f := range c.Flows {
		if c.Severity == report.Lost && report.Fails(f.To) {
			continue
		}
		share.Add(share, new(big.Rat).SetFrac(new(big.Int).SetUint64(f.Part), new(big.Int).SetUint64(f.Whole)))
	}
	return share
}

// servedAnew tells whether requests are served by a destination that a class did not have.
func servedAnew(c *report.Class) func(table.Outcome) bool {
	was := report.Destinations(c.Before)
	return func(is table.Outcome) bool {
		return !report.Fails(is) && !slices.ContainsFunc(was, func(o table.Outcome) bool { return table.SameBackends(o, is) })
	}
}

func percent(n int) *big.Rat { return big.NewRat(int64(n), 100) }

// namespacesEntered are the namespaces of backends that requests move to from a backend of another namespace, sorted.
func namespacesEntered(c *report.Class) []string {
	var entered []string
	for _, f := range c.Flows {
		from, to := namespaces([]table.Outcome{f.From}), namespaces([]table.Outcome{f.To})
		if len(from) > 0 {
			entered = append(entered, without(to, from)...)
		}
	}
	if was := namespaces(c.Before); len(c.Flows) == 0 && len(was) > 0 {
		entered = without(namespaces(c.After), was)
	}
	slices.Sort(entered)
	return slices.Compact(entered)
}

// namespaces are those of the backends of outcomes, each once, sorted. A backend that is known by its cluster only has none.
func namespaces(outcomes []table.Outcome) []string {
	var found []string
	for _, o := range report.Destinations(outcomes) {
		for _, share := range o.Backends {
			if share.Backend.Namespace != "" && share.Backend.Status == 0 {
				found = append(found, share.Backend.Namespace)
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func without(list, others []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(others, s) })
}
