package envoytest_test

import (
	"errors"
	"strings"
	"testing"

	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	matcherv3 "github.com/envoyproxy/go-control-plane/envoy/type/matcher/v3"

	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
)

func route(name, prefix string) *routev3.Route {
	return &routev3.Route{
		Name:  name,
		Match: &routev3.RouteMatch{PathSpecifier: &routev3.RouteMatch_Prefix{Prefix: prefix}},
		Action: &routev3.Route_Route{Route: &routev3.RouteAction{
			ClusterSpecifier: &routev3.RouteAction_Cluster{Cluster: "known"},
			PrefixRewrite:    "/new" + prefix,
		}},
	}
}

func configuration(routes ...*routev3.Route) *routev3.RouteConfiguration {
	return &routev3.RouteConfiguration{VirtualHosts: []*routev3.VirtualHost{{Name: "any", Domains: []string{"*"}, Routes: routes}}}
}

func ask(t *testing.T, oracle *envoytest.Oracle, path string) envoytest.Answer {
	t.Helper()
	answers, err := oracle.Ask([]envoytest.Request{{Method: "GET", Host: "a.example", Path: path}})
	if err != nil {
		t.Fatal(err)
	}
	return answers[0]
}

func TestOracleServesTheTableThatWasLoadedLast(t *testing.T) {
	t.Parallel()
	oracle := envoytest.StartOracle(t, envoytest.OracleOptions{Clusters: []string{"known"}})
	for _, name := range []string{"first", "second", "third"} {
		if err := oracle.Load(configuration(route(name, "/x"))); err != nil {
			t.Fatal(err)
		}
		got := ask(t, oracle, "/x/y?z")
		if got.Route != name || got.Cluster != "known" || got.Status != 503 || got.Flags != "UH" || got.Path != "/new/x/y?z" || got.Host != "a.example" {
			t.Errorf("generation %s: %+v", name, got)
		}
	}
	if got := ask(t, oracle, "/other"); got.Status != 404 || got.Flags != "NR" || got.Route != "" {
		t.Errorf("a path without route: %+v", got)
	}
}

func TestOracleSaysWhyATableIsRejected(t *testing.T) {
	t.Parallel()
	oracle := envoytest.StartOracle(t, envoytest.OracleOptions{Clusters: []string{"known"}})
	twice := configuration(route("a", "/"))
	twice.VirtualHosts = append(twice.VirtualHosts, &routev3.VirtualHost{Name: "again", Domains: []string{"*"}})
	err := oracle.Load(twice)
	var rejected *envoytest.RejectedError
	if !errors.As(err, &rejected) || !strings.Contains(rejected.Cause, "Only a single wildcard domain is permitted") {
		t.Fatalf("error is %v", err)
	}
	if err := oracle.Load(configuration(route("b", "/"))); err != nil {
		t.Fatalf("the table after a rejected one: %v", err)
	}
	if got := ask(t, oracle, "/"); got.Route != "b" {
		t.Errorf("route is %q", got.Route)
	}
}

func TestOracleGoesOnAfterABadRequest(t *testing.T) {
	t.Parallel()
	oracle := envoytest.StartOracle(t, envoytest.OracleOptions{Clusters: []string{"known"}})
	if err := oracle.Load(configuration(route("a", "/"))); err != nil {
		t.Fatal(err)
	}
	bad := []struct {
		request envoytest.Request
		status  int
	}{
		{envoytest.Request{Method: "GET", Host: "a.example", Path: "/#"}, 400},
		{envoytest.Request{Method: "GET", Host: "a.example", Path: "/#", HTTP2: true}, 400},
		{envoytest.Request{Method: "GET", Host: "a.example", Path: "x", HTTP2: true}, 0}, // closes the connection
		{envoytest.Request{Method: "G T", Host: "a.example", Path: "/", HTTP2: true}, 0},
		{envoytest.Request{Method: "GET", Host: "a.example", Path: "/", HTTP2: true, Headers: []envoytest.Header{
			{Name: "x", Value: strings.Repeat("~", 300_000)}, // closes the connection with all that is in flight
		}}, 0},
	}
	var requests []envoytest.Request
	for range 100 {
		for _, b := range bad {
			requests = append(requests, b.request, envoytest.Request{Method: "GET", Host: "a.example", Path: "/", HTTP2: b.request.HTTP2})
		}
	}
	answers, err := oracle.Ask(requests)
	if err != nil {
		t.Fatal(err)
	}
	for i, answer := range answers {
		want, status := "", bad[i/2%len(bad)].status
		if i%2 == 1 {
			want, status = "a", 503
		}
		if answer.Route != want || answer.Status != status {
			t.Fatalf("request %d, %+v: %+v", i, requests[i], answer)
		}
	}
}

// TestOracleSpeaksHTTP2: bytes that HTTP/1.1 has not, outer blanks, a head of several frames, and what a gRPC client is told.
func TestOracleSpeaksHTTP2(t *testing.T) {
	t.Parallel()
	oracle := envoytest.StartOracle(t, envoytest.OracleOptions{Clusters: []string{"known"}})
	blank := route("blank", "/")
	blank.Match.Headers = []*routev3.HeaderMatcher{{Name: "x", HeaderMatchSpecifier: &routev3.HeaderMatcher_StringMatch{
		StringMatch: &matcherv3.StringMatcher{MatchPattern: &matcherv3.StringMatcher_Exact{Exact: " a "}},
	}}}
	if err := oracle.Load(configuration(blank, route("byte", "/\xff"), route("rest", "/r"))); err == nil {
		t.Fatal("a prefix that is not UTF-8 was taken")
	}
	if err := oracle.Load(configuration(blank, route("byte", "/\u00ff"), route("rest", "/r"))); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		path   string
		header envoytest.Header
		route  string
		status int
	}{
		{"/r", envoytest.Header{}, "rest", 503},
		{"/\u00ff", envoytest.Header{}, "byte", 503},
		{"/", envoytest.Header{Name: "x", Value: " a "}, "blank", 503},
		{"/r", envoytest.Header{Name: "x", Value: strings.Repeat("~", 40_000)}, "rest", 503},
		{"/r", envoytest.Header{Name: "content-type", Value: "application/grpc"}, "rest", 503},
		{"/none", envoytest.Header{Name: "content-type", Value: "application/grpc"}, "", 404},
	} {
		request := envoytest.Request{Method: "GET", Host: "a.example", Path: test.path, HTTP2: true}
		if test.header.Name != "" {
			request.Headers = []envoytest.Header{test.header}
		}
		answers, err := oracle.Ask([]envoytest.Request{request})
		if err != nil {
			t.Fatal(err)
		}
		if got := answers[0]; got.Route != test.route || got.Status != test.status {
			t.Errorf("%s with %.40q: %+v", test.path, test.header, got)
		}
	}
}

func BenchmarkOracleAsk(b *testing.B) {
	for _, http2 := range []bool{false, true} {
		b.Run(map[bool]string{false: "http1", true: "http2"}[http2], func(b *testing.B) { benchmarkAsk(b, http2) })
	}
}

func benchmarkAsk(b *testing.B, http2 bool) {
	oracle := envoytest.StartOracle(b, envoytest.OracleOptions{Clusters: []string{"known"}})
	if err := oracle.Load(configuration(route("a", "/"))); err != nil {
		b.Fatal(err)
	}
	requests := make([]envoytest.Request, 1000)
	for i := range requests {
		requests[i] = envoytest.Request{Method: "GET", Host: "a.example", Path: "/x", HTTP2: http2}
	}
	for b.Loop() {
		if _, err := oracle.Ask(requests); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(requests)), "µs/request")
}
