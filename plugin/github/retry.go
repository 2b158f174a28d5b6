package github

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

const (
	// maxAttempts at one thing that fails on the way or on GitHub's side.
	maxAttempts = 4
	// maxWait is the longest sum of pauses in the life of a client. Longer limits are the job's to wait for.
	maxWait = 5 * time.Minute
	// maxAttempt is how long one attempt may take, its answer read to the end.
	maxAttempt = time.Minute
	// maxAnswer bounds what is read of one answer: 100 comments of 65,536 characters, each escaped.
	maxAnswer = 128 << 20
)

// retry repeats a request until it is answered, within bounds. It repeats what reads, and what removes, for both end the same
// however often they are done. A request that writes is sent once: after a pause somebody else may have written, so
// that its caller has to look again (see untilDone).
type retry struct {
	next http.RoundTripper
	// wait pauses, and timeout is how long an attempt may take; tests replace them.
	wait    func(context.Context, time.Duration) error
	timeout time.Duration

	mu     sync.Mutex
	waited time.Duration
}

func newRetry(next http.RoundTripper) *retry {
	return &retry{next: next, wait: sleep, timeout: maxAttempt}
}

func sleep(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// RoundTrip implements http.RoundTripper.
func (r *retry) RoundTrip(request *http.Request) (*http.Response, error) {
	repeatable := request.Method == http.MethodGet || request.Method == http.MethodDelete
	for attempt := 1; ; attempt++ {
		answer, err := r.attempt(request)
		if err == nil {
			err = limitOf(answer, attempt)
		}
		pause, again := afterAnswer(attempt, answer, err)
		if !again || !repeatable || attempt == maxAttempts || request.Context().Err() != nil || !r.mayWait(pause) {
			return orError(answer, err)
		}
		if err := r.wait(request.Context(), pause); err != nil {
			return nil, err
		}
	}
}

// orError holds to the contract of a RoundTripper: an answer or an error.
func orError(answer *http.Response, err error) (*http.Response, error) {
	if err != nil {
		return nil, err
	}
	return answer, nil
}

// attempt sends a request once, and reads the answer to its end: one that breaks off is none.
func (r *retry) attempt(request *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeoutCause(request.Context(), r.timeout, fmt.Errorf("no answer within %v", r.timeout))
	defer cancel()
	sent := request.Clone(ctx)
	if request.GetBody != nil {
		body, err := request.GetBody()
		if err != nil {
			return nil, err
		}
		sent.Body = body
	}
	answer, err := r.next.RoundTrip(sent)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading the answer: %w", err)
	case len(text) > maxAnswer:
		return nil, fmt.Errorf("an answer of more than %d bytes", maxAnswer)
	}
	answer.Body = io.NopCloser(bytes.NewReader(text))
	answer.Request = request
	return answer, nil
}

// mayWait takes a pause from what the client may wait in all.
func (r *retry) mayWait(pause time.Duration) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.waited+pause > maxWait {
		return false
	}
	r.waited += pause
	return true
}

// afterAnswer tells whether to ask again, and after which pause.
func afterAnswer(attempt int, answer *http.Response, err error) (time.Duration, bool) {
	var limit *limitError
	if errors.As(err, &limit) {
		return limit.pause, true
	}
	return backoff(attempt), err != nil || answer.StatusCode >= 500
}

func backoff(attempt int) time.Duration { return time.Second << (attempt - 1) }
