package class

import "github.com/routedelta/routedelta/diff/automaton"

// DefaultLimits are generous for what people write, and end hostile input within a second or so.
var DefaultLimits = Limits{
	States:   automaton.DefaultStates,
	Product:  automaton.DefaultProduct,
	BoxSteps: 1_000_000,
	Steps:    30_000_000,
	Classes:  1_000,
	Written:  1_000_000,
}

func (l Limits) withDefaults() Limits {
	for _, f := range []struct {
		limit    *int
		fallback int
	}{
		{&l.States, DefaultLimits.States},
		{&l.Product, DefaultLimits.Product},
		{&l.BoxSteps, DefaultLimits.BoxSteps},
		{&l.Steps, DefaultLimits.Steps},
		{&l.Classes, DefaultLimits.Classes},
		{&l.Written, DefaultLimits.Written},
	} {
		if *f.limit <= 0 {
			*f.limit = f.fallback
		}
	}
	return l
}
