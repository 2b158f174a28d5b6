package envoytest

import (
	"context"
	"net"
	"net/http"
	"testing"
)

// Client speaks HTTP/2 with prior knowledge to the listener of a port, as gRPC clients do. There is one for each port, which ends with the
// test.
func (e *Envoy) Client(t testing.TB, port uint32) *http.Client {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.http2 == nil {
		e.http2 = map[uint32]*http.Client{}
	}
	if e.http2[port] == nil {
		e.http2[port] = e.newClient(t, port)
	}
	return e.http2[port]
}

func (e *Envoy) newClient(t testing.TB, port uint32) *http.Client {
	var protocols http.Protocols
	protocols.SetUnencryptedHTTP2(true)
	transport := &http.Transport{
		Protocols: &protocols,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			var dialer net.Dialer
			return dialer.DialContext(ctx, "unix", listenerSocket(e.root, port))
		},
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// Decode takes what Envoy and the echo say of an answer out of its headers.
func Decode(response *http.Response) (Answer, error) {
	answer := Answer{Status: response.StatusCode, Headers: response.Header.Clone()}
	err := answer.trace()
	return answer, err
}
