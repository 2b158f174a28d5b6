package diff_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routedelta/routedelta/diff"
	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// movedAt is a class of the requests to a host, moved by an edit at a place.
func movedAt(host, file string) report.Class {
	c := report.Class{
		Gateways: []string{"infra/public"}, Severity: report.Moves,
		Areas:  []report.Area{{Hosts: class.Terms{Include: []class.Term{{Kind: class.TermExact, Value: host}}}}},
		Causes: []report.Cause{{Edit: "changed", Kind: "HTTPRoute", Name: "shop", Position: diagnostic.Position{File: file, Line: 3}}},
	}
	c.SetID()
	return c
}

func part(name, order string, state report.TargetState, r *report.Report) diff.Part {
	return diff.Part{Target: report.Target{Name: name, Order: order, State: state}, Report: r}
}

// TestJoin: what targets have in common is said once, with their names; everything else keeps its own.
func TestJoin(t *testing.T) {
	gateway := []report.Gateway{{Name: "infra/public", Rules: 3, Hosts: 1, Decided: true}}
	joined := diff.Join([]diff.Part{
		part("dev", "istio", report.TargetCompared, &report.Report{
			Gateways: gateway, Classes: []report.Class{movedAt("shop.example", "base.yaml"), movedAt("dev.example", "dev.yaml")},
			Effectless: []report.Effectless{{Reason: "covered"}}, Refactored: 1,
		}),
		part("prod", "istio", report.TargetCompared, &report.Report{
			Gateways: gateway, Classes: []report.Class{movedAt("shop.example", "base.yaml")}, Effectless: []report.Effectless{{Reason: "covered"}}, Refactored: 2,
		}),
		part("edge", "istio", report.TargetCompared, &report.Report{Classes: []report.Class{movedAt("shop.example", "edge.yaml")}}),
		part("lab", "istio", report.TargetUnchanged, nil),
		part("test", "istio", report.TargetUndecided, &report.Report{Undecided: []report.Undecided{{Reason: "no"}}}),
	})
	var said []string
	for _, c := range joined.Classes {
		line := c.Areas[0].Hosts.Include[0].Value + " in " + strings.Join(c.Targets, ", ")
		for _, cause := range c.Alike {
			line += "; alike " + cause.Position.File
		}
		said = append(said, line)
	}
	if want := []string{"dev.example in dev", "shop.example in dev, prod, edge; alike edge.yaml"}; !slices.Equal(said, want) {
		t.Errorf("classes:\n%s\nwant\n%s", strings.Join(said, "\n"), strings.Join(want, "\n"))
	}
	if got := joined.Effectless[0].Targets; len(joined.Effectless) != 1 || !slices.Equal(got, []string{"dev", "prod"}) {
		t.Errorf("edits without effect: %+v", joined.Effectless)
	}
	if got := joined.Undecided[0].Targets; !slices.Equal(got, []string{"test"}) {
		t.Errorf("undecided in %v", got)
	}
	if got := []string{joined.Gateways[0].Target, joined.Gateways[1].Target}; !slices.Equal(got, []string{"dev", "prod"}) {
		t.Errorf("gateways of %v", got)
	}
	if want := (report.Counts{Moves: 2, Effectless: 1, Undecided: 1, Targets: 1}); joined.Counts != want || joined.Refactored != 3 || joined.After.Order != "istio" {
		t.Errorf("counts %+v, refactored %d, order %q: %s", joined.Counts, joined.Refactored, joined.After.Order, cmp.Diff(want, joined.Counts))
	}
}

// TestJoinKeepsOrdersApart: a report over two dialects has none.
func TestJoinKeepsOrdersApart(t *testing.T) {
	joined := diff.Join([]diff.Part{part("a", "istio", report.TargetUnchanged, nil), part("b", "contour", report.TargetUnchanged, nil)})
	if joined.Before.Order != "" || joined.Targets[1].Order != "contour" {
		t.Errorf("order %q of %+v", joined.Before.Order, joined.Targets)
	}
}
