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
}

func newReception(before, after *table.Table) *reception {
	x := &reception{sides: [2]*table.Evaluator{onlyOptions(before.Options), onlyOptions(after.Options)}}
	if before.Options.Underscores != after.Options.Underscores {
		x.underscored = underscoredHeaders(before, after)
	}
	return x
}

// onlyOptions evaluates what happens before a table is looked at.
func onlyOptions(o table.Options) *table.Evaluator {
	o.Unmodelled = nil
	return table.Compile(&table.Table{Options: o})
}

// underscoredHeaders are the headers with an underscore in their name that conditions look at.
func underscoredHeaders(tables ...*table.Table) []string {
	var names []string
	for _, t := range tables {
		for h := range t.Hosts {
			for i := range t.Hosts[h].Rules {
				for _, p := range t.Hosts[h].Rules[i].Predicates {
					if p.Source == table.Header && strings.Contains(p.Name, "_") {
						names = append(names, p.Name)
					}
				}
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// received is a request as a router sees it, or the answer that it got before.
type received struct {
	reached bool
	// status of the answer, 0 where no route is found whatever the table says; path is then where an escaped slash is redirected to.
	status uint32
	host   string
	path   string
	// dropped are the tested headers with an underscore, each with its values.
	dropped [][]string
}

func (x *reception) receive(e *table.Evaluator, r table.Request) received {
	arrived, ok := e.Arrive(r)
	if !ok {
		d := e.Evaluate(r)
		return received{status: d.Outcome.Status, path: d.Path}
	}
	out := received{reached: true, host: arrived.Host(), path: arrived.Path()}
	for _, name := range x.underscored {
		out.dropped = append(out.dropped, arrived.Values(table.Header, name))
	}
	return out
}

func (r received) equal(o received) bool {
	return r.reached == o.reached && r.status == o.status && r.host == o.host && r.path == o.path &&
		slices.EqualFunc(r.dropped, o.dropped, slices.Equal)
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
