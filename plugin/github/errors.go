package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/google/go-github/v60/github"
)

// Kind sorts errors by what can be done about them.
type Kind string

const (
	Unauthorized Kind = "unauthorized" // 401: no token, or one that is refused
	Forbidden    Kind = "forbidden"    // 403: the token may not do this
	NotFound     Kind = "not found"    // 404, 410: no such pull request, or one that the token may not see
	TooLong      Kind = "too long"     // 422 for a text that is longer than GitHub takes
	Invalid      Kind = "invalid"      // 422, or refused here before it was sent
	RateLimited  Kind = "rate limited" // 403 or 429, for longer than we wait
	Unavailable  Kind = "unavailable"  // 5xx, or no answer
)

// Error is a request that GitHub did not fulfil.
type Error struct {
	Operation string // "creating a comment on acme/gitops#7"
	Kind      Kind
	Status    int    // 0 without an answer
	Message   string // one line; never holds the token
	// pause is what GitHub asks for before the next attempt; 0 where it does not say.
	pause time.Duration
}

func (e *Error) Error() string {
	if e.Status == 0 {
		return fmt.Sprintf("%s: %s", e.Operation, e.Message)
	}
	return fmt.Sprintf("%s: GitHub answered %d: %s", e.Operation, e.Status, e.Message)
}

// IsKind tells whether an error is GitHub's of one of the kinds.
func IsKind(err error, kinds ...Kind) bool {
	var failure *Error
	return errors.As(err, &failure) && slices.Contains(kinds, failure.Kind)
}

// Hint says what to do.
func (e *Error) Hint() string {
	switch e.Kind {
	case Unauthorized:
		return "set GITHUB_TOKEN to a token that is valid here; in a workflow: `GITHUB_TOKEN: ${{ github.token }}`"
	case Forbidden:
		return "the job needs `permissions: pull-requests: write`; the token of a pull request from a fork can only read, " +
			"so use the job summary there"
	case NotFound:
		return "check the repository and the number; a token that may not see the repository gets the same answer"
	case TooLong:
		return "even the shortest form was refused: the report is in the job summary"
	case RateLimited:
		return "run it again later; a `concurrency` group in the workflow keeps runs from piling up"
	case Unavailable:
		return "run it again: the comment is updated in place, never posted twice"
	}
	return ""
}

// failed makes the error of an operation. Only a cancelled context is wrapped; other errors are told, because their own text
// may hold anything that a server sends.
func (c *Client) failed(ctx context.Context, operation string, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", operation, context.Cause(ctx))
	}
	failure := &Error{Operation: operation, Kind: Unavailable, Message: c.told(err.Error())}
	var (
		response *github.ErrorResponse
		limit    *limitError
	)
	switch {
	case errors.As(err, &limit):
		failure.Kind, failure.Message = RateLimited, c.told(limit.message)
		failure.Status, failure.pause = limit.status, limit.pause
	case errors.As(err, &response):
		failure.Status = statusOf(response.Response)
		failure.Kind = kindOf(failure.Status)
		failure.Message = c.told(response.Message)
		for _, detail := range response.Errors {
			failure.Message += ": " + c.told(strings.TrimSpace(detail.Field+" "+detail.Message))
		}
		if failure.Kind == Invalid && strings.Contains(failure.Message, "too long") {
			failure.Kind = TooLong
		}
	}
	return failure
}

func statusOf(response *http.Response) int {
	if response == nil {
		return 0
	}
	return response.StatusCode
}

func kindOf(status int) Kind {
	switch {
	case status == http.StatusUnauthorized:
		return Unauthorized
	case status == http.StatusForbidden:
		return Forbidden
	case status == http.StatusNotFound, status == http.StatusGone:
		return NotFound
	case status == http.StatusTooManyRequests:
		return RateLimited
	case status >= 400 && status < 500:
		return Invalid
	}
	return Unavailable
}

// told makes one short line of a text that somebody else wrote.
func (c *Client) told(text string) string {
	text = strings.ReplaceAll(text, c.token, "***")
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
	if runes := []rune(text); len(runes) > 300 {
		text = string(runes[:300]) + "…"
	}
	return text
}
