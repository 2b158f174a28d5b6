package report

import (
	"slices"

	"github.com/routedelta/routedelta/diff/table"
)

// NotServed is the outcome on the side where no listener takes the connection. It is none that a route table can give.
const NotServed table.OutcomeKind = "unserved"

// severities in the order in which a reader wants them: worst first.
func severities() []Severity { return []Severity{Lost, Moves, Gained, Treated, Served} }

// Rank is 0 for the worst severity, and -1 for a word that is none.
func (s Severity) Rank() int { return slices.Index(severities(), s) }

// Add counts classes of a severity.
func (c *Counts) Add(s Severity, n int) {
	switch s {
	case Lost:
		c.Lost += n
	case Moves:
		c.Moves += n
	case Gained:
		c.Gained += n
	case Treated:
		c.Treated += n
	case Served:
		c.Served += n
	}
}

// Of is the number of classes of a severity.
func (c Counts) Of(s Severity) int {
	switch s {
	case Lost:
		return c.Lost
	case Moves:
		return c.Moves
	case Gained:
		return c.Gained
	case Treated:
		return c.Treated
	case Served:
		return c.Served
	}
	return 0
}

// Classes is the number of classes in all.
func (c Counts) Classes() int {
	return c.Lost + c.Moves + c.Gained + c.Treated + c.Served + c.OnlyRepeated + c.Misdirected
}

// Count makes Counts again from what the report holds. Whoever adds to a report calls it last.
func (r *Report) Count() {
	r.Counts = Counts{Effectless: len(r.Effectless), Undecided: len(r.Undecided), Uncompared: len(r.Uncompared)}
	for _, t := range r.Targets {
		if t.State == TargetUndecided {
			r.Counts.Targets++
		}
	}
	for i := range r.Classes {
		switch c := &r.Classes[i]; {
		case c.OnlyRepeated:
			r.Counts.OnlyRepeated++
		case c.Misdirected:
			r.Counts.Misdirected++
		default:
			r.Counts.Add(c.Severity, 1)
		}
	}
}

// Fails tells whether the requests of a single destination get an error or no connection. A redirect and an answer below 400 are no failure.
func Fails(destination table.Outcome) bool {
	switch destination.Kind {
	case table.NoRoute, NotServed:
		return true
	case table.Answered:
		return destination.Status >= 400
	case table.ToBackends:
		return destination.Backends[0].Backend.Status >= 400
	}
	return false
}
