package envoy_test

import (
	"fmt"
	"maps"
	"math"
	"net"
	"slices"
	"testing"

	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
	"github.com/routedelta/routedelta/render/files"
)

// shareRequests is how often a request is sent whose answers are to have shares.
const shareRequests = 1000

// ask sends a request and tells how the answer differs from what is wanted.
func (r caseRequest) ask(t *testing.T, envoy *envoytest.Envoy, set *files.Set) []string {
	t.Helper()
	port, err := r.port(set)
	if err != nil {
		return []string{err.Error()}
	}
	backends := backendNames(set)
	if r.Want.Split != nil || r.Want.Share != nil {
		return r.askShares(t, envoy, port, backends)
	}
	answer, err := envoy.Ask(t.Context(), port, r.request())
	if err != nil {
		return []string{err.Error()}
	}
	return r.Want.differences(answer, backends)
}

// port is the one that is written, else the Gateway's only one, else the scheme's own.
func (r caseRequest) port(set *files.Set) (uint32, error) {
	listeners := set.AllListeners()
	switch {
	case r.Port != 0:
		return r.Port, nil
	case len(listeners) == 0:
		return 0, fmt.Errorf("the rendering has no listener")
	case len(listeners) == 1:
		return listeners[0].GetAddress().GetSocketAddress().GetPortValue(), nil
	case r.Scheme == "https":
		return 443, nil
	}
	return 80, nil
}

func (r caseRequest) request() envoytest.Request {
	request := envoytest.Request{Method: r.Method, Host: r.Host, Path: r.Path}
	for _, name := range slices.Sorted(maps.Keys(r.Headers)) {
		request.Headers = append(request.Headers, envoytest.Header{Name: name, Value: r.Headers[name]})
	}
	if r.Scheme == "https" {
		server, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			server = r.Host // without a port
		}
		request.TLS = &envoytest.TLS{ServerName: server}
	}
	return request
}

// differences compares one answer.
func (w answerWanted) differences(answer envoytest.Answer, backends map[string]string) []string {
	var found []string
	compare := func(what, want, got string) {
		if want != "" && want != got {
			found = append(found, fmt.Sprintf("%s is %q, want %q", what, got, want))
		}
	}
	if w.Backend != "" {
		compare("outcome", w.Backend, outcome(answer, backends))
	}
	if w.Status != 0 {
		compare("outcome", fmt.Sprint(w.Status), outcome(answer, backends))
	}
	compare("cluster", w.Cluster, answer.Cluster)
	compare("location", w.Location, answer.Headers.Get("Location"))
	compare("path at the backend", w.Path, answer.Path)
	compare("certificate", w.Certificate, answer.Certificate)
	if w.Endpoint != "" {
		if answer.Seen == nil {
			return append(found, "no backend saw the request")
		}
		compare("endpoint", w.Endpoint, answer.Seen.Endpoint)
	}
	return found
}

// outcome is "namespace/service:port" for an answer of a backend, else the status.
func outcome(answer envoytest.Answer, backends map[string]string) string {
	if answer.Seen == nil {
		return fmt.Sprint(answer.Status)
	}
	if name, ok := backends[answer.Cluster]; ok {
		return name
	}
	return "cluster " + answer.Cluster
}

// backendNames says of each cluster which backend it is, as its metadata does.
func backendNames(set *files.Set) map[string]string {
	names := map[string]string{}
	for _, cluster := range set.AllClusters() {
		fields := cluster.GetMetadata().GetFilterMetadata()["routedelta"].GetFields()
		names[cluster.GetName()] = fmt.Sprintf("%s/%s:%v",
			fields["namespace"].GetStringValue(), fields["name"].GetStringValue(), fields["port"].GetNumberValue())
	}
	return names
}

// askShares sends a request many times and compares the shares of its outcomes.
func (r caseRequest) askShares(t *testing.T, envoy *envoytest.Envoy, port uint32, backends map[string]string) []string {
	t.Helper()
	counts := map[string]int{}
	for range shareRequests {
		answer, err := envoy.Ask(t.Context(), port, r.request())
		if err != nil {
			return []string{err.Error()}
		}
		counts[outcome(answer, backends)]++
	}
	want := map[string]float64{}
	if r.Want.Share != nil {
		want[r.Want.Backend] = *r.Want.Share
	}
	for _, part := range r.Want.Split {
		name := part.Backend
		if part.Status != 0 {
			name = fmt.Sprint(part.Status)
		}
		want[name] = part.Share
	}
	var found []string
	for name, count := range counts {
		if _, ok := want[name]; !ok {
			found = append(found, fmt.Sprintf("%d of %d requests end at %s, want none", count, shareRequests, name))
		}
	}
	for name, share := range want {
		// Five standard deviations: a right share fails once in two million runs.
		slack := 5 * math.Sqrt(share*(1-share)/shareRequests)
		if got := float64(counts[name]) / shareRequests; math.Abs(got-share) > slack {
			found = append(found, fmt.Sprintf("a share of %.3f ends at %s, want %.3f", got, name, share))
		}
	}
	return slices.Sorted(slices.Values(found))
}
