package xds_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/model"
	"github.com/routedelta/routedelta/render/xds"
)

// atAddresses is a backend with several addresses of its own.
func atAddresses(name string, addresses ...string) *model.Backend {
	b := &model.Backend{Name: shop(name), Port: 80, Endpoints: []model.Locality{{}}}
	for _, address := range addresses {
		b.Endpoints[0].Endpoints = append(b.Endpoints[0].Endpoints, model.Endpoint{Address: address, Port: 8080})
	}
	return b
}

// oneHost serves rules on any host.
func oneHost(t *testing.T, rules ...model.Rule) *envoytest.Envoy {
	t.Helper()
	return serve(t, plainGateway(80, model.Host{Hostname: "*", Rules: rules}))
}

func askAs(t *testing.T, envoy *envoytest.Envoy, method, path string, headers ...string) envoytest.Answer {
	t.Helper()
	request := envoytest.Request{Method: method, Host: "a.example", Path: path}
	for i := 0; i < len(headers); i += 2 {
		request.Headers = append(request.Headers, envoytest.Header{Name: headers[i], Value: headers[i+1]})
	}
	answer, err := envoy.Ask(t.Context(), 80, request)
	if err != nil {
		t.Fatalf("asking %s %s: %v", method, path, err)
	}
	return answer
}

func withCORS(c model.CORS) model.Action {
	action := to(serving("web"))
	action.CORS = &c
	return action
}

// TestCORS is HTTPCORSFilter: which origins are allowed, and what "*" means with and without credentials.
func TestCORS(t *testing.T) {
	listed := model.CORS{
		Origins: []string{"https://a.example", "https://*.b.example", "https://*.port.example:8443"},
		Methods: []string{"GET", "PUT"}, RequestHeaders: []string{"x-1", "x-2"}, ExposeHeaders: []string{"x-3"}, Credentials: true, MaxAge: 60,
	}
	everything := model.CORS{Origins: []string{"*"}, Methods: []string{"*"}, RequestHeaders: []string{"*"}, MaxAge: 5}
	credentials := everything
	credentials.Credentials = true
	weighted := model.Action{Backends: []model.WeightedBackend{{Weight: 1, Backend: serving("web"), CORS: &listed}, {Weight: 1, Backend: serving("other")}}}
	envoy := oneHost(t,
		rule("/listed", withCORS(listed)), rule("/everything", withCORS(everything)), rule("/credentials", withCORS(credentials)),
		rule("/nobody", withCORS(model.CORS{MaxAge: 5})), rule("/weighted", weighted), rule("/", to(serving("web"))))

	for _, c := range []struct {
		path, origin string
		allowed      bool
		methods      string
	}{
		{"/listed", "https://a.example", true, "GET, PUT"},
		{"/listed", "http://a.example", false, ""},
		{"/listed", "https://a.example:8443", false, ""},
		{"/listed", "https://x.b.example", true, "GET, PUT"},
		{"/listed", "https://x.y.b.example", true, "GET, PUT"},
		{"/listed", "https://b.example", false, ""},
		{"/listed", "https://x.b.example:8443", false, ""},
		{"/listed", "https://x.b.example.evil", false, ""},
		{"/listed", "https://xb.example", false, ""},
		{"/listed", "https://evil/x.b.example", false, ""},
		{"/listed", "https://x.port.example:8443", true, "GET, PUT"},
		{"/everything", "https://z.example:1", true, "PUT"},
		{"/everything", "null", true, "PUT"},
		{"/credentials", "https://z.example", true, "PUT"},
		{"/nobody", "https://z.example", false, ""},
	} {
		want := ""
		if c.allowed {
			want = c.origin
		}
		preflight := askAs(t, envoy, "OPTIONS", c.path, "origin", c.origin, "access-control-request-method", "PUT", "access-control-request-headers", "x-9")
		if preflight.Seen != nil || preflight.Status != 200 {
			t.Errorf("%s: the preflight of %s is not answered by Envoy: status %d", c.path, c.origin, preflight.Status)
		}
		if got := preflight.Headers.Get("Access-Control-Allow-Origin"); got != want {
			t.Errorf("%s: a preflight allows %s origin %q, want %q", c.path, c.origin, got, want)
		}
		if got := preflight.Headers.Get("Access-Control-Allow-Methods"); c.allowed && got != c.methods {
			t.Errorf("%s: a preflight allows %s methods %q, want %q", c.path, c.origin, got, c.methods)
		}
		simple := askAs(t, envoy, "GET", c.path, "origin", c.origin)
		if got := simple.Headers.Get("Access-Control-Allow-Origin"); got != want || simple.Seen == nil {
			t.Errorf("%s: a request of %s allows origin %q, want %q", c.path, c.origin, got, want)
		}
	}

	headers := askAs(t, envoy, "OPTIONS", "/listed", "origin", "https://a.example", "access-control-request-method", "PUT").Headers
	for name, want := range map[string]string{
		"Access-Control-Allow-Credentials": "true", "Access-Control-Allow-Headers": "x-1, x-2", "Access-Control-Expose-Headers": "x-3", "Access-Control-Max-Age": "60",
	} {
		if got := headers.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	for path, want := range map[string]string{"/everything": "", "/credentials": "true"} {
		headers := askAs(t, envoy, "OPTIONS", path, "origin", "https://a.example", "access-control-request-method", "PUT", "access-control-request-headers", "x-9").Headers
		if got := headers.Get("Access-Control-Allow-Credentials"); got != want {
			t.Errorf("%s: Access-Control-Allow-Credentials is %q, want %q", path, got, want)
		}
		if got := headers.Get("Access-Control-Allow-Headers"); got != "x-9" {
			t.Errorf("%s: Access-Control-Allow-Headers is %q, want those that are asked for", path, got)
		}
	}
	if answer := askAs(t, envoy, "OPTIONS", "/", "origin", "https://a.example", "access-control-request-method", "PUT"); answer.Seen == nil {
		t.Error("a preflight for a rule without CORS does not reach its backend")
	}
	var both [2]int
	for range 60 {
		if askAs(t, envoy, "GET", "/weighted", "origin", "https://a.example").Headers.Get("Access-Control-Allow-Origin") != "" {
			both[1]++
		} else {
			both[0]++
		}
	}
	if both[0] == 0 || both[1] == 0 {
		t.Errorf("CORS of one of two backends: %d answers without, %d with it", both[0], both[1])
	}
}

// TestMirrors: a copy has the Host header of the request, and a part of the requests is a part.
func TestMirrors(t *testing.T) {
	all, some := to(serving("web")), to(serving("web"))
	first, second := atAddresses("first", "192.0.2.11"), atAddresses("second", "192.0.2.12")
	all.Mirrors = []model.Mirror{{Backend: first, Numerator: 1, Denominator: 1}, {Backend: second, Numerator: 1, Denominator: 1}}
	some.Mirrors = []model.Mirror{{Backend: first, Numerator: 1, Denominator: 3}}
	envoy := oneHost(t, rule("/all", all), rule("/some", some))
	if answer := askAs(t, envoy, "GET", "/all/x"); answer.Seen == nil || answer.Seen.Endpoint != "192.0.2.1:8080" {
		t.Errorf("the answer is not the backend's: %+v", answer)
	}
	received := waitFor(t, envoy, "/all/x", 3)
	copies := map[string]string{}
	for _, seen := range received {
		copies[seen.Endpoint] = seen.Host
	}
	for _, address := range []string{"192.0.2.1:8080", "192.0.2.11:8080", "192.0.2.12:8080"} {
		if copies[address] != "a.example" {
			t.Errorf("%s saw host %q", address, copies[address])
		}
	}
	const asked = 600
	for range asked {
		askAs(t, envoy, "GET", "/some")
	}
	time.Sleep(200 * time.Millisecond)
	mirrored := len(envoy.Received("/some")) - asked
	if mirrored < asked/3-60 || mirrored > asked/3+60 { // five standard deviations
		t.Errorf("%d of %d requests are copied, want a third", mirrored, asked)
	}
}

// waitFor gives what the echoes received for a path, once there are so many.
func waitFor(t *testing.T, envoy *envoytest.Envoy, path string, count int) []envoytest.Seen {
	t.Helper()
	for range 200 {
		if received := envoy.Received(path); len(received) >= count {
			return received
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%d requests for %s arrived, want %d", len(envoy.Received(path)), path, count)
	return nil
}

// TestRetry is HTTPRouteRetry: what is tried again, how often, and what a timeout of one try does.
func TestRetry(t *testing.T) {
	retrying := func(retry model.Retry, backend, request time.Duration) model.Action {
		action := to(serving("web"))
		action.Retry = &retry
		if backend > 0 {
			action.BackendTimeout = &backend
		}
		if request > 0 {
			action.RequestTimeout = &request
		}
		return action
	}
	none, two := uint32(0), uint32(2)
	short := time.Millisecond
	envoy := oneHost(t,
		rule("/two", retrying(model.Retry{Codes: []uint32{500, 503}, Attempts: &two, Backoff: &short}, 0, 0)),
		rule("/default", retrying(model.Retry{Codes: []uint32{503}}, 0, 0)),
		rule("/none", retrying(model.Retry{Codes: []uint32{503}, Attempts: &none}, 0, 0)),
		rule("/codes", retrying(model.Retry{Attempts: &two}, 0, 0)),
		rule("/slow", retrying(model.Retry{Attempts: &two, Backoff: &short}, 100*time.Millisecond, 0)),
		rule("/bounded", retrying(model.Retry{Attempts: &two, Backoff: &short}, 200*time.Millisecond, 300*time.Millisecond)),
	)
	for _, c := range []struct {
		path, trouble string
		status, tries int
	}{
		{"/two/recovers", "fail 503 2", 200, 3},
		{"/two/other-code", "fail 500 1", 200, 2},
		{"/two/gives-up", "fail 500 9", 500, 3},
		{"/two/not-listed", "fail 502 9", 502, 1},
		{"/two/closed", "close 1", 200, 2},
		{"/default/recovers", "fail 503 1", 200, 2},
		{"/default/gives-up", "fail 503 9", 503, 2},
		{"/none/never", "fail 503 9", 503, 1},
		{"/codes/closed", "close 2", 200, 3},
		{"/codes/no-code", "fail 503 9", 503, 1},
		{"/slow/each-try", "sleep 400ms", 504, 3},
		{"/bounded/by-request", "sleep 1s", 504, 2},
	} {
		answer := askAs(t, envoy, "GET", c.path, envoytest.TroubleHeader, c.trouble)
		if tries := len(envoy.Received(c.path)); answer.Status != c.status || tries != c.tries {
			t.Errorf("%s with %q: status %d after %d tries, want %d after %d", c.path, c.trouble, answer.Status, tries, c.status, c.tries)
		}
	}
}

// TestManyRetries: requests that fail all at once are all tried again. Envoy's own limit would end most of them.
func TestManyRetries(t *testing.T) {
	const parallel = 24
	wait := 300 * time.Millisecond
	action := to(serving("web"))
	action.Retry = &model.Retry{Codes: []uint32{503}, Backoff: &wait}
	set, _ := xds.Build(plainGateway(80, model.Host{Hostname: "*", Rules: []model.Rule{rule("/", action)}}), xds.Options{})
	byDefault := set.Clone()
	for _, cluster := range byDefault.Clusters {
		cluster.CircuitBreakers = nil
	}
	served := func(set *files.Set) int {
		envoy := envoytest.Start(t, set)
		envoy.RequireLoaded(t)
		var count atomic.Int32
		var clients sync.WaitGroup
		for i := range parallel {
			clients.Go(func() {
				request := envoytest.Request{Method: "GET", Host: "a.example", Path: fmt.Sprint("/", i), Headers: []envoytest.Header{{Name: envoytest.TroubleHeader, Value: "fail 503 1"}}}
				if answer, err := envoy.Ask(t.Context(), 80, request); err == nil && answer.Status == 200 {
					count.Add(1)
				}
			})
		}
		clients.Wait()
		return int(count.Load())
	}
	if got := served(set); got != parallel {
		t.Errorf("%d of %d requests that fail once are served, want all", got, parallel)
	}
	if got := served(byDefault); got >= parallel {
		t.Error("Envoy's own limit lets all retries through: ours has no use")
	}
}

// TestSessions: a cookie or header holds a client at one endpoint.
func TestSessions(t *testing.T) {
	endpoints := []string{"192.0.2.21", "192.0.2.22", "192.0.2.23", "192.0.2.24"}
	keeping := func(s model.Session) model.Action {
		action := to(atAddresses("web", endpoints...))
		action.Session = &s
		return action
	}
	envoy := oneHost(t,
		rule("/cookie", keeping(model.Session{Cookie: true, Name: "s", Path: "/cookie"})),
		rule("/permanent", keeping(model.Session{Cookie: true, Name: "p", Path: "/", Lifetime: time.Hour})),
		rule("/header", keeping(model.Session{Name: "x-session"})),
		rule("/", to(atAddresses("web", endpoints...))))
	for _, c := range []struct{ path, token, attributes string }{
		{"/cookie/x", "Set-Cookie", "; Path=/cookie; HttpOnly"},
		{"/permanent", "Set-Cookie", "; Max-Age=3600; Path=/; HttpOnly"},
		{"/header", "X-Session", ""},
	} {
		first := askAs(t, envoy, "GET", c.path)
		token, attributes, _ := strings.Cut(first.Headers.Get(c.token), ";")
		if token == "" || attributes != strings.TrimPrefix(c.attributes, ";") {
			t.Errorf("%s: the first answer has %s %q", c.path, c.token, first.Headers.Get(c.token))
			continue
		}
		sent := c.token
		if sent == "Set-Cookie" {
			sent = "Cookie"
		}
		for range 12 {
			if answer := askAs(t, envoy, "GET", c.path, sent, token); answer.Seen.Endpoint != first.Seen.Endpoint {
				t.Errorf("%s: a client of %s is sent to %s", c.path, first.Seen.Endpoint, answer.Seen.Endpoint)
			}
		}
	}
	spread := map[string]bool{}
	for range 40 {
		answer := askAs(t, envoy, "GET", "/other")
		spread[answer.Seen.Endpoint] = true
		if len(answer.Headers.Values("Set-Cookie")) > 0 {
			t.Fatal("a rule without a session gives out a cookie")
		}
	}
	if len(spread) < 2 {
		t.Errorf("without a session all requests go to %v", spread)
	}
}

// TestSessionsAndWeights pins down what the diagnostic says of a session over several backends: the backend is drawn anew.
func TestSessionsAndWeights(t *testing.T) {
	action := to(atAddresses("one", "192.0.2.31"), atAddresses("two", "192.0.2.32"))
	action.Session = &model.Session{Name: "x-session"}
	envoy := oneHost(t, rule("/", action))
	token := askAs(t, envoy, "GET", "/").Headers.Get("X-Session")
	seen := map[string]bool{}
	for range 60 {
		seen[askAs(t, envoy, "GET", "/", "x-session", token).Seen.Endpoint] = true
	}
	if len(seen) != 2 {
		t.Errorf("one session over two backends reaches %v: say so, if Envoy keeps it now", seen)
	}
}

func grpcRule(kind model.PathKind, path string, action model.Action) model.Rule {
	made := rule(path, action)
	made.Origin.Kind = "GRPCRoute"
	made.Match.PathKind = kind
	made.Match.GRPC = &model.GRPCMatch{}
	return made
}

// TestGRPC: what a gRPC client is told where no backend answers, and that gRPC-Web reaches the backends of a GRPCRoute alone.
func TestGRPC(t *testing.T) {
	backend := serving("grpc")
	backend.Protocol = model.BackendH2C
	mixed := model.Action{RefusedStatus: 503, Backends: []model.WeightedBackend{{Weight: 1, Backend: backend}, {Weight: 1}}}
	empty := serving("empty")
	empty.Endpoints = nil
	unavailable := model.Action{Direct: &model.Direct{Status: 503, Reason: "no backend"}}
	envoy := oneHost(t,
		grpcRule(model.PathExact, "/shop.Cart/AddItem", to(backend)),
		grpcRule(model.PathPrefix, "/shop.Orders", to(backend)),
		grpcRule(model.PathRegex, "/[^/]+/Watch", to(backend)),
		grpcRule(model.PathPrefix, "/mixed", mixed),
		grpcRule(model.PathPrefix, "/refused", unavailable),
		grpcRule(model.PathPrefix, "/empty", to(empty)),
		rule("/plain", to(serving("web"))))
	client := envoy.Client(t, 80)
	call := func(path, contentType string) (answer envoytest.Answer, grpcStatus string) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://a.example"+path, bytes.NewReader(make([]byte, 5)))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", contentType)
		request.Header.Set("Te", "trailers")
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		if answer, err = envoytest.Decode(response); err != nil {
			t.Fatal(err)
		}
		return answer, response.Header.Get("Grpc-Status")
	}
	for path, want := range map[string]string{
		"/shop.Cart/AddItem": "backend", "/shop.Orders/Get": "backend", "/any.Service/Watch": "backend",
		"/shop.Cart/Other": "12", "/shop.OrdersX/Get": "12", "/any.Service/WatchX": "12", // UNIMPLEMENTED
		"/refused/Get": "14", "/empty/Get": "14", // UNAVAILABLE
	} {
		answer, status := call(path, "application/grpc")
		if answer.Seen != nil {
			status = "backend"
			if answer.Seen.Protocol != "HTTP/2.0" {
				t.Errorf("%s reaches its backend in %s", path, answer.Seen.Protocol)
			}
		}
		if status != want || answer.Status != 200 {
			t.Errorf("%s ends at %s (HTTP %d), want %s", path, status, answer.Status, want)
		}
	}
	seen := map[string]int{}
	for range 60 {
		answer, status := call("/mixed/Get", "application/grpc")
		seen[fmt.Sprint(status, answer.Seen != nil)]++
	}
	if len(seen) != 2 || seen["14false"] == 0 {
		t.Errorf("a share that is refused: %v, want half of the calls UNAVAILABLE", seen)
	}
	if answer, _ := call("/shop.Cart/AddItem", "application/grpc-web+proto"); answer.Seen == nil || answer.Seen.Headers.Get("Content-Type") != "application/grpc" {
		t.Errorf("gRPC-Web reaches a GRPCRoute's backend as %+v", answer.Seen)
	}
	if answer, _ := call("/plain", "application/grpc-web+proto"); answer.Seen == nil || answer.Seen.Headers.Get("Content-Type") != "application/grpc-web+proto" {
		t.Errorf("gRPC-Web reaches an HTTPRoute's backend as %+v", answer.Seen)
	}
}

// TestHostOfOneBackend: among several backends each can have a Host header of its own.
func TestHostOfOneBackend(t *testing.T) {
	action := model.Action{Backends: []model.WeightedBackend{
		{Weight: 1, Backend: atAddresses("one", "192.0.2.41"), Hostname: "one.example"}, {Weight: 1, Backend: atAddresses("two", "192.0.2.42")},
	}}
	action.Rewrite.Hostname = "rule.example"
	lone := model.Action{Backends: []model.WeightedBackend{{Weight: 1, Backend: serving("web"), Hostname: "lone.example"}}}
	envoy := oneHost(t, rule("/several", action), rule("/lone", lone))
	hosts := map[string]string{}
	for range 60 {
		answer := askAs(t, envoy, "GET", "/several")
		hosts[answer.Seen.Endpoint] = answer.Host
	}
	if hosts["192.0.2.41:8080"] != "one.example" || hosts["192.0.2.42:8080"] != "rule.example" {
		t.Errorf("backends see hosts %v", hosts)
	}
	if got := askAs(t, envoy, "GET", "/lone").Host; got != "lone.example" {
		t.Errorf("a lone backend sees host %q", got)
	}
}

// TestIdleTimeout: where a rule allows more silence than Envoy does by itself, the route says so.
func TestIdleTimeout(t *testing.T) {
	of := func(request, backend time.Duration, retries uint32) string {
		action := to(serving("web"))
		if request >= 0 {
			action.RequestTimeout = &request
		}
		if backend >= 0 {
			action.BackendTimeout = &backend
		}
		if retries > 0 {
			action.Retry = &model.Retry{Attempts: &retries}
		}
		set, _ := xds.Build(plainGateway(80, model.Host{Hostname: "*", Rules: []model.Rule{rule("/", action)}}), xds.Options{})
		made := set.Routes[0].VirtualHosts[0].Routes[0].GetRoute()
		if made.GetIdleTimeout() == nil {
			return "default"
		}
		return made.GetIdleTimeout().AsDuration().String()
	}
	for _, c := range []struct {
		request, backend time.Duration
		retries          uint32
		want             string
	}{
		{-1, -1, 0, "default"}, {0, -1, 0, "0s"}, {time.Minute, -1, 0, "default"}, {time.Hour, time.Minute, 0, "1h0m0s"},
		{-1, 0, 0, "0s"}, {-1, time.Minute, 3, "default"}, {-1, 2 * time.Minute, 3, "8m0s"},
	} {
		if got := of(c.request, c.backend, c.retries); got != c.want {
			t.Errorf("request %s, backend %s, %d retries: idle timeout %s, want %s", c.request, c.backend, c.retries, got, c.want)
		}
	}
}

// TestConnect pins down what the diagnostic says of a match for CONNECT.
func TestConnect(t *testing.T) {
	connect := rule("/", to(serving("web")))
	connect.Match.Method = "CONNECT"
	envoy := oneHost(t, connect)
	answer, err := envoy.Ask(t.Context(), 80, envoytest.Request{Method: "CONNECT", Host: "a.example:80"})
	if err != nil {
		t.Fatal(err)
	}
	if answer.Seen != nil || answer.Status < 400 {
		t.Errorf("CONNECT answers %d, reached a backend: %t; want an error", answer.Status, answer.Seen != nil)
	}
}
