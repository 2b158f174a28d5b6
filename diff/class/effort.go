package class

import (
	"context"
	"errors"
)

// errEffort is returned when a comparison as a whole would take too long.
var errEffort = errors.New("too many rules with conditions compete for the same paths")

// effort bounds the steps of all questions of one comparison together: each may be cheap where there are very many.
type effort struct {
	ctx  context.Context
	left int
}

// take counts steps; an error says that there are none left, or that nobody waits for the answer any more.
func (e *effort) take(steps int) error {
	if e.left < steps {
		return errEffort
	}
	before := e.left
	e.left -= steps
	if before/stepsBetweenLooks == e.left/stepsBetweenLooks {
		return nil
	}
	if err := e.ctx.Err(); err != nil {
		e.left = 0 // the questions that follow end at once
		return err
	}
	return nil
}

// stepsBetweenLooks at the context: a few milliseconds.
const stepsBetweenLooks = 1 << 14
