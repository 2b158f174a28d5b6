package envoytest_test

import (
	"errors"
	"strings"
	"testing"

	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"

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
	var requests []envoytest.Request
	for range 100 {
		requests = append(requests, envoytest.Request{Method: "GET", Host: "a.example", Path: "/#"}, envoytest.Request{Method: "GET", Host: "a.example", Path: "/"})
	}
	answers, err := oracle.Ask(requests)
	if err != nil {
		t.Fatal(err)
	}
	for i, answer := range answers {
		want, status := "", 400
		if i%2 == 1 {
			want, status = "a", 503
		}
		if answer.Route != want || answer.Status != status {
			t.Fatalf("request %d: %+v", i, answer)
		}
	}
}

func BenchmarkOracleAsk(b *testing.B) {
	oracle := envoytest.StartOracle(b, envoytest.OracleOptions{Clusters: []string{"known"}})
	if err := oracle.Load(configuration(route("a", "/"))); err != nil {
		b.Fatal(err)
	}
	requests := make([]envoytest.Request, 1000)
	for i := range requests {
		requests[i] = envoytest.Request{Method: "GET", Host: "a.example", Path: "/x"}
	}
	for b.Loop() {
		if _, err := oracle.Ask(requests); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(requests)), "µs/request")
}
