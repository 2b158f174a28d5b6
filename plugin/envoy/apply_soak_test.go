package envoy_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestApplyLosesNoRequest brings an Envoy from one rendering to the next, again and again, under clients that ask without a pause over
// HTTP/1.1 and HTTP/2, with TLS and without, and under streams that outlast several changes. `make soak-apply` does it 200 times.
func TestApplyLosesNoRequest(t *testing.T) {
	t.Parallel()
	times := 25
	if text := os.Getenv("ROUTEDELTA_APPLIES"); text != "" {
		var err error
		if times, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	w := newApplied(t)
	load := startLoad(t, w.revision)
	var took time.Duration
	for i := range times {
		next := w.next(t, i)
		began := time.Now()
		w.apply(t, next)
		took += time.Since(began)
		w.requireServed(t)
	}
	load.stop(t)
	w.envoy.RequireLoaded(t)
	t.Logf("%d applies, %d ms each; %d requests and %d streams of %v answered, none lost",
		times, took.Milliseconds()/int64(times), load.answered.Load(), load.streamed.Load(), streamParts*streamPause)
}

// next changes one thing, and everything every sixth time.
func (w *applied) next(t *testing.T, i int) revision {
	next := w.revision
	changes := []func(){
		func() { next.Moved = map[string]string{"a": "b", "b": "a"}[next.Moved] },
		func() { next.Replaced = fmt.Sprintf("replaced-%d", i+1) },
		func() { next.Extra = !next.Extra },
		func() { next.Certificate = newPair(t) },
		func() { next.Flipped = w.Ports[0] + w.Ports[1] - next.Flipped },
	}
	for number, change := range changes {
		if i%6 == number || i%6 == len(changes) {
			change()
		}
	}
	return next
}

// requireServed: when Apply returns, the next request is answered by the new rendering.
func (w *applied) requireServed(t *testing.T) {
	t.Helper()
	client := newClient(false, false)
	defer client.CloseIdleConnections()
	names := map[int]string{w.Ports[0]: "one", w.Ports[1]: "two"}
	for path, want := range map[string]string{"/moved": map[string]string{"a": "one", "b": "two"}[w.Moved], "/flipped": names[w.Flipped], "/replaced": "one"} {
		if have, err := ask(t.Context(), client, fmt.Sprintf("http://127.0.0.1:%d%s", w.HTTP, path)); err != nil || have != want {
			t.Fatalf("%s is answered by %q: %v, want %q", path, have, err, want)
		}
	}
	connection, err := tls.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", w.HTTPS), &tls.Config{InsecureSkipVerify: true, ServerName: "shop.example"})
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	if !w.Certificate.shownBy(connection) {
		t.Fatal("Envoy shows another certificate")
	}
}

// load is clients that ask without a pause.
type load struct {
	answered, streamed atomic.Int64
	cancel             context.CancelFunc
	clients            sync.WaitGroup
	lost               chan error
}

func startLoad(t *testing.T, r revision) *load {
	ctx, cancel := context.WithCancel(t.Context())
	l := &load{cancel: cancel, lost: make(chan error, 100)}
	plain, secure := fmt.Sprintf("http://127.0.0.1:%d", r.HTTP), fmt.Sprintf("https://127.0.0.1:%d", r.HTTPS)
	for _, c := range []struct {
		base         string
		http2, fresh bool
	}{{plain, false, false}, {plain, false, true}, {plain, true, false}, {secure, false, false}, {secure, true, false}} {
		l.clients.Go(func() { l.run(ctx, newClient(c.http2, c.fresh), c.base, "", &l.answered) })
	}
	for _, c := range []struct {
		base  string
		http2 bool
	}{{plain, false}, {plain, true}, {secure, false}, {secure, true}} {
		l.clients.Go(func() { l.run(ctx, newClient(c.http2, false), c.base, "/stream", &l.streamed) })
	}
	return l
}

// run asks for one path after the other until the load stops.
func (l *load) run(ctx context.Context, client *http.Client, base, end string, count *atomic.Int64) {
	defer client.CloseIdleConnections()
	paths := [...]string{"/moved", "/replaced", "/flipped", "/h2c"}
	for i := 0; ctx.Err() == nil; i++ {
		path := paths[i%len(paths)] + end
		// The request itself is not cancelled: all that were begun are to end well.
		said, err := ask(context.WithoutCancel(ctx), client, base+path)
		if err == nil && said != whole("one", end) && said != whole("two", end) {
			err = fmt.Errorf("the answer is %q", said)
		}
		if err == nil {
			count.Add(1)
			continue
		}
		select {
		case l.lost <- fmt.Errorf("%s%s, client over HTTP/%v: %w", base, path, client.Transport.(*http.Transport).Protocols, err):
		default:
			return
		}
	}
}

// whole is the answer of a server to a path that ends like this.
func whole(name, end string) string {
	if end == "" {
		return name
	}
	return strings.Repeat(name, streamParts)
}

func (l *load) stop(t *testing.T) {
	t.Helper()
	l.cancel()
	l.clients.Wait()
	close(l.lost)
	for err := range l.lost {
		t.Errorf("a request is lost: %v", err)
	}
}

// newClient is a client with a connection of its own, or with one for each request.
func newClient(http2, fresh bool) *http.Client {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(!http2)
	protocols.SetHTTP2(http2)
	protocols.SetUnencryptedHTTP2(http2)
	return &http.Client{Transport: &http.Transport{
		Protocols: protocols, DisableKeepAlives: fresh,
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true, ServerName: "shop.example"},
	}}
}

// ask sends a POST, which no client repeats by itself once it has been sent.
func ask(ctx context.Context, client *http.Client, url string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader("request"))
	if err != nil {
		return "", err
	}
	request.Host = "shop.example"
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = errors.New(response.Status)
	}
	return string(body), err
}
