package envoy_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
)

// call sends the request as a gRPC client does: a message without content.
func (r caseRequest) call(ctx context.Context, client *http.Client) (envoytest.Answer, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+r.Host+r.Path, strings.NewReader("\x00\x00\x00\x00\x00"))
	if err != nil {
		return envoytest.Answer{}, err
	}
	request.Header.Set("Content-Type", "application/grpc")
	request.Header.Set("Te", "trailers")
	for name, value := range r.Headers {
		request.Header.Set(name, value)
	}
	response, err := client.Do(request)
	if err != nil {
		return envoytest.Answer{}, err
	}
	defer response.Body.Close()
	return envoytest.Decode(response)
}

// headerDifferences compares headers, several of one name joined.
func headerDifferences(what string, want map[string]string, got http.Header) []string {
	var found []string
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if value := strings.Join(got.Values(name), ","); value != want[name] {
			found = append(found, fmt.Sprintf("%s %s is %q, want %q", what, name, value, want[name]))
		}
	}
	return found
}

// triesDifference waits for copies, which may come after the answer, and a moment for one too many.
func (r caseRequest) triesDifference(envoy *envoytest.Envoy) []string {
	if r.Want.Tries == 0 {
		return nil
	}
	for range 100 {
		if len(envoy.Received(r.Path)) >= r.Want.Tries {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(50 * time.Millisecond)
	if got := len(envoy.Received(r.Path)); got != r.Want.Tries {
		return []string{fmt.Sprintf("backends got the request %d times, want %d", got, r.Want.Tries)}
	}
	return nil
}
