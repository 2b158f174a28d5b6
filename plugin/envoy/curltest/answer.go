package curltest

import (
	"errors"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
)

// shown is what one answer tells of an outcome: the backend that it comes from, or the status that Envoy answers itself with.
type shown struct {
	backend  table.Backend
	endpoint string
	status   uint32
	redirect bool
}

// noConnection is no answer at all.
var noConnection = shown{}

// shows reads an answer, or why there is none: curl ends with a code of its own where nobody listens (7), nobody speaks TLS (35), or the
// connection is closed over what it sends (16, 55) or has sent (52, 56).
func (s side) shows(answer envoytest.Answer, err error) (shown, error) {
	var ended *exec.ExitError
	switch {
	case errors.As(err, &ended) && slices.Contains([]int{7, 16, 35, 52, 55, 56}, ended.ExitCode()):
		return noConnection, nil
	case err != nil:
		return noConnection, err
	case answer.Seen != nil:
		return shown{backend: s.identify(answer.Cluster), endpoint: answer.Seen.Endpoint}, nil
	}
	return shown{status: status(answer), redirect: answer.Headers.Get("Location") != ""}, nil
}

// status is that of HTTP. A client of gRPC is told by a status of its own, of which two stand for one each that tables give.
func status(answer envoytest.Answer) uint32 {
	switch answer.Headers.Get("Grpc-Status") {
	case "7":
		return 403
	case "12":
		return 404
	case "14":
		return 503
	}
	return uint32(answer.Status)
}

func (s side) identify(cluster string) table.Backend {
	for _, known := range s.set.AllClusters() {
		if known.GetName() == cluster {
			return s.names.Identify(known)
		}
	}
	return table.Backend{Cluster: cluster}
}

// text is how the comment ahead of a command says it; the kind of a backend may stand before it, and its namespace.
func (s shown) text() string {
	switch {
	case s == noConnection:
		return "no connection"
	case s.status != 0:
		return strconv.Itoa(int(s.status))
	}
	named := s.backend
	named.Kind = ""
	return named.String()
}

// states tells whether an outcome allows what is shown.
func states(o table.Outcome, s shown) bool {
	switch o.Kind {
	case table.ToBackends:
		return slices.ContainsFunc(o.Backends, func(share table.Share) bool {
			if share.Backend.Cluster == table.Closed {
				return s == noConnection
			}
			if share.Backend.Status != 0 {
				return s.status == share.Backend.Status
			}
			return s.backend == share.Backend && statesEndpoint(o, s.endpoint)
		})
	case table.Redirected:
		return s.status == o.Status && s.redirect
	case table.Answered:
		return s.status == o.Status
	case table.NoRoute:
		return s.status == 404
	case table.Mixed:
		return slices.ContainsFunc(o.Parts, func(p table.Part) bool { return states(p.Outcome, s) })
	case report.NotServed:
		return s == noConnection
	}
	return false
}

// statesEndpoint: where the endpoints are what changes, few are all listed.
func statesEndpoint(o table.Outcome, endpoint string) bool {
	for _, t := range o.Treatment {
		if t.Name == "endpoints" && strings.Contains(t.Value, ":") && !strings.Contains(t.Value, "among them") {
			return strings.Contains(t.Value, endpoint)
		}
	}
	return true
}
