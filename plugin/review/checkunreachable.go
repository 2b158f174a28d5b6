package review

import (
	"fmt"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/check"
	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// unreachable says what keeps every request away from a rule.
func unreachable(at check.Place, reason string) string {
	rule := at.Get()
	switch class.DeadReason(reason) {
	case class.DeadHost:
		return unreachableHost(at)
	case class.DeadChance:
		return noChance(rule)
	case class.DeadPath:
		return unreachablePath(rule.Path)
	}
	return "its conditions exclude each other, or ask for a value that no client can send"
}

// unreachableHost: Envoy does not load a configuration in which two virtual hosts have one domain; it may be there all the same,
// in files.
func unreachableHost(at check.Place) string {
	for h := range at.Table.Hosts[:at.Host] {
		other := &at.Table.Hosts[h]
		if slices.ContainsFunc(at.Domains(), func(domain string) bool { return slices.Contains(other.Domains, domain) }) {
			return fmt.Sprintf("virtual host %q has its domains already, and Envoy does not load two with one domain", diagnostic.Clip(other.Name))
		}
	}
	return "no host that a client can send leads to its virtual host"
}

func noChance(rule *table.Rule) string {
	switch {
	case len(rule.Never) > 0:
		return fmt.Sprintf("none that comes here has its condition %s", diagnostic.Clip(rule.Never[0]))
	case rule.Chance != nil && rule.Chance.RuntimeKey != "":
		return fmt.Sprintf("it takes 0%% of what it matches, unless an operator sets the runtime key %q", diagnostic.Clip(rule.Chance.RuntimeKey))
	}
	return "it takes 0% of what it matches"
}

func unreachablePath(path table.Path) string {
	literal := path.Kind != table.PathRegex
	switch {
	case literal && path.Value != "" && !strings.HasPrefix(path.Value, "/"):
		return "its path does not begin with a slash, as each path of a request does"
	case literal && strings.Contains(path.Value, "?"):
		return "its path holds a query, which is not part of the path that routes are compared with"
	}
	return "no path that it matches reaches the router, which sees paths after they are normalised and without the query"
}
