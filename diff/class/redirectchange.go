package class

import (
	"sync"

	"github.com/routedelta/routedelta/diff/table"
)

// undecideRedirects reports requests that both sides redirect by the same template, and yet not to the same place, because
// the options of a step decide what the template is filled with: the scheme that a client claims, a port that is ignored on one
// side and taken off on the other, a path whose parameters no rule sees.
func (c *comparison) undecideRedirects(s optionStep, from, to table.Options) {
	if s.redirects == nil || !c.redirectAlike() {
		return
	}
	s.area, s.effect = *s.redirects, "redirects may lead such a request elsewhere, though it finds the same one on both sides"
	c.addOptionRegion(s, c.ledElsewhere(from, to))
}

// redirectAlike tells whether both tables have a redirect of the same template.
func (c *comparison) redirectAlike() bool {
	known := map[string]bool{}
	for location := range locations(c.tables[beforeSide]) {
		known[location] = true
	}
	for location := range locations(c.tables[afterSide]) {
		if known[location] {
			return true
		}
	}
	return false
}

// locations are the templates of all redirects of a table.
func locations(t *table.Table) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for h := range t.Hosts {
			for i := range t.Hosts[h].Rules {
				if o := &t.Hosts[h].Rules[i].Outcome; o.Kind == table.Redirected && !yield(o.Location) {
					return
				}
			}
		}
	}
}

// ledElsewhere returns a test whether both sides redirect a request by one template, which leads elsewhere after than before, and
// elsewhere under the one options than under the others.
func (c *comparison) ledElsewhere(from, to table.Options) func(table.Request) bool {
	sides := sync.OnceValue(func() [2]*table.Evaluator {
		return [2]*table.Evaluator{table.Compile(c.tables[beforeSide]), table.Compile(c.tables[afterSide])}
	})
	scope := c.tables[beforeSide].Scope
	b, a := c.tables[beforeSide].Options, c.tables[afterSide].Options
	return func(r table.Request) bool {
		for _, template := range sameRedirects(sides()[beforeSide].Evaluate(r), sides()[afterSide].Evaluate(r)) {
			if !leadsAlike(template, scope, b, a, r) && !leadsAlike(template, scope, from, to, r) {
				return true
			}
		}
		return false
	}
}

// sameRedirects are the templates by which an outcome redirects that is the same on both sides.
func sameRedirects(before, after table.Decision) (templates []string) {
	if !before.Reached || !after.Reached || before.Outcome.Key() != after.Outcome.Key() {
		return nil
	}
	outcomes := []table.Outcome{before.Outcome}
	for _, p := range before.Outcome.Parts {
		outcomes = append(outcomes, p.Outcome)
	}
	for _, o := range outcomes {
		if o.Kind == table.Redirected {
			templates = append(templates, o.Location)
		}
	}
	return templates
}

func leadsAlike(template string, scope table.Scope, from, to table.Options, r table.Request) bool {
	was, ok := arriveBy(scope, from, r)
	is, both := arriveBy(scope, to, r)
	return ok && both && table.SamePlace(template, &was, &is)
}

func arriveBy(scope table.Scope, o table.Options, r table.Request) (table.Arrived, bool) {
	o.Unmodelled = nil
	return table.Compile(&table.Table{Scope: scope, Options: o}).Arrive(r)
}
