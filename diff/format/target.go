package format

import (
	"fmt"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/report"
)

// targetNames are the targets that were compared, and how many were not: "targets `dev` and `prod` (10 more are unchanged)". It is "" for a
// report of no targets.
func (w words) targetNames(r *report.Report) string {
	var compared []string
	counts := map[report.TargetState]int{}
	for _, t := range r.Targets {
		counts[t.State]++
		if t.State == report.TargetCompared {
			compared = append(compared, w.code(t.Name))
		}
	}
	if len(r.Targets) == 0 {
		return ""
	}
	if len(compared) == 0 && counts[report.TargetUndecided] == 0 {
		return Plural(len(r.Targets), "target, unchanged", "targets, all unchanged")
	}
	said := "targets " + w.some(compared, ", ")
	switch len(compared) {
	case 0:
		said = "no target"
	case 1:
		said = "target " + compared[0]
	}
	rest := joined(more(counts[report.TargetUnchanged], "unchanged"), more(counts[report.TargetUndecided], "not compared"))
	if rest != "" {
		said += " (" + rest + ")"
	}
	return said
}

// more is "2 more are unchanged", "" for none.
func more(n int, what string) string {
	if n == 0 {
		return ""
	}
	return Plural(n, "more is ", "more are ") + what
}

// inTargets says in which targets a finding is so, where the report has several: "in `dev` and `prod`".
func (w words) inTargets(r *report.Report, names []string) string {
	switch {
	case len(r.Targets) < 2 || len(names) == 0:
		return ""
	case len(names) == 2 && len(r.Targets) == 2:
		return "in both targets"
	case len(names) == len(r.Targets):
		return fmt.Sprintf("in all %d targets", len(names))
	}
	said := each(names, w.code)
	if last := len(said) - 1; last > 0 && len(said) <= w.items {
		return "in " + strings.Join(said[:last], ", ") + " and " + said[last]
	}
	return "in " + w.some(said, ", ")
}

// scoped adds to a finding in which targets it is so.
func (w words) scoped(r *report.Report, names []string, said string) string {
	if where := w.inTargets(r, names); where != "" {
		return said + " (" + where + ")"
	}
	return said
}

// where names the targets, the gateways and the listener of a class: targets where the report has others too, gateways where its targets
// have: "in `prod`, `infra/public`, port 443".
func (w words) where(r *report.Report, c report.Class) string {
	var parts []string
	if targets := w.inTargets(r, c.Targets); targets != "" {
		parts = append(parts, targets)
	}
	if len(gatewaysByName(r, c.Targets)) > len(c.Gateways) && len(c.Gateways) > 0 {
		parts = append(parts, w.some(each(c.Gateways, w.code), " and "))
	}
	if c.Listener != "" {
		parts = append(parts, w.word(c.Listener))
	}
	return strings.Join(parts, ", ")
}

// regionOf says of what an undecided region is a part.
func (w words) regionOf(r *report.Report, u report.Undecided) string {
	var gateways []string
	if u.Gateway != "" {
		gateways = []string{u.Gateway}
	}
	return w.where(r, report.Class{Targets: u.Targets, Gateways: gateways})
}

// regionPlace is regionOf where there is room for more than what tells regions apart.
func (w words) regionPlace(r *report.Report, u report.Undecided) string {
	parts := each(u.Targets, w.code)
	if u.Gateway != "" {
		parts = append(parts, w.code(u.Gateway))
	}
	return w.some(parts, ", ")
}

// region is the area of an undecided region. That of no Gateway is all of a target.
func (w words) region(r *report.Report, u report.Undecided) string {
	said := w.area(u.Area)
	if u.Gateway == "" && len(u.Targets) > 0 {
		return w.strong("all") + " of " + strings.Join(each(u.Targets, w.code), ", ")
	}
	if where := w.regionOf(r, u); where != "" {
		said += " (" + where + ")"
	}
	return said
}

// gatewaysByName are the gateways of some targets, all if none is named; those of one name in several targets once, with what became of
// them if that is the same in all.
func gatewaysByName(r *report.Report, targets []string) []report.Gateway {
	var found []report.Gateway
	for _, g := range r.Gateways {
		if len(targets) > 0 && !slices.Contains(targets, g.Target) && g.Target != "" {
			continue
		}
		at := slices.IndexFunc(found, func(other report.Gateway) bool { return other.Name == g.Name })
		switch {
		case at < 0:
			found = append(found, g)
		case found[at].Change != g.Change:
			found[at].Change = ""
		}
	}
	return found
}
