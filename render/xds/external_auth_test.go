package xds_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
	"github.com/routedelta/routedelta/render/model"
)

const (
	asksHTTP = "192.0.2.51:8080"
	asksGRPC = "192.0.2.52:8080"
	trouble  = "x-envoytest-trouble"
)

// judged has a request judged by a server before it goes to a backend.
func judged(auth model.ExternalAuth) model.Action {
	action := to(serving("web"))
	action.ExternalAuth = &auth
	return action
}

func overHTTP(auth model.ExternalAuth) model.ExternalAuth {
	auth.Backend = atAddresses("auth", "192.0.2.51")
	return auth
}

func overGRPC(auth model.ExternalAuth) model.ExternalAuth {
	auth.Backend, auth.GRPC = atAddresses("auth-grpc", "192.0.2.52"), true
	auth.Backend.Protocol = model.BackendH2C
	return auth
}

// TestExternalAuth is HTTPExternalAuthFilter: who is asked, what it is told, and what becomes of the request.
func TestExternalAuth(t *testing.T) {
	heeding := model.ExternalAuth{RequestHeaders: []string{"X-Envoytest-Trouble"}}
	nobody := overHTTP(heeding)
	nobody.Backend = atAddresses("nobody")
	byHTTP := overHTTP(heeding)
	redirected := model.Action{Redirect: &model.Redirect{Hostname: "other.example", Status: 302}, ExternalAuth: &byHTTP}
	envoy := oneHost(t,
		rule("/http", judged(byHTTP)),
		rule("/grpc", judged(overGRPC(model.ExternalAuth{}))),
		rule("/down", judged(nobody)),
		rule("/redirect", redirected),
		rule("/", to(serving("web"))),
	)
	for _, c := range []struct {
		path, trouble string
		status        int
		// asked are the servers that judge the request, in their order.
		asked string
	}{
		{"/http/allowed", "", 200, asksHTTP},
		{"/http/denied", "fail 401 9", 401, asksHTTP},
		{"/http/server-fails", "fail 500 9", 403, asksHTTP},
		{"/http/other-success", "fail 204 9", 204, asksHTTP}, // "any other code is considered an authorization failure"
		{"/http/closed", "close 9", 403, asksHTTP},
		{"/grpc/allowed", "", 200, asksGRPC},
		{"/grpc/denied", "fail 401 9", 401, asksGRPC},
		{"/down/allowed", "", 403, ""},
		{"/redirect/allowed", "", 302, asksHTTP},
		{"/redirect/denied", "fail 401 9", 401, asksHTTP},
		{"/else/allowed", "", 200, ""},
	} {
		before := len(envoy.Received(checked))
		answer := askAs(t, envoy, "GET", c.path, trouble, c.trouble)
		var asked []string
		for _, seen := range envoy.Received(c.path) {
			if seen.Endpoint != "192.0.2.1:8080" {
				asked = append(asked, seen.Endpoint)
			}
		}
		for _, seen := range envoy.Received(checked)[before:] {
			asked = append(asked, seen.Endpoint)
		}
		if got := strings.Join(asked, " "); answer.Status != c.status || got != c.asked {
			t.Errorf("%s with trouble %q: status %d, asked %s, want %d, asked %s", c.path, c.trouble, answer.Status, got, c.status, c.asked)
		}
		if served := answer.Seen != nil; served != (c.status == 200) {
			t.Errorf("%s with trouble %q: the backend got the request: %t", c.path, c.trouble, served)
		}
	}
}

// checked is the path of a call of ext_authz.
const checked = "/envoy.service.auth.v3.Authorization/Check"

// post sends a body and the headers of a request that is to be judged.
func post(t *testing.T, client *http.Client, path string, body io.Reader) envoytest.Answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://a.example"+path, body)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Authorization", "Content-Type", "Cookie", "X-A", "X-B"} {
		request.Header.Set(name, "the client's")
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := envoytest.Decode(response)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// TestExternalAuthOverHTTP: the server is told what the API lists and nothing else, and its answer goes on to the backend but for what
// would lie about the request.
func TestExternalAuthOverHTTP(t *testing.T) {
	some := model.ExternalAuth{Path: "/check", RequestHeaders: []string{"x-a"}, ResponseHeaders: []string{"x-echo-ANSWERED-by"}, MaxBody: 10}
	envoy := oneHost(t, rule("/all", judged(overHTTP(model.ExternalAuth{}))), rule("/some", judged(overHTTP(some))))
	client := envoy.Client(t, 80)
	for _, c := range []struct {
		path, asked, body string
		told              []string
		length            int64
		copied            []string
	}{
		{"/all/x", "/all/x", "0123456789", []string{"Authorization"}, 0, []string{envoytest.AnsweredBy, "Date"}},
		{"/some/x", "/check/some/x", "0123456789", []string{"Authorization", "X-A"}, 10, []string{envoytest.AnsweredBy}},
	} {
		answer := post(t, client, c.path, strings.NewReader(c.body))
		received := envoy.Received(c.asked)
		if len(received) == 0 || answer.Seen == nil {
			t.Errorf("%s: asked %d times, the backend saw %+v", c.path, len(received), answer.Seen)
			continue
		}
		question := received[0]
		if question.Host != "a.example" || question.Method != http.MethodPost || question.Length != c.length {
			t.Errorf("%s: the server is asked for %s at %s with %d bytes, want POST at a.example with %d", c.path, question.Method, question.Host, question.Length, c.length)
		}
		for _, name := range []string{"Authorization", "Content-Type", "Cookie", "X-A", "X-B"} {
			if _, told := question.Headers[name]; told != contains(c.told, name) {
				t.Errorf("%s: the server is told %s: %t", c.path, name, told)
			}
			if answer.Seen.Headers.Get(name) != "the client's" {
				t.Errorf("%s: the backend sees %s %q", c.path, name, answer.Seen.Headers.Get(name))
			}
		}
		if answer.Seen.Length != int64(len(c.body)) || answer.Seen.Host != "a.example" {
			t.Errorf("%s: the backend sees %d bytes for %s", c.path, answer.Seen.Length, answer.Seen.Host)
		}
		for _, name := range []string{envoytest.AnsweredBy, "Date", "X-Envoytest-Seen"} {
			if copied := answer.Seen.Headers.Get(name) != ""; copied != contains(c.copied, name) {
				t.Errorf("%s: %s of the server's answer is copied: %t", c.path, name, copied)
			}
		}
	}
	if answer := post(t, client, "/some/long", inPieces("0123456789", "a")); answer.Status != http.StatusRequestEntityTooLarge || len(envoy.Received("/some/long")) != 0 {
		t.Errorf("a body that is too long ends at status %d", answer.Status)
	}
	// What the diagnostic says of Envoy: see that it is still so.
	answer := post(t, client, "/some/whole", strings.NewReader("0123456789a"))
	if asked := envoy.Received("/check/some/whole"); answer.Status != 200 || len(asked) != 1 || asked[0].Length != 10 || asked[0].Headers.Get("X-Envoy-Auth-Partial-Body") != "true" {
		t.Errorf("a body that is too long and comes at once ends at status %d, asked %+v", answer.Status, asked)
	}
}

// inPieces is a body whose length is not said before, and whose end comes after its last byte.
func inPieces(pieces ...string) io.Reader {
	reader, writer := io.Pipe()
	go func() {
		for _, piece := range pieces {
			_, _ = io.WriteString(writer, piece) // who does not read on has closed the pipe
		}
		writer.Close()
	}()
	return reader
}

func contains(list []string, name string) bool {
	return strings.Contains(" "+strings.Join(list, " ")+" ", " "+name+" ")
}

// TestExternalAuthOverGRPC: all headers are told where none is listed.
func TestExternalAuthOverGRPC(t *testing.T) {
	envoy := oneHost(t,
		rule("/all", judged(overGRPC(model.ExternalAuth{}))),
		rule("/some", judged(overGRPC(model.ExternalAuth{RequestHeaders: []string{"X-A", "cookie"}, MaxBody: 10}))))
	client := envoy.Client(t, 80)
	for _, c := range []struct{ path, told, body string }{
		{"/all", "accept-encoding authorization content-length content-type cookie", "0"},
		{"/some", "cookie x-a x-envoy-auth-partial-body", "10"},
	} {
		answer := post(t, client, c.path, strings.NewReader("0123456789"))
		if answer.Seen == nil {
			t.Fatalf("%s: status %d", c.path, answer.Status)
		}
		told, body := answer.Seen.Headers.Get(envoytest.ToldHeaders), answer.Seen.Headers.Get(envoytest.ToldBody)
		if !strings.HasPrefix(told, c.told) || c.path == "/some" && told != c.told || body != c.body {
			t.Errorf("%s: the server is told %q and a body of %s bytes, want %q and %s", c.path, told, body, c.told, c.body)
		}
		if by := answer.Seen.Headers.Get(envoytest.AnsweredBy); by != asksGRPC {
			t.Errorf("%s: the header of the server is %q at the backend", c.path, by)
		}
	}
	if answer := post(t, client, "/some", inPieces("0123456789", "a")); answer.Status != http.StatusRequestEntityTooLarge {
		t.Errorf("a body that is too long ends at status %d", answer.Status)
	}
}

// TestExternalAuthOfOneBackend: a server that judges for one backend among several is asked for its share.
func TestExternalAuthOfOneBackend(t *testing.T) {
	auth := overGRPC(model.ExternalAuth{})
	envoy := oneHost(t, rule("/", model.Action{Backends: []model.WeightedBackend{
		{Weight: 1, Backend: serving("web"), ExternalAuth: &auth}, {Weight: 1, Backend: serving("other")},
	}}))
	denied, allowed := 0, 0
	for range 60 {
		answer := askAs(t, envoy, "GET", "/", trouble, "fail 401 0")
		switch {
		case answer.Status == 401:
			denied++
		case answer.Seen != nil && answer.Cluster == "shop/other/80":
			allowed++
		default:
			t.Fatalf("status %d of %s", answer.Status, answer.Cluster)
		}
	}
	if denied == 0 || allowed == 0 {
		t.Errorf("%d denied, %d allowed, want both", denied, allowed)
	}
}
