package format

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
)

// changeOf is a class of one host and some paths, "!" before those that it leaves out.
func changeOf(severity report.Severity, host string, paths ...string) report.Class {
	area := report.Area{Hosts: class.Terms{Include: []class.Term{{Kind: class.TermExact, Value: host}}}}
	for _, path := range paths {
		value, kept := strings.CutPrefix(path, "!")
		term := class.Term{Kind: class.TermSegments, Value: value}
		if kept {
			area.Paths.Exclude = append(area.Paths.Exclude, term)
			continue
		}
		area.Paths.Include = append(area.Paths.Include, term)
	}
	return report.Class{
		Severity: severity, Gateways: []string{"infra/public"}, Areas: []report.Area{area},
		Before: []table.Outcome{{Kind: table.NoRoute}}, After: []table.Outcome{{Kind: table.Answered, Status: 500}},
	}
}

// outline draws a map as text: two blanks a level, severities behind the paths.
func outline(m routeMap) string {
	var b strings.Builder
	severities := func(cells []mapCell) (said string) {
		for _, c := range cells {
			said += " " + c.Severity
		}
		return said
	}
	plain := func(all []run) (said string) {
		for _, r := range all {
			said += r.Text
		}
		return said
	}
	var draw func(nodes []*mapNode, indent string)
	draw = func(nodes []*mapNode, indent string) {
		for _, n := range nodes {
			b.WriteString(indent + plain(n.Path) + severities(n.Cells) + "\n")
			draw(n.Children, indent+"  ")
		}
	}
	for _, p := range m.Places {
		for _, row := range p.Rows {
			hosts := make([]string, len(row.Hosts))
			for i, h := range row.Hosts {
				hosts[i] = plain(h)
			}
			fmt.Fprintf(&b, "%s +%d%s\n", strings.Join(hosts, " "), row.MoreHosts, severities(row.Here))
			draw(row.Paths, "  ")
		}
	}
	return b.String()
}

func TestMapNestsPaths(t *testing.T) {
	r := &report.Report{Gateways: []report.Gateway{{Name: "infra/public", Decided: true}}}
	r.Classes = []report.Class{
		changeOf(report.Lost, "a.example", "/api/v2/export"),
		changeOf(report.Lost, "b.example", "/legacy"),
		changeOf(report.Moves, "a.example", "/api", "!/api/v2", "!/api/v3"),
		changeOf(report.Moves, "a.example", "/apis"),
		changeOf(report.Treated, "a.example", "/"),
		changeOf(report.Treated, "a.example", "/api/v3"),
	}
	r.Undecided = []report.Undecided{{Gateway: "infra/public", Area: r.Classes[1].Areas[0], Reason: "too many states"}}
	want := `a.example +0 treated
  /api/* moves
    /api/v2/*
      /api/v2/export/* lost
    /api/v3/* treated
  /apis/* moves
b.example +0
  /legacy/* lost undecided
`
	if diff := cmp.Diff(want, outline(makeMap(r, htmlWords(r)))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestMapMergesHosts in which the very same happens, and no others.
func TestMapMergesHosts(t *testing.T) {
	c := changeOf(report.Lost, "a.example", "/x")
	for _, host := range strings.Fields("b c d e f g") {
		c.Areas[0].Hosts.Include = append(c.Areas[0].Hosts.Include, class.Term{Kind: class.TermExact, Value: host})
	}
	r := &report.Report{Classes: []report.Class{c, changeOf(report.Moves, "c", "/y")}}
	want := "a.example b d e f +1\n  /x/* lost\nc +0\n  /x/* lost\n  /y/* moves\n"
	if diff := cmp.Diff(want, outline(makeMap(r, htmlWords(r)))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestMapIsBounded: a report that nobody can look through makes a page that says so, soon.
func TestMapIsBounded(t *testing.T) {
	r := &report.Report{Gateways: []report.Gateway{{Name: "infra/public", Decided: true}}}
	wide := changeOf(report.Lost, "a.example", "/")
	wide.Areas[0].Paths.Include = nil
	for i := range 3000 {
		wide.Areas[0].Hosts.Include = append(wide.Areas[0].Hosts.Include, class.Term{Kind: class.TermExact, Value: fmt.Sprint("h", i)})
		wide.Areas[0].Paths.Include = append(wide.Areas[0].Paths.Include, class.Term{Kind: class.TermSegments, Value: fmt.Sprint("/p", i)})
	}
	for range 50 {
		r.Classes = append(r.Classes, wide)
	}
	start := time.Now()
	m := makeMap(r, htmlWords(r))
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %s", took)
	}
	if !m.Partial || restOfMap(r, m.Partial) != "More changes than the map holds: the list below has all." {
		t.Errorf("the map does not say that it is not whole: %v", m.Partial)
	}
	for _, row := range m.Places[0].Rows {
		if len(row.nodes) > mapNodes {
			t.Errorf("%d paths in one row", len(row.nodes))
		}
	}
	if n := len(m.Places[0].Rows); n > mapRows {
		t.Errorf("%d rows", n)
	}
}
