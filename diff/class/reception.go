package class

import (
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/table"
)

// reception is what the options of two tables make of a request before a route is chosen. Where they make the same of it, the
// request is compared by rules, as if the options were the same; classes are over the request as the routers see it. What
// becomes of other requests is in optionchange.go.
type reception struct {
	// sides answer requests as a table without hosts does.
	sides [2]*table.Evaluator
	// underscored are the tested headers that a listener may drop.
	underscored []string
	// derived are the tested headers that hold the path or the host as options leave them, with more than path matchers and domains see.
	derived []string
}

func newReception(before, after *table.Table) *reception {
	x := &reception{sides: [2]*table.Evaluator{onlyOptions(before.Options), onlyOptions(after.Options)}}
	if before.Options.Underscores != after.Options.Underscores {
		x.underscored = testedHeaders(before, after, underscored)
	}
	x.derived = testedHeaders(before, after, derived)
	return x
}

// between is the same reception for other options.
func (x *reception) between(from, to table.Options) *reception {
	other := *x
	other.sides = [2]*table.Evaluator{onlyOptions(from), onlyOptions(to)}
	return &other
}

// onlyOptions evaluates what happens before a table is looked at.
func onlyOptions(o table.Options) *table.Evaluator {
	o.Unmodelled = nil
	return table.Compile(&table.Table{Options: o})
}

// testedHeaders are the headers that the tables have conditions on, of those that are taken from a rule.
func testedHeaders(before, after *table.Table, take func(*table.Rule) []table.Predicate) []string {
	var names []string
	for _, t := range []*table.Table{before, after} {
		for h := range t.Hosts {
			for i := range t.Hosts[h].Rules {
				for _, p := range take(&t.Hosts[h].Rules[i]) {
					names = append(names, p.Name)
				}
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func underscored(r *table.Rule) (list []table.Predicate) {
	for _, p := range r.Predicates {
		if p.Source == table.Header && strings.Contains(p.Name, "_") {
			list = append(list, p)
		}
	}
	return list
}

func derived(r *table.Rule) []table.Predicate { return r.Derived }

// received is a request as a router sees it, or the answer that it got before.
type received struct {
	reached bool
	// status of the answer, 0 where no route is found whatever the table says; path is then where an escaped slash is redirected to.
	status uint32
	host   string
	path   string
	// headers are the tested ones that options may drop or change, each with its values.
	headers [][]string
}

func (x *reception) receive(e *table.Evaluator, r table.Request) received {
	arrived, ok := e.Arrive(r)
	if !ok {
		d := e.Evaluate(r)
		return received{status: d.Outcome.Status, path: d.Path}
	}
	out := received{reached: true, host: arrived.Host(), path: arrived.Path()}
	for _, name := range slices.Concat(x.underscored, x.derived) {
		out.headers = append(out.headers, arrived.Values(table.Header, name))
	}
	return out
}

func (r received) equal(o received) bool {
	return r.reached == o.reached && r.status == o.status && r.host == o.host && r.path == o.path &&
		slices.EqualFunc(r.headers, o.headers, slices.Equal)
}

// both is what each side makes of a request.
func (x *reception) both(r table.Request) (before, after received) {
	return x.receive(x.sides[beforeSide], r), x.receive(x.sides[afterSide], r)
}

// alike tells whether both sides see the same request, or answer it alike.
func (x *reception) alike(r table.Request) bool {
	before, after := x.both(r)
	return before.equal(after)
}

// commonOptions are options under which the requests arrive that both sides see alike.
func commonOptions(b, a table.Options) table.Options {
	if b.Underscores != table.AllowUnderscores {
		return b
	}
	b.Underscores = a.Underscores
	return b
}
