package diff

import (
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
)

// classes says the classes of two tables in the report's types.
func (c *gatewayComparison) classes(p pair, result *class.Result) {
	for i := range result.Classes {
		k := &result.Classes[i]
		c.found = append(c.found, c.class(p, k, result.Edits))
	}
}

func (c *gatewayComparison) class(p pair, k *class.Class, edits []class.Edit) found {
	out := report.Class{
		Gateways:     []string{c.gateway.name},
		Severity:     report.Treated,
		Areas:        areas(k.Areas),
		Before:       k.Before,
		After:        k.After,
		Why:          why(p, k),
		OnlyRepeated: k.OnlyRepeated,
		MoreOutcomes: k.MoreOutcomes,
	}
	out.Before, out.After = c.withTLS(k.Before, k.After)
	p.nameTraffic(&out)
	out.Listener = p.label(out.Areas)
	switch out.Misdirected = p.misdirected(out.Areas); {
	case out.Misdirected:
		// Whoever is told that a request belongs to another connection opens one.
		out.Severity = report.Served
	case k.Facet == class.FacetBackend:
		out.Severity = severity(k.Before, k.After)
	}
	if len(k.Before) == 1 && len(k.After) == 1 && !k.MoreOutcomes {
		out.Flows = partialFlows(k.Before[0], k.After[0])
	}
	out.Witnesses = p.witnesses(p.called(k, p.naturally(k)), out.Areas, k.Before[0], k.After[0])
	trace := ClassTrace{
		WinnerBefore: ruleAt(Before, p.before, k.WinnerBefore),
		Winner:       ruleAt(After, p.after, k.WinnerAfter),
		RunnerUp:     ruleAt(After, p.after, k.RunnerUp),
	}
	for _, e := range k.Edits {
		out.Causes = append(out.Causes, cause(p, edits[e]))
		trace.Edits = append(trace.Edits, editTrace(p, edits[e]))
	}
	return found{class: out, trace: trace}
}

// called gives a request of a GRPCRoute a method to call, where it has a service alone: no client calls that.
func (p pair) called(k *class.Class, request table.Request) table.Request {
	for _, rule := range []*table.Rule{ruleOf(p.before, k.WinnerBefore), ruleOf(p.after, k.WinnerAfter)} {
		if rule != nil && rule.Origin.Kind == report.GRPCRoute && strings.Count(request.Path, "/") == 1 && !strings.Contains(request.Path, "?") {
			whole := request
			whole.Path += "/Method"
			if p.shows(k, whole) {
				return whole
			}
		}
	}
	return request
}

// partialFlows are the flows where they say more than the two outcomes do.
func partialFlows(before, after table.Outcome) []report.Flow {
	f := flows(before, after)
	if len(f) == 1 && f[0].Part == f[0].Whole {
		return nil
	}
	return f
}

// why names the winner and the runner-up. On which rung the first wins is not known here: that takes the manifests.
func why(p pair, k *class.Class) *report.Why {
	winner := ruleOf(p.after, k.WinnerAfter)
	if winner == nil {
		return nil
	}
	return &report.Why{Winner: ruleLabel(winner), RunnerUp: ruleLabel(ruleOf(p.after, k.RunnerUp))}
}

// ruleLabel names a rule as far as Envoy's files tell.
func ruleLabel(r *table.Rule) report.RuleLabel {
	if r == nil {
		return report.RuleLabel{}
	}
	label := report.RuleLabel{Kind: r.Origin.Kind, Namespace: r.Origin.Namespace, Name: r.Origin.Name, RuleName: r.Origin.Rule, Match: ruleMatch(r)}
	if label.Name == "" {
		// A file that says nothing of its origin has names of its own.
		label.RuleName = r.Name
	}
	return label
}

// undecidedRegions keeps what class could not decide.
func (c *gatewayComparison) undecidedRegions(p pair, result *class.Result) {
	for i := range result.Undecided {
		u := &result.Undecided[i]
		c.undecided = true
		region := report.Undecided{Gateway: c.gateway.name, Area: area(u.Area), Reason: u.Reason}
		for _, sample := range u.Samples {
			before, after := p.before.Evaluate(sample), p.after.Evaluate(sample)
			region.Samples = append(region.Samples, p.witness(sample, []report.Area{region.Area}, before.Outcome, after.Outcome))
		}
		// The same region of two listeners is said once.
		if !slices.ContainsFunc(c.comparison.undecided, func(o report.Undecided) bool { return sameRegion(o, region) }) {
			c.comparison.undecided = append(c.comparison.undecided, region)
		}
	}
}

func sameRegion(a, b report.Undecided) bool {
	return a.Gateway == b.Gateway && a.Reason == b.Reason && report.Digest(a.Area) == report.Digest(b.Area)
}
