package github

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// limitPause is what GitHub asks for when a secondary limit comes without a time ("Rate limits for the REST API", "Exceeding the
// rate limit").
const limitPause = time.Minute

// limitError is an answer that refuses a request, unread, for a rate limit.
type limitError struct {
	status  int
	message string
	pause   time.Duration // to wait before the next attempt
}

func (e *limitError) Error() string { return fmt.Sprintf("%d: %s", e.status, e.message) }

// limitOf is the rate limit that an answer tells of, nil if it does not. The headers are taken away: go-github would refuse
// later requests by them, on the clock of this machine and without a pause.
func limitOf(answer *http.Response, attempt int) error {
	limited, pause := isLimit(answer), limitWait(answer, attempt)
	for _, header := range []string{"X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset"} {
		answer.Header.Del(header)
	}
	if !limited {
		return nil
	}
	var told struct{ Message string }
	_ = json.Unmarshal(peek(answer), &told) // a proxy's answer may be no JSON: then there is no message
	return &limitError{status: answer.StatusCode, message: told.Message, pause: pause}
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
	start, _ := io.ReadAll(io.LimitReader(answer.Body, 16<<10)) // of memory: attempt has read it
	answer.Body = io.NopCloser(io.MultiReader(bytes.NewReader(start), answer.Body))
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
