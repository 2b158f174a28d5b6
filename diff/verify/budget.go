package verify

import (
	"context"
	"errors"
)

// errBudget is the cause when a check would take more work than it may.
var errBudget = errors.New("more work than the check may take")

// DefaultSteps is the work that a check may take when the caller says nothing: some tens of seconds.
const DefaultSteps = 200_000_000

// budget is the work left, and the caller's patience.
type budget struct {
	ctx  context.Context
	left int
}

// spend takes steps off.
func (b *budget) spend(steps int) error {
	b.left -= steps
	if b.left < 0 {
		return errBudget
	}
	return b.ctx.Err()
}
