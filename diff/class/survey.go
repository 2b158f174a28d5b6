package class

import (
	"context"
	"slices"

	"github.com/routedelta/routedelta/diff/table"
)

// survey is a question about every virtual host of one table.
type survey struct {
	ctx    context.Context
	table  *table.Table
	limits Limits
	space  *hostSpace
	// cells holds for each virtual host a cell of hosts that leads to it, -1 for none.
	cells []int
	// base is copied by each worker; it holds the language of paths.
	base      *comparison
	undecided string
}

func newSurvey(ctx context.Context, t *table.Table, limits Limits) *survey {
	s := &survey{ctx: ctx, table: t, limits: limits.withDefaults()}
	s.base = newComparison(ctx, t, t, s.limits)
	if len(t.Options.Unmodelled) > 0 {
		s.undecided = "not modelled: " + t.Options.Unmodelled[0]
		return s
	}
	var err error
	if s.base.paths, err = pathLanguage(t.Options, s.base.patterns); err != nil {
		s.undecided = err.Error()
		return s
	}
	s.space = newHostSpace(t, t)
	s.base.space = s.space
	if s.space.overBudget() {
		s.undecided = "too many wildcard domains that cross"
		return s
	}
	s.findCells()
	return s
}

func (s *survey) findCells() {
	s.cells = slices.Repeat([]int{-1}, len(s.table.Hosts))
	for i := range s.space.cells {
		host := s.space.cells[i].host[afterSide]
		if host < 0 || s.cells[host] >= 0 {
			continue
		}
		if found, _ := s.space.findWitness(i); found {
			s.cells[host] = i
		}
	}
}

// worker is what one of several goroutines keeps from one virtual host to the next: no answer depends on it.
type worker struct {
	*comparison
	samples *sampler
}

// newWorker shares with a comparison only what is not written to any more.
func newWorker(c *comparison) *worker {
	w := &worker{newComparison(c.ctx, c.tables[beforeSide], c.tables[afterSide], c.limits), nil}
	w.paths, w.space = c.paths, c.space
	w.samples = newSampler(w.patterns)
	return w
}

// each calls ask for every virtual host, with the cell of hosts that leads to it, on all processors.
func (s *survey) each(ask func(w *worker, host, cell int) error) error {
	start := func() *worker { return newWorker(s.base) }
	return inParallel(len(s.table.Hosts), start, func(w *worker, host int) error { return ask(w, host, s.cells[host]) })
}
