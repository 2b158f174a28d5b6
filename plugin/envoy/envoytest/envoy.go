package envoytest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/routedelta/routedelta/render/files"
)

// Envoy is a real Envoy that serves a rendering, with an echo in the place of each backend.
type Envoy struct {
	*Process
	// Served is what the files hold: the rendering, with sockets and echoes in it.
	Served *files.Set
	ports  map[uint32]bool
	echoes *echoes
	// datagrams are the ports that take UDP.
	datagrams *datagrams

	mu   sync.Mutex
	idle map[route][]*connection
	// http2 are the clients for HTTP/2, by port.
	http2 map[uint32]*http.Client
}

// route is where a connection leads.
type route struct {
	port   uint32
	tls    bool
	name   string
	client Client
}

// Start serves a rendering as Envoy reads it from its files. It ends with the test. That Envoy runs does not mean that it
// took everything: see RequireLoaded.
func Start(t testing.TB, set *files.Set) *Envoy {
	t.Helper()
	return StartAs(t, set, files.Options{})
}

// StartAs is Start with files of another format or form.
func StartAs(t testing.TB, set *files.Set, options files.Options) *Envoy {
	t.Helper()
	root := newRoot(t)
	a := &adaptation{root: root, echoes: startEchoes(t, root), datagrams: newDatagrams(t), ports: map[uint32]bool{}}
	adapted, err := a.set(set)
	if err != nil {
		t.Fatalf("adapting rendering %q: %v", set.Name, err)
	}
	config := filepath.Join(root, "config")
	bootstrap, err := writeSet(config, adapted, options)
	if err != nil {
		t.Fatalf("writing rendering %q: %v", set.Name, err)
	}
	e := &Envoy{
		Process:   launch(t, config, bootstrap, root, adminClient("unix", adminSocket(root))),
		Served:    adapted,
		ports:     a.ports,
		echoes:    a.echoes,
		datagrams: a.datagrams,
		idle:      map[route][]*connection{},
	}
	t.Cleanup(e.hangUp)
	return e
}

// writeSet writes the files and the certificates that they name, and says which file is the bootstrap.
func writeSet(dir string, set *files.Set, options files.Options) (bootstrap string, err error) {
	encoded, err := files.Encode(set, options)
	if err != nil {
		return "", err
	}
	for _, file := range encoded {
		if err := writeInside(dir, file.Path, file.Data); err != nil {
			return "", err
		}
	}
	if err := writeCertificates(dir, set.Secrets); err != nil {
		return "", err
	}
	if err := writeClientAuthorities(dir, set.AllListeners()); err != nil {
		return "", err
	}
	return encoded[0].Path, writeAuthorities(dir, set.AllClusters())
}

func (e *Envoy) hangUp() {
	for _, connections := range e.idle {
		for _, c := range connections {
			c.Close()
		}
	}
}

// Ask sends a request to the listener of a port. The context bounds how long it may take, a minute at most.
func (e *Envoy) Ask(ctx context.Context, port uint32, request Request) (Answer, error) {
	if !e.ports[port] {
		return Answer{}, fmt.Errorf("the rendering has no listener on port %d", port)
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	way := route{port: port}
	if request.TLS != nil {
		way.tls, way.name, way.client = true, request.TLS.ServerName, request.TLS.Client
	}
	c, err := e.connect(way, request.TLS)
	if err != nil {
		return Answer{}, fmt.Errorf("connecting to port %d: %w", port, err)
	}
	stop := context.AfterFunc(ctx, func() { c.Close() })
	answer, err := c.ask(request)
	if !stop() || c.broken {
		c.Close()
	} else {
		e.keep(way, c)
	}
	if err != nil {
		return answer, err
	}
	return answer, answer.trace()
}

// connect takes a connection that waits, or makes one.
func (e *Envoy) connect(way route, over *TLS) (*connection, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if waiting := e.idle[way]; len(waiting) > 0 {
		e.idle[way] = waiting[:len(waiting)-1]
		return waiting[len(waiting)-1], nil
	}
	return dial(listenerSocket(e.root, way.port), over)
}

func (e *Envoy) keep(way route, c *connection) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.idle[way] = append(e.idle[way], c)
}

// trace moves what the trace headers and the echo say into their fields.
func (a *Answer) trace() error {
	for _, field := range []struct {
		name   string
		target *string
	}{{traceRoute, &a.Route}, {traceCluster, &a.Cluster}, {traceFlags, &a.Flags}} {
		if value := a.Headers.Get(field.name); value != "-" {
			*field.target = value
		}
		a.Headers.Del(field.name)
	}
	seen := a.Headers.Get(traceSeen)
	if seen == "" {
		return nil
	}
	a.Headers.Del(traceSeen)
	a.Seen = &Seen{}
	if err := json.Unmarshal([]byte(seen), a.Seen); err != nil {
		return fmt.Errorf("reading what the backend saw: %w", err)
	}
	a.Path, a.Host = a.Seen.Path, a.Seen.Host
	return nil
}
