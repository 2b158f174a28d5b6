package github

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strconv"
	"time"
)

const (
	// maxAttempts at one request that fails on the way or on GitHub's side.
	maxAttempts = 4
	// maxWait is the longest sum of pauses for one request. Longer limits are the job's to wait for.
	maxWait = 3 * time.Minute
	// limitPause is what GitHub asks for when a secondary limit comes without a time
	// ("Rate limits for the REST API", "Exceeding the rate limit").
	limitPause = time.Minute
	// maxAnswer bounds what is read of one answer: 100 comments of 65,536 characters, each escaped.
	maxAnswer = 128 << 20
)

// retry repeats a request until it is answered, within bounds. It never repeats what may have been done already: a request that
// creates something is sent again only if GitHub refused it unread (403 or 429 for a rate limit).
type retry struct {
	next http.RoundTripper
	// wait pauses; tests replace it.
	wait func(context.Context, time.Duration) error
}

func newRetry(next http.RoundTripper) *retry { return &retry{next: next, wait: sleep} }

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
	waited := time.Duration(0)
	for attempt := 1; ; attempt++ {
		sent, err := withBody(request)
		if err != nil {
			return nil, err
		}
		answer, err := r.next.RoundTrip(sent)
		pause, again := afterAnswer(request.Method, attempt, answer, err)
		if waited += pause; !again || attempt == maxAttempts || waited > maxWait || request.Context().Err() != nil {
			return answer, err
		}
		if answer != nil {
			_, _ = io.Copy(io.Discard, answer.Body) // so that the connection is used again
			_ = answer.Body.Close()
		}
		if err := r.wait(request.Context(), pause); err != nil {
			return nil, err
		}
	}
}

// withBody is the request with a body that has not been read.
func withBody(request *http.Request) (*http.Request, error) {
	if request.GetBody == nil {
		return request, nil
	}
	body, err := request.GetBody()
	if err != nil {
		return nil, err
	}
	fresh := request.Clone(request.Context())
	fresh.Body = body
	return fresh, nil
}

// afterAnswer tells whether to ask again, and after which pause.
func afterAnswer(method string, attempt int, answer *http.Response, err error) (time.Duration, bool) {
	backoff := time.Second << (attempt - 1)
	repeatable := method != http.MethodPost
	switch {
	case err != nil:
		return backoff, repeatable
	case isLimit(answer):
		return limitWait(answer, attempt), true
	case answer.StatusCode >= 500:
		return backoff, repeatable
	}
	return 0, false
}

// isLimit tells a rate limit from a lack of permission: GitHub answers 403 for both.
func isLimit(answer *http.Response) bool {
	switch answer.StatusCode {
	case http.StatusTooManyRequests:
		return true
	case http.StatusForbidden:
		if answer.Header.Get("Retry-After") != "" || answer.Header.Get("X-Ratelimit-Remaining") == "0" {
			return true
		}
		return bytes.Contains(peek(answer), []byte("secondary rate limit"))
	}
	return false
}

// peek reads the start of an answer and puts it back.
func peek(answer *http.Response) []byte {
	start, _ := io.ReadAll(io.LimitReader(answer.Body, 16<<10))
	answer.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(start), answer.Body), answer.Body}
	return start
}

// limitWait is what the answer asks for: seconds, or a time on GitHub's own clock, or else a minute and then more.
func limitWait(answer *http.Response, attempt int) time.Duration {
	if seconds, err := strconv.ParseInt(answer.Header.Get("Retry-After"), 10, 32); err == nil && seconds >= 0 {
		return time.Duration(seconds) * time.Second
	}
	reset, err := strconv.ParseInt(answer.Header.Get("X-Ratelimit-Reset"), 10, 64)
	now, dateErr := http.ParseTime(answer.Header.Get("Date"))
	if err == nil && dateErr == nil && answer.Header.Get("X-Ratelimit-Remaining") == "0" {
		return max(time.Unix(reset, 0).Sub(now), 0) + time.Second
	}
	return limitPause << (attempt - 1)
}
