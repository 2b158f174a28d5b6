package conformance

import (
	"context"
	"net/http"
)

// settled answers a write once settle has returned. An error of settle is the answer's, so that it shows in the test that wrote.
type settled struct {
	next   http.RoundTripper
	settle func(context.Context) error
}

func (s settled) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := s.next.RoundTrip(request)
	if err != nil || request.Method == http.MethodGet || response.StatusCode >= http.StatusMultipleChoices {
		return response, err
	}
	// What follows from a write is not bound to the patience of whoever made it.
	if err := s.settle(context.WithoutCancel(request.Context())); err != nil {
		response.Body.Close()
		return nil, err
	}
	return response, nil
}
