package diff

import (
	"cmp"
	"slices"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// Part is one target of several. Report is nil where there is nothing to say of it but its state.
type Part struct {
	Target report.Target
	Report *report.Report
}

// Join puts the reports of several targets into one. What several targets have in common is said once, with their names: clusters that
// share a base share what an edit of it does. The sides are those of the first report, with a digest over all.
func Join(parts []Part) *report.Report {
	joined := new(report.Report)
	var before, after []any
	for _, p := range parts {
		joined.Targets = append(joined.Targets, p.Target)
		if p.Report == nil {
			continue
		}
		r, target := p.Report, p.Target.Name
		if joined.Before.Source == "" {
			joined.Before, joined.After, joined.Tool = r.Before, r.After, r.Tool
		}
		before, after = append(before, target, r.Before.Digest), append(after, target, r.After.Digest)
		joined.Refactored += r.Refactored
		for _, g := range r.Gateways {
			g.Target = target
			joined.Gateways = append(joined.Gateways, g)
		}
		for _, s := range r.Sources {
			s.Target = target
			joined.Sources = append(joined.Sources, s)
		}
	}
	joined.Before.Digest, joined.After.Digest = report.Digest(before...), report.Digest(after...)
	joined.Before.Order, joined.After.Order = commonOrder(parts), commonOrder(parts)
	joinFindings(joined, parts)
	joined.Count()
	return joined
}

// commonOrder is the dialect of all targets that were read, "" if they differ.
func commonOrder(parts []Part) string {
	order := ""
	for _, p := range parts {
		if order != "" && p.Target.Order != "" && p.Target.Order != order {
			return ""
		}
		order = cmp.Or(order, p.Target.Order)
	}
	return order
}

func joinFindings(joined *report.Report, parts []Part) {
	joined.Classes = joinClasses(parts)
	joined.Effectless = joinList(parts, func(r *report.Report) []report.Effectless { return r.Effectless }, func(e *report.Effectless) *[]string { return &e.Targets })
	joined.Undecided = joinList(parts, func(r *report.Report) []report.Undecided { return r.Undecided }, func(u *report.Undecided) *[]string { return &u.Targets })
	joined.Uncompared = joinList(parts, func(r *report.Report) []report.Uncompared { return r.Uncompared }, func(u *report.Uncompared) *[]string { return &u.Targets })
	joined.Caveats = joinList(parts, func(r *report.Report) []report.Caveat { return r.Caveats }, func(c *report.Caveat) *[]string { return &c.Targets })
	joined.Diagnostics = joinList(parts, func(r *report.Report) []report.Diagnostic { return r.Diagnostics }, func(d *report.Diagnostic) *[]string { return &d.Targets })
}

// joinClasses says classes once that a reader could not tell apart but by the places of their edits: overlays that make the same edit
// each in a file of its own.
func joinClasses(parts []Part) []report.Class {
	var all []report.Class
	at := map[string]int{}
	for _, p := range parts {
		if p.Report == nil {
			continue
		}
		for _, c := range p.Report.Classes {
			key := report.Digest(c.ID, c.Flows, c.MoreOutcomes, c.OnlyRepeated, c.Misdirected, c.Traffic, unplaced(c.Causes), rungOf(c))
			first, seen := at[key]
			if !seen {
				at[key] = len(all)
				c.Targets = []string{p.Target.Name}
				all = append(all, c)
				continue
			}
			all[first].Targets = append(all[first].Targets, p.Target.Name)
			all[first].Alike = appendAlike(all[first], c.Causes)
		}
	}
	slices.SortStableFunc(all, compareClasses)
	return all
}

// unplaced leaves out of causes where they stand.
func unplaced(causes []report.Cause) []report.Cause {
	out := anywhere(causes)
	for i := range out {
		out[i].Position = diagnostic.Position{}
	}
	return out
}

// rungOf is how the winner of a class wins.
func rungOf(c report.Class) string {
	if c.Why == nil {
		return ""
	}
	return c.Why.Rung + " " + c.Why.Detail
}

// appendAlike adds the edits that stand at other places than those that are known already.
func appendAlike(c report.Class, causes []report.Cause) []report.Cause {
	alike := c.Alike
	for _, cause := range causes {
		if !slices.Contains(c.Causes, cause) && !slices.Contains(alike, cause) {
			alike = append(alike, cause)
		}
	}
	return alike
}

// joinList keeps findings that are the same in several targets once. targets is the field that names these.
func joinList[T any](parts []Part, list func(*report.Report) []T, targets func(*T) *[]string) []T {
	var all []T
	at := map[string]int{}
	for _, p := range parts {
		if p.Report == nil {
			continue
		}
		for _, one := range list(p.Report) {
			*targets(&one) = nil
			key := report.Digest(one)
			first, seen := at[key]
			if !seen {
				first, at[key] = len(all), len(all)
				all = append(all, one)
			}
			if names := targets(&all[first]); !slices.Contains(*names, p.Target.Name) {
				*names = append(*names, p.Target.Name)
			}
		}
	}
	return all
}
