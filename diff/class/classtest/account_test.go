package classtest_test

import (
	"fmt"
	"testing"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
	"github.com/routedelta/routedelta/plugin/envoy/judgetest"
)

// tally counts what a run has shown.
type tally struct {
	pairs, requests, http2, reached, random int
	// changed by the evaluator; seen to change by the Envoys, where chance has no part.
	changed, seen    int
	classes, inClass int
	undecided        int
	// alike are requests to sides with the same options and without rules that classes leave undecided: hardly one may be undecided.
	alike, undecidedAlike int
	mismatches            int
	of                    dimensionCounts
}

func (c *tally) add(o tally) {
	for _, f := range []struct {
		sum  *int
		part int
	}{
		{&c.pairs, o.pairs}, {&c.requests, o.requests}, {&c.http2, o.http2}, {&c.reached, o.reached}, {&c.random, o.random},
		{&c.changed, o.changed}, {&c.seen, o.seen}, {&c.classes, o.classes}, {&c.inClass, o.inClass},
		{&c.undecided, o.undecided}, {&c.alike, o.alike}, {&c.undecidedAlike, o.undecidedAlike}, {&c.mismatches, o.mismatches},
	} {
		*f.sum += f.part
	}
	c.of.add(o.of)
}

func (c *tally) String() string {
	return fmt.Sprintf("%d pairs of tables, %d classes; %d requests, %d over HTTP/1.1 and %d over HTTP/2, each to two Envoys: "+
		"%d reached a router, %d met chance, %d changed (%d seen at the Envoys), %d in a class, %d undecided (%d of them where both sides have the same options and no rule that classes leave undecided); %d mismatches",
		c.pairs, c.classes, c.requests, c.requests-c.http2, c.http2, c.reached, c.random, c.changed, c.seen, c.inClass, c.undecided, c.undecidedAlike, c.mismatches)
}

// requireCoverage fails a run that shows less than it is meant to.
func (c *tally) requireCoverage(t *testing.T) {
	for _, want := range []struct {
		what    string
		n, from int
	}{
		{"over HTTP/2", c.http2, c.requests / 4},
		{"reached a router", c.reached, c.requests / 2},
		{"changed", c.changed, c.requests / 20},
		{"seen to change", c.seen, c.requests / 50},
		{"met chance", c.random, c.requests / 100},
		{"were decided", c.requests - c.undecided, c.requests * 4 / 5},
		{"of sides with the same options were decided", c.alike - c.undecidedAlike, c.alike * 49 / 50},
	} {
		if want.n < want.from {
			t.Errorf("only %d of %d requests %s", want.n, c.requests, want.what)
		}
	}
	c.of.require(t, c.requests)
}

// judge compares the accounts of each request.
func (p *pair) judge(t *testing.T, requests []table.Request, counts *tally) {
	counts.pairs++
	counts.classes += len(p.result.Classes)
	for i, request := range requests {
		counts.requests++
		if request.HTTP2 {
			counts.http2++
		}
		for _, problem := range p.judgeOne(request, i, counts) {
			counts.mismatches++
			t.Errorf("%s\nrequest %#v\nbefore %+v\nafter %+v", problem, request, p.answers[0][i], p.answers[1][i])
		}
	}
}

// judgeOne says in what the accounts of the i-th request differ.
func (p *pair) judgeOne(request table.Request, i int, counts *tally) (problems []string) {
	var decisions [2]table.Decision
	for side := range decisions {
		decisions[side] = p.evaluators[side].Evaluate(request)
		if decisions[side].Undecided != "" {
			continue // Envoy's answer shows nothing
		}
		if problem := judgetest.Disagreement(p.tables[side], request, decisions[side], p.answers[side][i]); problem != "" {
			problems = append(problems, problem)
		}
	}
	if decisions[0].Reached || decisions[1].Reached {
		counts.reached++
	}
	p.countDimensions(request, decisions, counts.of)
	alike := p.plain
	if alike {
		counts.alike++
	}
	in := p.classesOf(request)
	if p.undecided(request) || decisions[0].Undecided != "" || decisions[1].Undecided != "" {
		counts.undecided++
		if alike {
			counts.undecidedAlike++
		}
		if len(in) > 0 {
			problems = append(problems, "an undecided request is in a class")
		}
		return problems
	}
	if problem := p.judgeClasses(decisions, in); problem != "" {
		problems = append(problems, problem)
	}
	if decisions[0].Outcome.Key() != decisions[1].Outcome.Key() {
		counts.changed++
	}
	if len(in) > 0 {
		counts.inClass++
	}
	if byChance(decisions[0]) || byChance(decisions[1]) {
		counts.random++
		return problems
	}
	different := observe(p.answers[0][i]) != observe(p.answers[1][i])
	if different {
		counts.seen++
	}
	if problem := p.judgeSight(decisions, in, different); problem != "" {
		problems = append(problems, problem)
	}
	return problems
}

func (p *pair) undecided(request table.Request) bool {
	for i := range p.result.Undecided {
		if p.result.Undecided[i].Contains(request) {
			return true
		}
	}
	return false
}

func (p *pair) classesOf(request table.Request) (in []*class.Class) {
	for i := range p.result.Classes {
		if c := &p.result.Classes[i]; c.Contains(request) {
			in = append(in, c)
		}
	}
	return in
}

// judgeClasses: changed by the evaluator exactly where one class says so, and that one says what changes.
func (p *pair) judgeClasses(decisions [2]table.Decision, in []*class.Class) string {
	before, after := decisions[0].Outcome, decisions[1].Outcome
	want := 0
	if before.Key() != after.Key() {
		want = 1
	}
	if len(in) != want {
		return fmt.Sprintf("%s -> %s, but it is in %d classes", before, after, len(in))
	}
	facet := class.FacetBackend
	if table.SameBackends(before, after) {
		facet = class.FacetTreatment
	}
	if want == 1 && in[0].Facet != facet {
		return fmt.Sprintf("%s -> %s changes its %s, but the class its %s", before, after, facet, in[0].Facet)
	}
	return ""
}

// judgeSight holds the classes against the Envoys alone. A treatment cannot be seen in an oracle's answer, but for the status where
// the request names no cluster; two redirects may lead one request to the same place, and a header name the cluster of the other side.
func (p *pair) judgeSight(decisions [2]table.Decision, in []*class.Class, different bool) string {
	meet := decisions[0].Outcome.Kind == table.Redirected && decisions[1].Outcome.Kind == table.Redirected ||
		namesCluster(decisions[0].Outcome) || namesCluster(decisions[1].Outcome)
	switch {
	case different && len(in) == 0:
		return "the Envoys answer differently, but it is in no class"
	case !different && len(in) == 1 && in[0].Facet == class.FacetBackend && !meet:
		return "the Envoys answer alike, but it is in a class"
	}
	return ""
}

// observation is what a client and a backend see of an answer, and not of the route behind it.
type observation struct {
	status            int
	cluster, location string
}

// observe leaves out what no outcome of a table holds: the cluster of a request that is not sent on, since Envoy may look for a
// route only to log its own answer; and in which of two ways HTTP/2 refuses.
func observe(a envoytest.Answer) observation {
	o := observation{status: a.Status, location: a.Headers.Get("location")}
	if a.Flags == "UH" {
		o.cluster = a.Cluster
	}
	if o.status == 0 {
		o.status = 400
	}
	return o
}

// byChance tells whether Envoy's answer is one of several.
func byChance(d table.Decision) bool {
	return len(d.Chances) > 0 || d.Outcome.Kind == table.Mixed || len(d.Outcome.Backends) > 1
}
