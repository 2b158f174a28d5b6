package echo

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/websocket"
)

// httpAnswer says who answers a request and what arrived of it.
type httpAnswer struct {
	Path      string              `json:"path"`
	Host      string              `json:"host"`
	Method    string              `json:"method"`
	Protocol  string              `json:"proto"`
	Headers   map[string][]string `json:"headers"`
	HTTPPort  string              `json:"httpPort"`
	Namespace string              `json:"namespace"`
	Service   string              `json:"service"`
	Pod       string              `json:"pod"`
	TLS       *httpTLS            `json:"tls,omitempty"`
}

type httpTLS struct {
	Version            string   `json:"version"`
	PeerCertificates   []string `json:"peerCertificates,omitempty"`
	ServerName         string   `json:"serverName"`
	NegotiatedProtocol string   `json:"negotiatedProtocol,omitempty"`
	CipherSuite        string   `json:"cipherSuite"`
}

// startHTTP opens HTTP, h2c, and HTTPS where there is a certificate.
func (p Pod) startHTTP(servers *Servers) error {
	plain, err := p.listen("HTTP_PORT", 3000)
	if err != nil {
		return err
	}
	_, port, err := net.SplitHostPort(plain.Addr().String())
	if err != nil {
		return err
	}
	h := &httpServer{pod: p, port: port, retries: retries{attempts: map[string]int{}}}
	servers.serveHTTP(plain, &http.Server{Handler: h.handler()})

	h2c, err := p.listen("H2C_PORT", 3001)
	if err != nil {
		return err
	}
	protocols := &http.Protocols{}
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true)
	servers.serveHTTP(h2c, &http.Server{Handler: http.HandlerFunc(h.h2c), Protocols: protocols})

	config := p.serverTLS("TLS_SERVER_PRIVKEY")
	if config == nil {
		return nil
	}
	secure, err := p.listen("HTTPS_PORT", 8443)
	if err != nil {
		return err
	}
	servers.serveHTTP(secure, &http.Server{Handler: h.handler(), TLSConfig: config})
	return nil
}

// serveHTTP serves a listener until the servers are closed.
func (s *Servers) serveHTTP(listener net.Listener, server *http.Server) {
	s.closers = append(s.closers, server)
	go func() {
		// Both give the error that they were closed.
		if server.TLSConfig != nil {
			_ = server.ServeTLS(listener, "", "")
			return
		}
		_ = server.Serve(listener)
	}()
}

type httpServer struct {
	pod     Pod
	port    string
	retries retries
}

func (h *httpServer) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/health", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "OK") })
	mux.HandleFunc("/status/", status)
	mux.HandleFunc("/retry/", h.retry)
	mux.HandleFunc("/", h.echo)
	mux.Handle("/ws", websocket.Handler(func(socket *websocket.Conn) { _, _ = io.Copy(socket, socket) }))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Else the mux redirects a path with two slashes instead of echoing it.
		r.URL.Path = strings.ReplaceAll(r.URL.Path, "//", "/")
		mux.ServeHTTP(w, r)
	})
}

// h2c refuses what is not HTTP/2: that is how the suite sees that a gateway speaks it.
func (h *httpServer) h2c(w http.ResponseWriter, r *http.Request) {
	if r.ProtoMajor != 2 && r.Header.Get("Upgrade") != "h2c" {
		http.Error(w, "Expected h2c request", http.StatusBadRequest)
		return
	}
	h.echo(w, r)
}

var statusPath = regexp.MustCompile(`^/status/(\d\d\d)$`)

// status answers with the status that the path names.
func status(w http.ResponseWriter, r *http.Request) {
	code := http.StatusBadRequest
	if match := statusPath.FindStringSubmatch(r.RequestURI); match != nil {
		code, _ = strconv.Atoi(match[1])
	}
	w.WriteHeader(code)
}

func (h *httpServer) echo(w http.ResponseWriter, r *http.Request) {
	h.pod.Log(fmt.Sprintf("Echoing back request made to %s to client (%s)", r.RequestURI, r.RemoteAddr))
	if err := sleep(r.FormValue("delay")); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	addWantedHeaders(w.Header(), r.Header["X-Echo-Set-Header"])
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_ = json.NewEncoder(w).Encode(h.answer(r))
}

func (h *httpServer) answer(r *http.Request) httpAnswer {
	answer := httpAnswer{
		Path: r.RequestURI, Host: r.Host, Method: r.Method, Protocol: r.Proto, Headers: r.Header, HTTPPort: h.port,
		Namespace: h.pod.Namespace, Service: h.pod.Environment["SERVICE_NAME"], Pod: h.pod.Name,
	}
	if state := r.TLS; state != nil {
		answer.TLS = &httpTLS{
			Version: versionName(state.Version), PeerCertificates: encodeCertificates(state.PeerCertificates),
			ServerName: state.ServerName, NegotiatedProtocol: state.NegotiatedProtocol, CipherSuite: cipherSuite(state),
		}
	}
	return answer
}

// addWantedHeaders sets headers that a request asks for, "name:value" each, in the letters in which it writes them.
func addWantedHeaders(headers http.Header, wanted []string) {
	for _, list := range wanted {
		for pair := range strings.SplitSeq(list, ",") {
			name, value, _ := strings.Cut(strings.TrimSpace(pair), ":")
			if len(headers[name]) == 0 {
				headers[name] = []string{value}
			} else {
				headers[name][0] += "," + strings.TrimSpace(value)
			}
		}
	}
}

// abort ends a connection with a reset, so that its client sees a failure and no answer.
func abort(w http.ResponseWriter) error {
	hijacker, ok := w.(http.Hijacker)
	if !ok {
		return errors.New("the connection cannot be taken over")
	}
	connection, _, err := hijacker.Hijack()
	if err != nil {
		return err
	}
	if tcp, ok := connection.(*net.TCPConn); ok {
		if err := tcp.SetLinger(0); err != nil {
			return err
		}
	}
	return connection.Close()
}
