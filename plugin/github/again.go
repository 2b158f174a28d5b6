package github

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// againError is an error after which what is on GitHub may be otherwise than was seen: a request may have been carried out although
// its answer is lost, or somebody else wrote while we waited.
type againError struct {
	error
	pause time.Duration
}

func (e *againError) Unwrap() error { return e.error }

// lookAgain makes the step be taken anew after a pause.
func lookAgain(err error, pause time.Duration) error { return &againError{error: err, pause: pause} }

// unset is the pause of an error that names none: longer with each attempt.
const unset = -1

// unsure is the error of a request that writes. If it was refused for now, or its answer was lost, or it failed in one of the
// ways that more names, look again.
func unsure(err error, more ...Kind) error {
	var failure *Error
	if !errors.As(err, &failure) || !IsKind(err, append(more, RateLimited, Unavailable)...) {
		return err
	}
	if failure.Kind == RateLimited {
		return lookAgain(err, failure.pause)
	}
	return lookAgain(err, unset)
}

// untilDone takes a step, which looks at what is there and writes what is missing, until it is known to be done. That way nothing
// is lost with a lost answer, and nothing is written twice.
func (c *Client) untilDone(ctx context.Context, operation string, step func(context.Context) error) error {
	for attempt := 1; ; attempt++ {
		err := step(ctx)
		var again *againError
		if !errors.As(err, &again) {
			return err
		}
		pause := again.pause
		if pause == unset {
			pause = backoff(attempt)
		}
		if attempt == maxAttempts || !c.retry.mayWait(pause) {
			return again.error
		}
		if pause == 0 {
			continue
		}
		if err := c.retry.wait(ctx, pause); err != nil {
			return fmt.Errorf("%s: %w", operation, err)
		}
	}
}
