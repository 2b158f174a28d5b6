package envoy_test

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net"
	"slices"
	"syscall"
	"testing"

	endpointv3 "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"

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
	answer, err := r.send(t, envoy, port)
	if err != nil {
		return []string{err.Error()}
	}
	return append(r.Want.differences(answer, backends), r.triesDifference(envoy)...)
}

// send sends the request once. A connection that is closed without an answer is an answer without a status, as a datagram is that
// nothing comes back for.
func (r caseRequest) send(t *testing.T, envoy *envoytest.Envoy, port uint32) (envoytest.Answer, error) {
	ctx := t.Context()
	if r.GRPC {
		return r.call(ctx, envoy.Client(t, port))
	}
	if r.Scheme == "udp" {
		endpoint, err := envoy.AskDatagram(ctx, port)
		if err != nil || endpoint == "" {
			return envoytest.Answer{}, err
		}
		return envoytest.Answer{Seen: &envoytest.Seen{Endpoint: endpoint}}, nil
	}
	answer, err := envoy.Ask(ctx, port, r.request())
	if closedByPeer(err) {
		return envoytest.Answer{}, nil
	}
	return answer, err
}

// closedByPeer tells whether Envoy closed the connection, with an alert of TLS where that is spoken.
func closedByPeer(err error) bool {
	var alert *net.OpError
	if errors.As(err, &alert) && alert.Op == "remote error" {
		return true
	}
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
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
		if r.SNI != nil {
			server = *r.SNI
		}
		request.TLS = &envoytest.TLS{ServerName: server, Client: r.Client}
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
	if w.Closed {
		compare("outcome", closed, outcome(answer, backends))
	}
	if w.Status != 0 {
		compare("outcome", fmt.Sprint(w.Status), outcome(answer, backends))
	}
	compare("cluster", w.Cluster, answer.Cluster)
	compare("location", w.Location, answer.Headers.Get("Location"))
	compare("path at the backend", w.Path, answer.Path)
	compare("certificate", w.Certificate, answer.Certificate)
	compare("gRPC status", w.GRPC, answer.Headers.Get("Grpc-Status"))
	found = append(found, headerDifferences("header", w.Headers, answer.Headers)...)
	if answer.Seen != nil {
		found = append(found, headerDifferences("header at the backend", w.Seen, answer.Seen.Headers)...)
	}
	if w.Endpoint != "" || w.Client != "" || w.ServerName != "" {
		if answer.Seen == nil {
			return append(found, "no backend saw the request")
		}
		compare("endpoint", w.Endpoint, answer.Seen.Endpoint)
		compare("client certificate", w.Client, answer.Seen.ClientCertificate)
		compare("server name at the backend", w.ServerName, answer.Seen.ServerName)
	}
	return found
}

// closed is the outcome of what nobody answers.
const closed = "closed"

// outcome is "namespace/service:port" for an answer of a backend, else the status. Where bytes are passed on Envoy does not name the
// cluster: the backend's address does.
func outcome(answer envoytest.Answer, backends map[string]string) string {
	switch {
	case answer.Seen == nil && answer.Status == 0:
		return closed
	case answer.Seen == nil && answer.Headers.Get("Grpc-Status") != "":
		return "gRPC status " + answer.Headers.Get("Grpc-Status")
	case answer.Seen == nil:
		return fmt.Sprint(answer.Status)
	case answer.Cluster == "":
		return backends[answer.Seen.Endpoint]
	}
	if name, ok := backends[answer.Cluster]; ok {
		return name
	}
	return "cluster " + answer.Cluster
}

// backendNames says of each cluster which backend it is, as its metadata does, and of each address which backend has it.
func backendNames(set *files.Set) map[string]string {
	assignments := map[string]*endpointv3.ClusterLoadAssignment{}
	for _, assignment := range set.Endpoints {
		assignments[assignment.GetClusterName()] = assignment
	}
	names := map[string]string{}
	for _, cluster := range set.AllClusters() {
		fields := cluster.GetMetadata().GetFilterMetadata()["routedelta"].GetFields()
		name := fmt.Sprintf("%s/%s:%v",
			fields["namespace"].GetStringValue(), fields["name"].GetStringValue(), fields["port"].GetNumberValue())
		names[cluster.GetName()] = name
		for _, address := range addresses(cmp.Or(cluster.GetLoadAssignment(), assignments[cluster.GetEdsClusterConfig().GetServiceName()])) {
			names[address] = name
		}
	}
	return names
}

func addresses(assignment *endpointv3.ClusterLoadAssignment) []string {
	var list []string
	for _, locality := range assignment.GetEndpoints() {
		for _, endpoint := range locality.GetLbEndpoints() {
			address := endpoint.GetEndpoint().GetAddress().GetSocketAddress()
			list = append(list, net.JoinHostPort(address.GetAddress(), fmt.Sprint(address.GetPortValue())))
		}
	}
	return list
}

// askShares sends a request many times and compares the shares of its outcomes.
func (r caseRequest) askShares(t *testing.T, envoy *envoytest.Envoy, port uint32, backends map[string]string) []string {
	t.Helper()
	counts := map[string]int{}
	for range shareRequests {
		answer, err := r.send(t, envoy, port)
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
		switch {
		case part.Status != 0:
			name = fmt.Sprint(part.Status)
		case part.Closed:
			name = closed
		case part.GRPC != "":
			name = "gRPC status " + part.GRPC
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
