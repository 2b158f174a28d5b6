package fake

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Server has many worlds, each below an address of its own: <address>/worlds/<name> is what GITHUB_API_URL holds for github.com,
// <address>/worlds/<name>/api/v3 for a GitHub Enterprise Server.
type Server struct {
	gitHub, enterprise *contract
	graph              *graph

	mu     sync.Mutex
	worlds map[string]*world
}

// New makes a server without worlds.
func New() (*Server, error) {
	s := &Server{worlds: map[string]*world{}}
	var err error
	if s.gitHub, s.enterprise, err = contracts(); err != nil {
		return nil, err
	}
	s.graph, err = newGraph()
	return s, err
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if path, ok := strings.CutPrefix(r.URL.Path, "/control/"); ok {
		s.control(w, r, path)
		return
	}
	rest, ok := strings.CutPrefix(r.URL.Path, "/worlds/")
	name, _, _ := strings.Cut(rest, "/")
	there := s.world(name)
	if !ok || there == nil {
		http.Error(w, "no such world", http.StatusNotFound)
		return
	}
	call := &call{world: there, contract: s.gitHub, graph: s.graph, root: "http://" + r.Host + "/worlds/" + name, request: r}
	trim := "/worlds/" + name
	if strings.HasPrefix(r.URL.Path, trim+"/api/") {
		call.contract = s.enterprise
		trim += "/api"
		if strings.HasPrefix(r.URL.Path, trim+"/v3/") {
			trim += "/v3"
		}
	}
	r.URL.Path, r.URL.RawPath = strings.TrimPrefix(r.URL.Path, trim), strings.TrimPrefix(r.URL.RawPath, trim)
	call.root = "http://" + r.Host + trim
	call.serve(w)
}

func (s *Server) world(name string) *world {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.worlds[name]
}

// call is one request to a world.
type call struct {
	world    *world
	contract *contract
	graph    *graph
	root     string // the address of the API
	request  *http.Request
	body     []byte
	account  Account
}

// answer is a response as data. Form is written as JSON.
type answer struct {
	status int
	header map[string]string
	form   any
	text   []byte
}

// serve checks the request, carries it out, and checks the answer, with the fault that is set for it.
func (c *call) serve(w http.ResponseWriter) {
	var err error
	if c.body, err = io.ReadAll(io.LimitReader(c.request.Body, 8<<20)); err != nil {
		return // the client went away
	}
	c.world.mu.Lock()
	c.world.requests = append(c.world.requests, c.request.Method+" "+c.request.URL.RequestURI())
	fault, _ := c.world.fault(c.request.Method, c.request.URL.Path)
	c.world.mu.Unlock()
	if fault.Hold != "" {
		place := c.world.hold(fault.Hold)
		place.held <- struct{}{}
		<-place.release
	}
	time.Sleep(time.Duration(fault.Delay) * time.Millisecond)
	var usual answer
	if fault.carriesOut() {
		usual = c.checked()
	}
	if fault.Status != 0 {
		usual = answer{status: fault.Status, header: fault.Header, text: []byte(fault.Body)}
	}
	if fault.Reset || fault.Truncate {
		breakOff(w, usual, fault.Reset)
		return
	}
	usual.write(w)
}

// checked carries a request out that is as GitHub describes it.
func (c *call) checked() answer {
	if c.request.URL.Path == "/graphql" {
		return c.graphQL().encoded()
	}
	c.request.Body = io.NopCloser(bytes.NewReader(c.body))
	input, err := c.contract.request(c.request)
	if err != nil {
		c.world.violated(fmt.Sprintf("a request that GitHub does not describe: %s %s: %v", c.request.Method, c.request.URL, err))
		return refusal(http.StatusBadRequest, "not in the description")
	}
	usual := c.answer()
	c.contract.fill(input, &usual)
	usual = usual.encoded()
	if err := c.contract.answer(input, usual); err != nil {
		c.world.violated(fmt.Sprintf("the fake answers %s %s as GitHub would not: %v", c.request.Method, c.request.URL, err))
	}
	return usual
}

func (a answer) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	for name, value := range a.header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(a.text)
}

// breakOff ends the connection: at once with a reset, or in the middle of the answer.
func breakOff(w http.ResponseWriter, a answer, reset bool) {
	connection, buffered, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err) // the server speaks HTTP/1.1 without TLS
	}
	defer connection.Close()
	if reset {
		_ = connection.(*net.TCPConn).SetLinger(0)
		return
	}
	fmt.Fprintf(buffered, "HTTP/1.1 %d x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", a.status, len(a.text)+9, a.text[:len(a.text)/2])
	_ = buffered.Flush()
}
