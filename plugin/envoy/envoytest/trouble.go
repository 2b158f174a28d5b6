package envoytest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// TroubleHeader asks the echo that receives a request for trouble: "fail 503 2" answers 503 the first two times that the path is asked
// for, "close 1" closes the connection the first time, "sleep 200ms" answers late.
const TroubleHeader = "X-Envoytest-Trouble"

// note keeps a request for Received and counts it, by path.
func (e *echoes) note(seen Seen) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.received[seen.Path] = append(e.received[seen.Path], seen)
	return len(e.received[seen.Path])
}

// trouble does what the request asks for, and tells whether that was the answer. count is how often the path has been asked for.
func trouble(w http.ResponseWriter, request string, count int) bool {
	kind, rest, _ := strings.Cut(request, " ")
	status, times := http.StatusOK, 0
	switch kind {
	case "fail":
		_, _ = fmt.Sscan(rest, &status, &times)
	case "close":
		_, _ = fmt.Sscan(rest, &times)
	case "sleep":
		if wait, err := time.ParseDuration(rest); err == nil {
			time.Sleep(wait)
		}
	}
	if count > times {
		return false
	}
	if kind == "close" {
		panic(http.ErrAbortHandler)
	}
	w.WriteHeader(status)
	return true
}

// Received are the requests for a path that the echoes received, copies that Envoy mirrored included, in the order of their arrival. A copy
// may arrive after the answer.
func (e *Envoy) Received(path string) []Seen {
	e.echoes.mu.Lock()
	defer e.echoes.mu.Unlock()
	return slices.Clone(e.echoes.received[path])
}
