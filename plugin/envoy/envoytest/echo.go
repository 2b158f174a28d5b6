package envoytest

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"path/filepath"
	"sync"
	"testing"
)

// Seen is a request as a backend received it.
type Seen struct {
	// Endpoint is the address that the rendering names, "10.0.0.7:8080" or "shop.default.svc.cluster.local:80": an echo
	// stands in its place.
	Endpoint string
	Method   string
	Path     string
	Host     string
	Protocol string
	Headers  http.Header
	// Length is that of the body, -1 where it is not said before.
	Length int64
	// ServerName and ClientCertificate are what came over TLS: the SNI name, and the common name of the certificate that was shown.
	ServerName        string
	ClientCertificate string
}

// echoes are the backends: one Unix socket for each address of a rendering, all served by this process. Each answers 200
// with what it saw, in HTTP/1.1 or HTTP/2, in plain text or over TLS, as it is spoken to.
type echoes struct {
	root   string
	server *http.Server

	mu      sync.Mutex
	sockets map[string]string // by address
	names   map[string]string // address by socket
	// received are all requests that came, by path, in their order.
	received map[string][]Seen
}

func startEchoes(t testing.TB, root string) *echoes {
	e := &echoes{root: root, sockets: map[string]string{}, names: map[string]string{}, received: map[string][]Seen{}}
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	// What is refused in a TLS handshake is what a test asks for.
	e.server = &http.Server{Handler: http.HandlerFunc(e.serve), Protocols: &protocols, ErrorLog: log.New(io.Discard, "", 0)}
	t.Cleanup(func() { e.server.Close() })
	return e
}

// socket is where the backend of an address listens; the first call starts it.
func (e *echoes) socket(address string) (string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if socket, ok := e.sockets[address]; ok {
		return socket, nil
	}
	socket := filepath.Join(e.root, fmt.Sprint("echo", len(e.sockets)))
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return "", fmt.Errorf("listening for %s: %w", address, err)
	}
	sniffing, err := sniff(listener)
	if err != nil {
		return "", err
	}
	e.sockets[address], e.names[socket] = socket, address
	// The error is always that of Close at the end of the test.
	go func() { _ = e.server.Serve(sniffing) }()
	return socket, nil
}

func (e *echoes) serve(w http.ResponseWriter, r *http.Request) {
	local := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	e.mu.Lock()
	address := e.names[local.String()]
	e.mu.Unlock()
	received := Seen{Endpoint: address, Method: r.Method, Path: r.RequestURI, Host: r.Host, Protocol: r.Proto, Headers: r.Header, Length: r.ContentLength}
	if r.TLS != nil {
		received.ServerName = r.TLS.ServerName
		if shown := r.TLS.PeerCertificates; len(shown) > 0 {
			received.ClientCertificate = shown[0].Subject.CommonName
		}
	}
	count := e.note(received)
	if r.URL.Path == checkPath {
		authorize(w, r, address)
		return
	}
	w.Header().Set(AnsweredBy, address)
	if request := r.Header.Get(TroubleHeader); request != "" && trouble(w, request, count) {
		return
	}
	seen, err := json.Marshal(received)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotImplemented)
		return
	}
	// In a header, since the answer to HEAD has no body.
	w.Header().Set(traceSeen, string(seen))
	// A client that does not read its answer has gone.
	_, _ = io.WriteString(w, address)
}
