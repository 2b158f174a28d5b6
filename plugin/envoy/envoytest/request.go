package envoytest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
)

// Request is one request, byte for byte: nothing is escaped, added or put into order.
type Request struct {
	Method string
	// Path is the request target, with the query. Empty is that of a CONNECT request: over HTTP/1.1 Host is the target then, over
	// HTTP/2 it is sent without path and scheme (RFC 9110, 9.3.6; RFC 9113, 8.5).
	Path string
	// Host is the Host header, with the port if one is to be sent.
	Host string
	// Headers follow the Host header as they stand here; a name may stand twice.
	Headers []Header
	// HTTP2 asks over HTTP/2, where Host is :authority. False is HTTP/1.1. Only the oracle speaks HTTP/2.
	HTTP2 bool
	// TLS asks over TLS with this server name; nil is plain text.
	TLS *TLS
}

// TLS says how a request connects.
type TLS struct {
	// ServerName is the SNI name; "" sends none.
	ServerName string
	// Client is the certificate that is shown if Envoy asks for one.
	Client Client
}

// Client is who shows a certificate.
type Client string

const (
	Nobody Client = ""
	// Trusted shows the certificate client/tls.crt, which is its own CA.
	Trusted Client = "trusted"
	// Stranger shows one of a CA that nobody knows.
	Stranger Client = "stranger"
)

// Header is one header line.
type Header struct{ Name, Value string }

// Answer is what came back.
type Answer struct {
	// Status is 0 where HTTP/2 has none: the stream was reset, or the connection closed.
	Status  int
	Headers http.Header
	Body    string
	// Route, Cluster and Flags are what Envoy says of its choice: route name, cluster name and response flags ("NR": no
	// route, "UH": no healthy endpoint, "NC": no such cluster). "" is: none.
	Route, Cluster, Flags string
	// Path and Host are those that go to the backend, or in an answer of the oracle would go: after rewrites.
	Path, Host string
	// Certificate is the common name of the certificate that Envoy showed, over TLS.
	Certificate string
	// Seen is what the echo backend received; nil if the answer is Envoy's own.
	Seen *Seen
}

// bytes is the request on the wire.
func (r Request) bytes() []byte {
	var b bytes.Buffer
	target := r.Path
	if target == "" {
		target = r.Host
	}
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nhost: %s\r\n", r.Method, target, r.Host)
	for _, h := range r.Headers {
		fmt.Fprintf(&b, "%s: %s\r\n", h.Name, h.Value)
	}
	b.WriteString("\r\n")
	return b.Bytes()
}

// connection is a client's connection of HTTP/1.1 with one request in flight. Envoy closes a connection on which requests for its
// own answers are pipelined, after two of them.
type connection struct {
	net.Conn
	reader *bufio.Reader
	// certificate is the common name of the server's certificate.
	certificate string
	// broken: the connection cannot be used for another request.
	broken bool
}

func newConnection(c net.Conn) *connection {
	return &connection{Conn: c, reader: bufio.NewReader(c)}
}

// ask sends the request and reads its final answer; informational ones (100 Continue) are passed over.
func (c *connection) ask(request Request) (Answer, error) {
	if _, err := c.Write(request.bytes()); err != nil {
		c.broken = true
		return Answer{}, fmt.Errorf("sending %s %s: %w", request.Method, request.Path, err)
	}
	for {
		response, err := http.ReadResponse(c.reader, &http.Request{Method: request.Method})
		if err != nil {
			c.broken = true
			return Answer{}, fmt.Errorf("reading the answer to %s %s: %w", request.Method, request.Path, err)
		}
		body, err := io.ReadAll(response.Body)
		if err != nil {
			c.broken = true
			return Answer{}, fmt.Errorf("reading the body of the answer to %s %s: %w", request.Method, request.Path, err)
		}
		if response.StatusCode/100 == 1 && response.StatusCode != http.StatusSwitchingProtocols {
			continue
		}
		// What follows an answer to CONNECT may be a tunnel.
		c.broken = response.Close || response.StatusCode == http.StatusSwitchingProtocols || request.Method == http.MethodConnect
		return Answer{
			Status: response.StatusCode, Headers: response.Header, Body: string(body), Certificate: c.certificate,
		}, nil
	}
}
