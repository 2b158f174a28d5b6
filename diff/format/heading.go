package format

import (
	"fmt"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/report"
)

// Headline is the answer in one line that stands alone: "1 kind of request loses its backend, 3 move; nothing else
// changes". It holds numbers and words of ours only.
func Headline(r *report.Report) string {
	c := r.Counts
	parts := changes(c)
	said := strings.Join(parts, ", ")
	for _, rare := range []struct {
		n    int
		when string
	}{{c.Misdirected, " only over connections for another host"}, {c.OnlyRepeated, " only if a header is sent twice"}} {
		if rare.n > 0 {
			part := Plural(rare.n, "kind of request changes", "kinds of requests change") + rare.when
			parts = append(parts, part)
			said = strings.TrimPrefix(said+"; "+part, "; ")
		}
	}
	open := open(c)
	switch {
	case len(parts) == 0 && open != "":
		said = "no change found, but " + open
	case len(parts) == 0 && len(r.Gateways) == 0 && !hasUnchanged(r):
		said = "nothing to compare: no Gateway of either side has a route"
	case len(parts) == 0:
		said = "no request changes"
	case open != "":
		said += "; " + open
	default:
		said += "; nothing else changes"
	}
	if len(parts) == 0 && c.Effectless > 0 {
		said += fmt.Sprintf("; %s without effect", Plural(c.Effectless, "edit is", "edits are"))
	}
	return said
}

// open says of how much nothing is claimed, "" if everything is known.
func open(c report.Counts) string {
	var parts []string
	if n := c.Undecided - c.Targets; n > 0 {
		parts = append(parts, Plural(n, "region is", "regions are")+" not decided")
	}
	if c.Targets > 0 {
		parts = append(parts, Plural(c.Targets, "target is", "targets are")+" not compared")
	}
	if c.Uncompared > 0 {
		parts = append(parts, Plural(c.Uncompared, "edit is", "edits are")+" not compared")
	}
	return strings.Join(parts, ", and ")
}

// changes counts the kinds of requests, worst first; the noun stands in the first part only.
func changes(c report.Counts) []string {
	verbs := []struct {
		n         int
		one, many string
	}{
		{c.Lost, "loses its backend", "lose their backend"},
		{c.Moves, "moves", "move"},
		{c.Gained, "gains a backend", "gain a backend"},
		{c.Treated, "is treated differently", "are treated differently"},
		{c.Served, "is served differently", "are served differently"},
	}
	var parts []string
	for _, v := range verbs {
		if v.n == 0 {
			continue
		}
		one, many := v.one, v.many
		if len(parts) == 0 {
			one, many = "kind of request "+one, "kinds of requests "+many
		}
		parts = append(parts, Plural(v.n, one, many))
	}
	return parts
}

// Plural is "1 rule" or "3 rules".
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// compared is what was looked at: "214 rules on 31 hosts compared, every request decided".
func compared(r *report.Report) string {
	rules, hosts := 0, 0
	decided := len(r.Undecided) == 0
	for _, g := range r.Gateways {
		rules += g.Rules
		hosts += g.Hosts
		decided = decided && g.Decided
	}
	said := fmt.Sprintf("%s on %s compared", Plural(rules, "rule", "rules"), Plural(hosts, "host", "hosts"))
	if len(r.Gateways) == 0 && hasUnchanged(r) {
		said = "what they read is the same on both sides"
	}
	if decided {
		return said + ", every request decided"
	}
	return said + ", not every request decided"
}

// revision is what people call a side.
func revision(s report.Side) string {
	switch {
	case s.Label != "":
		return s.Label
	case s.Source != "":
		return s.Source
	}
	return s.Digest
}

// gatewayNames are what was compared, with what became of them, behind the targets that they are of.
func (w words) gatewayNames(r *report.Report) string {
	gateways := gatewaysByName(r, nil)
	names := make([]string, len(gateways))
	for i, g := range gateways {
		names[i] = w.code(g.Name)
		if g.Change != "" {
			names[i] += " (" + w.word(g.Change) + ")"
		}
	}
	noun := "gateway "
	if len(names) != 1 {
		noun = "gateways "
	}
	said := noun + w.some(names, ", ")
	if len(names) == 0 {
		said = "no gateway"
	}
	if targets := w.targetNames(r); targets != "" {
		if len(names) == 0 {
			return targets
		}
		return targets + w.between + said
	}
	return said
}

// hasUnchanged tells whether a target is known to be the same on both sides.
func hasUnchanged(r *report.Report) bool {
	return slices.ContainsFunc(r.Targets, func(t report.Target) bool { return t.State == report.TargetUnchanged })
}
