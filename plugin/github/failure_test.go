package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/routedelta/routedelta/plugin/github/githubtest"
)

type answer = githubtest.Answer

// TestFailures: what GitHub may answer to each request, what becomes of it, and how long it takes.
func TestFailures(t *testing.T) {
	bad := answer{Status: 502, Body: "<html>bad gateway</html>"}
	limited := answer{Status: 429, Header: map[string]string{"Retry-After": "7"}, Body: `{"message":"slow down"}`}
	forbidden := answer{Status: 403, Body: `{"message":"Resource not accessible by integration"}`}
	reset := answer{Status: 403, Header: map[string]string{"X-Ratelimit-Remaining": "0", "X-Ratelimit-Reset": "1767323070",
		"Date": "Fri, 02 Jan 2026 03:04:05 GMT"}, Body: `{"message":"API rate limit exceeded"}`}
	secondary := answer{Status: 403, Body: `{"message":"You have exceeded a secondary rate limit."}`}
	long := answer{Status: 422, Body: `{"message":"Validation Failed","errors":[{"message":"Body is too long (maximum is 65536 characters)"}]}`}
	second := time.Second
	for name, test := range map[string]struct {
		request string
		answers []answer
		there   bool // a comment of ours
		kind    Kind // of the error; "" is none
		says    string
		pauses  []time.Duration
	}{
		"list 502 once":         {request: "GET", answers: []answer{bad}, pauses: []time.Duration{second}},
		"list 502 for ever":     {request: "GET", answers: slices.Repeat([]answer{bad}, 9), kind: Unavailable, says: "502", pauses: []time.Duration{second, 2 * second, 4 * second}},
		"list 404":              {request: "GET", answers: []answer{{}, {Status: 404, Body: `{"message":"Not Found"}`}}, kind: NotFound, says: "404: Not Found"},
		"list 401":              {request: "GET", answers: []answer{{}, {Status: 401, Body: `{"message":"Bad credentials"}`}}, kind: Unauthorized, says: "Bad credentials"},
		"list 410":              {request: "GET", answers: []answer{{}, {Status: 410, Body: `{"message":"gone"}`}}, kind: NotFound, says: "410"},
		"user 401":              {request: "GET /user", answers: []answer{{Status: 401, Body: `{"message":"Bad credentials"}`}}, kind: Unauthorized, says: "Bad credentials"},
		"create 403":            {request: "POST", answers: []answer{forbidden}, kind: Forbidden, says: "not accessible"},
		"create 422":            {request: "POST", answers: []answer{{Status: 422, Body: `{"message":"Validation Failed","errors":[{"field":"body","message":"is spam"}]}`}}, kind: Invalid, says: "body is spam"},
		"create 429":            {request: "POST", answers: []answer{limited}, pauses: []time.Duration{7 * second}},
		"create 429 for ever":   {request: "POST", answers: slices.Repeat([]answer{limited}, 9), kind: RateLimited, says: "429", pauses: []time.Duration{7 * second, 7 * second, 7 * second}},
		"create, limit resets":  {request: "POST", answers: []answer{reset}, pauses: []time.Duration{26 * second}},
		"create, second limit":  {request: "POST", answers: []answer{secondary}, pauses: []time.Duration{time.Minute}},
		"a limit of an hour":    {request: "POST", answers: []answer{{Status: 429, Header: map[string]string{"Retry-After": "3600"}}}, kind: RateLimited, says: "429"},
		"create 502, not done":  {request: "POST", answers: []answer{bad}, pauses: []time.Duration{second}},
		"create 502, but done":  {request: "POST", answers: []answer{{Status: 502, Done: true}}, pauses: []time.Duration{second}},
		"create 502 for ever":   {request: "POST", answers: slices.Repeat([]answer{bad}, 9), kind: Unavailable, says: "502", pauses: []time.Duration{second, 2 * second, 4 * second}},
		"update 502":            {request: "PATCH", there: true, answers: []answer{bad, {Status: 503, Done: true}}, pauses: []time.Duration{second, 2 * second}},
		"update 403":            {request: "PATCH", there: true, answers: []answer{forbidden}, kind: Forbidden, says: "updating the comment on acme/gitops#7"},
		"update 404 for ever":   {request: "PATCH", there: true, answers: slices.Repeat([]answer{{Status: 404, Body: `{"message":"Not Found"}`}}, 9), kind: NotFound, says: "404", pauses: []time.Duration{second, 2 * second, 4 * second}},
		"list reset":            {request: "GET", answers: []answer{{}, {Reset: true}, {Reset: true}}, pauses: []time.Duration{second}},
		"list broken off":       {request: "GET", answers: []answer{{}, {Truncate: true}}, pauses: []time.Duration{second}},
		"create reset":          {request: "POST", answers: []answer{{Reset: true}}, pauses: []time.Duration{second}},
		"create reset, done":    {request: "POST", answers: []answer{{Reset: true, Done: true}}, pauses: []time.Duration{second}},
		"create broken off":     {request: "POST", answers: []answer{{Truncate: true}}, pauses: []time.Duration{second}},
		"update reset, done":    {request: "PATCH", there: true, answers: []answer{{Reset: true, Done: true}}, pauses: []time.Duration{second}},
		"update broken off":     {request: "PATCH", there: true, answers: []answer{{Truncate: true}}, pauses: []time.Duration{second}},
		"update 429":            {request: "PATCH", there: true, answers: []answer{limited, secondary}, pauses: []time.Duration{7 * second, time.Minute}},
		"create too long":       {request: "POST", answers: []answer{long, long}},
		"update too long":       {request: "PATCH", there: true, answers: []answer{long}},
		"too long for ever":     {request: "POST", answers: slices.Repeat([]answer{long}, 9), kind: TooLong, says: "too long"},
		"an answer that is not": {request: "POST", answers: []answer{{Status: 201, Body: `{"id":`}}, pauses: []time.Duration{second}},
	} {
		t.Run(name, func(t *testing.T) {
			server := githubtest.New(t)
			if test.there {
				server.AddComment(githubtest.WorkflowBot, signedBy("old", "default"))
			}
			server.Script(test.request, test.answers...)
			client, pauses := connect(t, server)
			_, err := post(t.Context(), client, comment("new"))
			requireKind(t, err, test.kind, test.says)
			if diff := cmp.Diff(test.pauses, *pauses); diff != "" {
				t.Errorf("pauses (-want +got):\n%s", diff)
			}
			if n := len(server.Comments()); n > 1 || (test.kind == "" && n != 1) {
				t.Errorf("%d comments", n)
			}
		})
	}
}

func requireKind(t *testing.T, err error, kind Kind, says string) {
	t.Helper()
	if kind == "" {
		if err != nil {
			t.Error(err)
		}
		return
	}
	var failure *Error
	if !errors.As(err, &failure) || failure.Kind != kind || !strings.Contains(err.Error(), says) {
		t.Fatalf("error %v, want kind %q and %q", err, kind, says)
	}
	if kind != Invalid && failure.Hint() == "" {
		t.Error("no hint")
	}
}

// TestTheLastRequestThatIsAllowed: an answer that says "none remaining" is one all the same, and the next request is asked, not guessed at.
func TestTheLastRequestThatIsAllowed(t *testing.T) {
	server := githubtest.New(t)
	reset := map[string]string{"X-RateLimit-Limit": "1000", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": fmt.Sprint(time.Now().Add(time.Hour).Unix())}
	server.Script("GET", answer{Status: 403, Body: `{"message":"Resource not accessible by integration"}`}, answer{Status: 200, Body: "[]", Header: reset})
	client, pauses := connect(t, server)
	if result := upserted(t, client, comment("x")); result.Action != Created || len(*pauses) != 0 {
		t.Errorf("%+v, pauses %v", result, *pauses)
	}
}

// TestAllWaitingIsBounded: pauses add up over requests, so that a limit for ever ends.
func TestAllWaitingIsBounded(t *testing.T) {
	server := githubtest.New(t)
	limited := answer{Status: 429, Header: map[string]string{"Retry-After": "80"}}
	server.Script("GET /user", limited, limited)
	server.Script("POST", limited, limited)
	client, pauses := connect(t, server)
	_, err := post(t.Context(), client, comment("x"))
	requireKind(t, err, RateLimited, "429")
	if want := slices.Repeat([]time.Duration{80 * time.Second}, 3); !slices.Equal(*pauses, want) {
		t.Errorf("pauses %v, want %v, which is less than %v", *pauses, want, maxWait)
	}
}

// TestSlow: a request that is not answered in time is one that failed on the way.
func TestSlow(t *testing.T) {
	for _, request := range []string{"GET", "POST"} {
		server := githubtest.New(t)
		server.Script(request, answer{Delay: 2 * time.Second})
		client, pauses := connect(t, server)
		client.retry.timeout = 500 * time.Millisecond
		if result := upserted(t, client, comment("x")); result.Action != Created || len(server.Comments()) > 2 {
			t.Errorf("%s: %+v", request, result)
		}
		if len(*pauses) != 1 {
			t.Errorf("%s: pauses %v", request, *pauses)
		}
	}
}

// TestTokenIsInNoError: a server that says everything it was sent.
func TestTokenIsInNoError(t *testing.T) {
	echo := `{"message":"you sent Bearer ` + githubtest.Token + `\u001b[31m\nroutedelta: error: forged","errors":[{"message":"` + githubtest.Token + `"}]}`
	for _, status := range []int{400, 401, 403, 404, 422, 429, 500} {
		server := githubtest.New(t)
		server.Script("GET", slices.Repeat([]answer{{Status: status, Body: echo, Header: map[string]string{"Retry-After": "1"}}}, 9)...)
		client, _ := connect(t, server)
		_, err := post(t.Context(), client, comment("x"))
		if err == nil {
			t.Fatalf("%d: no error", status)
		}
		if strings.Contains(err.Error(), githubtest.Token) || strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("%d: %q", status, err)
		}
		for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(inner) {
			if strings.Contains(inner.Error(), githubtest.Token) {
				t.Errorf("%d: an error inside: %q", status, inner)
			}
		}
	}
}

// TestTokenGoesToItsHostOnly: a redirect to somebody else's server is not followed.
func TestTokenGoesToItsHostOnly(t *testing.T) {
	asked := false
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer elsewhere.Close()
	server := githubtest.New(t)
	server.Script("GET", slices.Repeat([]answer{{Status: 302, Header: map[string]string{"Location": elsewhere.URL + "/user"}}}, 9)...)
	client, _ := connect(t, server)
	_, err := post(t.Context(), client, comment("x"))
	if err == nil || asked {
		t.Errorf("error %v, the other server was asked: %v", err, asked)
	}
}

// TestRenamedRepository: GitHub leads to the new address, and what is sent goes there too.
func TestRenamedRepository(t *testing.T) {
	server := githubtest.New(t)
	at := func(name string) string { return "/repos/acme/" + name + "/issues/7/comments" }
	server.Script("POST "+at("old"), answer{Status: 307, Header: map[string]string{"Location": server.URL + at("gitops")}})
	server.Script("GET "+at("old"), answer{Status: 301, Header: map[string]string{"Location": server.URL + at("gitops")}}, answer{Status: 301, Header: map[string]string{"Location": server.URL + at("gitops")}})
	client, _ := connect(t, server)
	renamed := comment("x")
	renamed.Repository = "old"
	if result := upserted(t, client, renamed); result.Action != Created || len(server.Comments()) != 1 {
		t.Errorf("%+v", result)
	}
}

func TestNoServer(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	client, err := NewClient("token", server.URL)
	if err != nil {
		t.Fatal(err)
	}
	pauses := 0
	client.retry.wait = func(ctx context.Context, _ time.Duration) error { pauses++; return ctx.Err() }
	_, err = post(t.Context(), client, comment("x"))
	requireKind(t, err, Unavailable, "connection refused")
	if pauses != maxAttempts-1 {
		t.Errorf("%d pauses", pauses)
	}
}

func TestNewClientRefuses(t *testing.T) {
	if _, err := NewClient("", ""); err == nil {
		t.Error("no token: no error")
	}
	for _, address := range []string{"api.github.com", "ftp://api.github.com", "https://", "https://user:secret@api.github.com", "://"} {
		if _, err := NewClient("token", address); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("NewClient(%q) = %v", address, err)
		}
	}
	for address, want := range map[string]string{
		"":                              "https://api.github.com/",
		"https://api.github.com":        "https://api.github.com/",
		"https://ghes.example/api/v3":   "https://ghes.example/api/v3/",
		"https://api.acme.ghe.com/":     "https://api.acme.ghe.com/",
		"http://127.0.0.1:8080/api/v3/": "http://127.0.0.1:8080/api/v3/",
	} {
		client, err := NewClient("token", address)
		if err != nil || client.api.BaseURL.String() != want {
			t.Errorf("NewClient(%q): %v, %v", address, client, err)
		}
	}
}
