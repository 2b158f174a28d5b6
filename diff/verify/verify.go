package verify

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/routedelta/routedelta/diff/certificate"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/render/files"
)

// Side is one of the two inputs.
type Side struct {
	// Files is the digest over the bytes of the files that were read.
	Files string
	// Sets are the Envoy files, one for each Gateway, with different names.
	Sets []*files.Set
}

// Sides are both, with the differences between their manifests that are in no Envoy file.
type Sides struct {
	Before, After Side
	Uncompared    []string
}

// Limits bound the work. The zero value means DefaultSteps.
type Limits struct{ Steps int }

// Result is what a check found.
type Result struct {
	// Wrong is what the certificate says and is not so. Open is what could not be shown within the limits, or at all.
	Wrong, Open []Finding
	// LeftOut are regions of which the certificate itself says that they are not decided.
	LeftOut int
	// Places, Groups of hosts, and Courses of requests that were followed.
	Places, Groups, Courses int
}

// Finding is one thing that is wrong or open.
type Finding struct {
	// Place is a Gateway and a listener, "" for the whole.
	Place string
	What  string
	// Request shows it, nil where no single one does.
	Request *table.Request
}

// Verified tells whether everything that the certificate claims was shown, and it claims something about every request.
func (r *Result) Verified() bool { return len(r.Wrong)+len(r.Open)+r.LeftOut == 0 }

// maxFindings bounds what is reported; one is enough for an answer.
const maxFindings = 20

// Check checks a certificate. It fails only when ctx ends.
func Check(ctx context.Context, c *certificate.Certificate, sides Sides, limits Limits) (*Result, error) {
	one := newCheck(ctx, limits)
	one.digests("before", c.Before, sides.Before)
	one.digests("after", c.After, sides.After)
	if len(one.result.Wrong) > 0 {
		return one.result, nil // everything else would be about other files
	}
	if c.Verdict != c.Sum() {
		one.wrong("the verdict is %q, and what the certificate says amounts to %q", c.Verdict, c.Sum())
	}
	if !slices.Equal(c.Uncompared, sides.Uncompared) {
		one.wrong("what is not compared is %q, and in the certificate %q", sides.Uncompared, c.Uncompared)
	}
	one.result.LeftOut += len(c.Uncompared)
	if err := one.gateways(c, sides.Before.Sets, sides.After.Sets); err != nil {
		return nil, err
	}
	return one.result, nil
}

// CheckPlace checks the claims about the two tables of one place. It fails only when ctx ends.
func CheckPlace(ctx context.Context, p *certificate.Place, before, after *table.Table, limits Limits) (*Result, error) {
	one := newCheck(ctx, limits)
	one.result.LeftOut += len(p.Undecided)
	err := one.onePlace(placeName(p), before, after, p)
	return one.result, err
}

func newCheck(ctx context.Context, limits Limits) *check {
	if limits.Steps <= 0 {
		limits.Steps = DefaultSteps
	}
	return &check{result: &Result{}, budget: &budget{ctx: ctx, left: limits.Steps}}
}

// check is the state of one Check.
type check struct {
	result *Result
	budget *budget
}

func (c *check) note(list *[]Finding, f Finding) {
	if len(*list) < maxFindings {
		*list = append(*list, f)
	}
}

func (c *check) wrong(format string, arguments ...any) {
	c.note(&c.result.Wrong, Finding{What: fmt.Sprintf(format, arguments...)})
}

// digests compares a side with what the certificate is about.
func (c *check) digests(name string, claimed certificate.Side, side Side) {
	if claimed.Files != side.Files {
		c.wrong("the files %s are not those of the certificate: %s, want %s", name, side.Files, claimed.Files)
	}
	found := map[string]string{}
	for _, set := range side.Sets {
		if _, twice := found[set.Name]; twice {
			c.wrong("two Gateways %s are called %q", name, set.Name)
		}
		found[set.Name] = files.Digest(set)
	}
	if !maps.Equal(found, claimed.Envoy) {
		c.wrong("the Envoy files %s are not those of the certificate: %s", name, difference(claimed.Envoy, found))
	}
}

// difference names the first entry in which two maps differ.
func difference(want, have map[string]string) string {
	names := slices.Sorted(maps.Keys(want))
	names = append(names, slices.Sorted(maps.Keys(have))...)
	for _, name := range names {
		if want[name] != have[name] {
			return fmt.Sprintf("%q has %q, want %q", name, have[name], want[name])
		}
	}
	return ""
}

// gateways checks that each set of both sides is in one entry, and every entry.
func (c *check) gateways(claimed *certificate.Certificate, before, after []*files.Set) error {
	left := [2]map[string]*files.Set{byName(before), byName(after)}
	take := func(side int, name string) *files.Set {
		set := left[side][name]
		if set == nil && name != "" {
			c.wrong("there is no Gateway %q, or it is in the certificate twice", name)
		}
		delete(left[side], name)
		return set
	}
	for i := range claimed.Gateways {
		g := &claimed.Gateways[i]
		was, is := take(0, g.Before), take(1, g.After)
		if was == nil || is == nil {
			continue // it comes or goes, which Sum counts as a change
		}
		if err := c.gateway(g, was, is); err != nil {
			return err
		}
	}
	for _, sets := range left {
		for _, name := range slices.Sorted(maps.Keys(sets)) {
			c.wrong("the Gateway %q is not in the certificate", name)
		}
	}
	return nil
}

func byName(sets []*files.Set) map[string]*files.Set {
	out := map[string]*files.Set{}
	for _, set := range sets {
		out[set.Name] = set
	}
	return out
}

// gateway checks the places of one Gateway, and its backends.
func (c *check) gateway(g *certificate.Gateway, before, after *files.Set) error {
	var tables [2][]*table.Table
	clusters := table.CompareClusters(before, after, nil)
	tables[0], _ = table.ReadAs(before, clusters.Before) // what it complains of stands in the tables' options as well
	tables[1], _ = table.ReadAs(after, clusters.After)
	c.connections(g, tables)
	c.backends(g, connectionsOf(before, clusters.Before), connectionsOf(after, clusters.After), tables)
	for i := range g.Places {
		p := &g.Places[i]
		c.result.LeftOut += len(p.Undecided)
		if !inside(p.Before, tables[0]) || !inside(p.After, tables[1]) {
			continue // connections has said so, or one side has no table
		}
		c.result.Places++
		label := fmt.Sprintf("Gateway %s, %s", after.Name, placeName(p))
		if err := c.onePlace(label, tables[0][p.Before], tables[1][p.After], p); err != nil {
			return err
		}
	}
	return nil
}

func inside(i int, tables []*table.Table) bool { return i >= 0 && i < len(tables) }

// onePlace leaves a place open where the check cannot go on. Only the caller's patience ends the whole.
func (c *check) onePlace(label string, before, after *table.Table, p *certificate.Place) error {
	err := c.checkPlace(label, before, after, p)
	if err == nil {
		return nil
	}
	if ended := c.budget.ctx.Err(); ended != nil {
		return ended
	}
	c.note(&c.result.Open, Finding{Place: label, What: err.Error()})
	if errors.Is(err, errBudget) {
		c.budget.left = 0 // the places that follow end at once, each with its name
	}
	return nil
}
