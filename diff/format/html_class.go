package format

import "github.com/routedelta/routedelta/diff/report"

// htmlClass is one class in full.
type htmlClass struct {
	Target, ID, Severity string
	Requests             [][]run
	Where, Share         []run
	Rarely               string
	Before, After        []run
	Because              []run
	// Others are further edits that it takes.
	Others   [][]run
	Why      *htmlWhy
	Commands []string
}

// htmlWhy is what wins now.
type htmlWhy struct{ Request, Winner, RunnerUp, Rung []run }

func newHTMLClass(r *report.Report, w words, i int, c report.Class) htmlClass {
	w.repeated, w.grpc = c.OnlyRepeated, c.IsGRPC()
	before, after := w.change(c)
	said := htmlClass{
		Target: classTarget(i), ID: visible(c.ID), Severity: string(c.Severity), Rarely: rarely(c),
		Where: runs(w.where(r, c)), Share: runs(w.share(c.Flows)),
		Before: runs(before), After: runs(after), Because: runs(w.because(r, c)), Commands: commands(c.Witnesses),
	}
	for _, a := range c.Areas {
		said.Requests = append(said.Requests, runs(w.areaOf(c, a)))
	}
	if len(c.Areas) == 0 {
		said.Requests = [][]run{runs(w.subject(c) + " to " + w.outcomes(c.Before))}
	}
	for _, cause := range c.Causes[min(len(c.Causes), 1):] {
		said.Others = append(said.Others, runs(w.cause(r, cause)))
	}
	if c.Why != nil && c.Why.Rung != "" && len(c.Witnesses) > 0 {
		said.Why = &htmlWhy{Request: runs(w.request(c.Witnesses[0])), Winner: runs(w.rule(c.Why.Winner)), Rung: runs(w.rung(*c.Why))}
		if c.Why.RunnerUp != (report.RuleLabel{}) {
			said.Why.RunnerUp = runs(w.rule(c.Why.RunnerUp))
		}
	}
	return said
}
