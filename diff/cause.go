package diff

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
)

// cause says which edit is behind a class, as far as Envoy's files tell: the object comes from the metadata of the route.
// Lines, and the numbers of rules, are added by who has the manifests.
func cause(p pair, e class.Edit) report.Cause {
	e = atHost(p, e)
	before, after := ruleOf(p.before, e.Before), ruleOf(p.after, e.After)
	c := report.Cause{Edit: string(e.Kind), Side: string(After), Detail: detail(e, before, after)}
	rule := after
	if rule == nil {
		rule = before
		c.Side = string(Before)
	}
	if e.Kind == class.HostAdded {
		c.Side = string(After)
	}
	if rule == nil {
		return c
	}
	c.Kind, c.Namespace, c.Name, c.RuleName = rule.Origin.Kind, rule.Origin.Namespace, rule.Origin.Name, rule.Origin.Rule
	if c.Name == "" {
		nameInTable(&c, rule, hostOfEdit(p, e))
	}
	return c
}

// nameInTable names a rule of which the files tell no manifest: by its route name, or its number, and by its virtual host.
func nameInTable(c *report.Cause, rule *table.Rule, host *table.Host) {
	c.RuleName, c.Rule, c.VirtualHost = rule.Name, rule.Index+1, host.Name
	if c.VirtualHost == "" && len(host.Domains) > 0 {
		c.VirtualHost = host.Domains[0]
	}
}

// hostOfEdit is the virtual host of the rule that an edit is named by: the later one.
func hostOfEdit(p pair, e class.Edit) *table.Host {
	if e.After != nil {
		return &p.after.Hosts[e.After.Host]
	}
	return &p.before.Hosts[e.Before.Host]
}

// atHost gives an edit of a whole host the first rule of that host: it leads to the object that brought or took the host.
func atHost(p pair, e class.Edit) class.Edit {
	switch e.Kind {
	case class.HostAdded:
		e.After = firstRule(p.after, e.Domain)
	case class.HostRemoved:
		e.Before = firstRule(p.before, e.Domain)
	}
	return e
}

func firstRule(t *table.Table, domain string) *class.RuleRef {
	for i, host := range t.Hosts {
		if len(host.Rules) > 0 && slices.Contains(host.Domains, domain) {
			return &class.RuleRef{Host: i}
		}
	}
	return nil
}

// detail is what the columns of before and after do not say: the old match, the weights, the host.
func detail(e class.Edit, before, after *table.Rule) string {
	switch {
	case e.Domain != "":
		return strconv.Quote(e.Domain)
	case e.Kind == class.OptionsChanged:
		return e.Options
	case e.Kind != class.Changed || before == nil || after == nil:
		return ""
	}
	var parts []string
	if e.MatchChanged {
		parts = append(parts, "its match was "+strconv.Quote(ruleMatch(before)))
	}
	if w := weights(before.Outcome, after.Outcome); w != "" {
		parts = append(parts, w)
	}
	if !e.MatchChanged && !e.OutcomeChanged && !e.TreatmentChanged {
		parts = append(parts, "its weights have another order or sum, which counts where a chance is drawn")
	}
	return strings.Join(parts, ", ")
}

// weights is "weights 90/10 → 80/20" for two outcomes that share the same backends otherwise.
func weights(before, after table.Outcome) string {
	if before.Kind != table.ToBackends || after.Kind != table.ToBackends || !summable(before) || !summable(after) {
		return ""
	}
	was, is := weightOf(before.Backends), weightOf(after.Backends)
	var backends []table.Backend
	for backend := range was {
		backends = append(backends, backend)
	}
	for backend := range is {
		if _, seen := was[backend]; !seen {
			backends = append(backends, backend)
		}
	}
	same := len(was) == len(is) && len(backends) == len(was)
	grown := len(backends) > 1 && (len(was) == len(backends) || len(is) == len(backends))
	if len(backends) < 2 || len(backends) > 4 || !same && !grown {
		return ""
	}
	slices.SortFunc(backends, func(a, b table.Backend) int {
		if was[a] != was[b] {
			if was[a] > was[b] {
				return -1
			}
			return 1
		}
		return compareBackends(a, b)
	})
	if !otherShares(was, is, before.Total, after.Total) {
		return ""
	}
	return "weights " + ratio(backends, before) + " → " + ratio(backends, after)
}

// otherShares tells whether any backend has another share of the requests than before.
func otherShares(was, is map[table.Backend]uint64, total, newTotal uint64) bool {
	for b := range is {
		if was[b]*newTotal != is[b]*total {
			return true
		}
	}
	return len(was) != len(is)
}

// summable tells whether products of weights fit: Envoy refuses weights that sum to more than 32 bits, so all that it loads are.
func summable(o table.Outcome) bool { return o.Total > 0 && o.Total <= math.MaxUint32 }

// weightOf each backend, treatments put together.
func weightOf(shares []table.Share) map[table.Backend]uint64 {
	weights := map[table.Backend]uint64{}
	for _, s := range shares {
		weights[s.Backend] += s.Weight
	}
	return weights
}

// ratio is "90/10", as the file has it; without weights that count it is "100/0".
func ratio(backends []table.Backend, o table.Outcome) string {
	parts := map[table.Backend]uint64{}
	switch {
	case len(o.Backends) == 1:
		parts[o.Backends[0].Backend] = 100
	case o.Draw != nil:
		parts = weightOf(o.Draw)
	default:
		parts = weightOf(o.Backends)
	}
	words := make([]string, len(backends))
	for i, b := range backends {
		words[i] = strconv.FormatUint(parts[b], 10)
	}
	return strings.Join(words, "/")
}
