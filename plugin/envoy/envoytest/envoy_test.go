package envoytest_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"

	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/model"
	"github.com/routedelta/routedelta/render/xds"
)

// gateway has one HTTP and one HTTPS listener, and backends of each kind of address.
func gateway(t *testing.T) *files.Set {
	t.Helper()
	name := func(n string) model.Name { return model.Name{Namespace: "shop", Name: n} }
	serving := func(n string, protocol model.BackendProtocol) *model.Backend {
		return &model.Backend{Name: name(n), Port: 80, Protocol: protocol, Endpoints: []model.Locality{{
			Zone: "a", Endpoints: []model.Endpoint{{Address: "192.0.2.1", Port: 8080}},
		}}}
	}
	rule := func(path string, backend *model.Backend) model.Rule {
		return model.Rule{
			Origin: model.Origin{Kind: "HTTPRoute", Name: name("route")},
			Match:  model.Match{PathKind: model.PathPrefix, PathValue: path},
			Action: model.Action{
				Backends: []model.WeightedBackend{{Weight: 1, Backend: backend}},
				Rewrite:  model.Rewrite{Path: &model.PathChange{Prefix: true, Value: "/new"}},
			},
		}
	}
	table := func(name string) model.RouteTable {
		return model.RouteTable{Name: name, Hosts: []model.Host{{Hostname: "a.example", Rules: []model.Rule{
			rule("/file", serving("file", model.BackendHTTP1)),
			rule("/h2c", serving("h2c", model.BackendH2C)),
			rule("/dns", &model.Backend{Name: dnsName(name), Port: 80, DNSName: "dns.shop.svc.cluster.local"}),
			rule("/none", &model.Backend{Name: model.Name{Namespace: "shop", Name: "none"}, Port: 80}),
		}}}}
	}
	set, diagnostics := xds.Build(&model.Gateway{Name: name("edge"), Listeners: []model.Listener{
		{Port: 80, Protocol: model.HTTP, Chains: []model.FilterChain{{Name: "http-80", Routes: table("http-80")}}},
		{Port: 443, Protocol: model.HTTPS, Chains: []model.FilterChain{
			{Name: "a", ServerNames: []string{"a.example"}, Certificates: []model.Certificate{{Name: name("one")}}, Routes: table("https-443-a")},
			{Name: "b", ServerNames: []string{"*.b.example"}, Certificates: []model.Certificate{{Name: name("two")}}, Routes: table("https-443-b")},
		}},
	}}, xds.Options{})
	if len(diagnostics) > 0 {
		t.Fatal(diagnostics)
	}
	return set
}

func dnsName(table string) model.Name { return model.Name{Namespace: "shop", Name: "dns-" + table} }

func TestStartServesARendering(t *testing.T) {
	t.Parallel()
	envoy := envoytest.Start(t, gateway(t))
	envoy.RequireLoaded(t)
	for _, test := range []struct {
		path, cluster, endpoint, protocol, flags string
		status                                   int
	}{
		{path: "/file/x?y", cluster: "shop/file/80", endpoint: "192.0.2.1:8080", protocol: "HTTP/1.1", status: 200},
		{path: "/h2c/x?y", cluster: "shop/h2c/80/h2c", endpoint: "192.0.2.1:8080", protocol: "HTTP/2.0", status: 200},
		{path: "/dns/x?y", cluster: "shop/dns-http-80/80", endpoint: "dns.shop.svc.cluster.local:80", protocol: "HTTP/1.1", status: 200},
		{path: "/none/x?y", cluster: "shop/none/80", flags: "UH", status: 503},
		{path: "/other", status: 404},
	} {
		// The second goes over the connection that the first has left; the answer to HEAD has no body.
		for _, method := range []string{"GET", "POST", "HEAD"} {
			got, err := envoy.Ask(context.Background(), 80, envoytest.Request{
				Method: method, Host: "a.example", Path: test.path, Headers: []envoytest.Header{{Name: "x-a", Value: "1"}, {Name: "X-A", Value: "2"}},
			})
			if err != nil {
				t.Fatal(err)
			}
			if got.Status != test.status || got.Cluster != test.cluster || got.Flags != test.flags {
				t.Errorf("%s: %+v", test.path, got)
			}
			if test.endpoint == "" {
				if got.Seen != nil {
					t.Errorf("%s: a backend saw %+v", test.path, got.Seen)
				}
				continue
			}
			if got.Seen == nil {
				t.Fatalf("%s: no backend saw it: %+v", test.path, got)
			}
			if got.Seen.Endpoint != test.endpoint || got.Seen.Protocol != test.protocol || got.Seen.Method != method || got.Path != "/new/x?y" || got.Host != "a.example" || len(got.Seen.Headers["X-A"]) != 2 {
				t.Errorf("%s: the backend saw %+v", test.path, got.Seen)
			}
		}
	}
}

func TestStartChoosesTheChainByServerName(t *testing.T) {
	t.Parallel()
	envoy := envoytest.Start(t, gateway(t))
	envoy.RequireLoaded(t)
	for server, certificate := range map[string]string{"a.example": "shop/one", "x.b.example": "shop/two"} {
		got, err := envoy.Ask(context.Background(), 443, envoytest.Request{
			Method: "GET", Host: "a.example", Path: "/file", TLS: &envoytest.TLS{ServerName: server},
		})
		if err != nil {
			t.Fatal(err)
		}
		if got.Certificate != certificate || got.Cluster != "shop/file/80" {
			t.Errorf("%s: %+v", server, got)
		}
	}
	if _, err := envoy.Ask(context.Background(), 443, envoytest.Request{
		Method: "GET", Host: "a.example", Path: "/file", TLS: &envoytest.TLS{ServerName: "c.example"},
	}); err == nil {
		t.Error("a server name that no chain has is served")
	}
	if _, err := envoy.Ask(context.Background(), 8443, envoytest.Request{}); err == nil {
		t.Error("a port that no listener has is served")
	}
}

// recorder is a test that may fail.
type recorder struct {
	testing.TB
	failure string
}

func (r *recorder) Fatalf(format string, arguments ...any) {
	r.failure = fmt.Sprintf(format, arguments...)
}

func TestWithoutEnvoyATestFailsAndSaysWhatToDo(t *testing.T) {
	t.Setenv("ENVOY", filepath.Join(t.TempDir(), "envoy"))
	r := &recorder{TB: t}
	envoytest.Binary(r)
	if !strings.Contains(r.failure, "make envoy") {
		t.Errorf("failure is %q", r.failure)
	}
}

func TestRequireLoadedSeesWhatEnvoyRefuses(t *testing.T) {
	t.Parallel()
	set := gateway(t)
	set.Routes[0].VirtualHosts[0].Domains = append(set.Routes[0].VirtualHosts[0].Domains, "A.EXAMPLE")
	envoy := envoytest.Start(t, set)
	r := &recorder{TB: t}
	envoy.RequireLoaded(r)
	if !strings.Contains(r.failure, "Only unique values for domains are permitted") {
		t.Errorf("a route configuration with a domain twice: %q", r.failure)
	}
}

func TestEveryFormatAndFormServesTheSame(t *testing.T) {
	t.Parallel()
	for _, format := range []files.Format{files.JSON, files.YAML, files.Binary} {
		for _, form := range []files.Form{files.Dynamic, files.Static} {
			t.Run(string(form)+" "+string(format), func(t *testing.T) {
				t.Parallel()
				envoy := envoytest.StartAs(t, gateway(t), files.Options{Format: format, Form: form})
				envoy.RequireLoaded(t)
				for path, cluster := range map[string]string{"/file": "shop/file/80", "/h2c": "shop/h2c/80/h2c", "/none": "shop/none/80", "/": ""} {
					got, err := envoy.Ask(t.Context(), 80, envoytest.Request{Method: "GET", Host: "a.example", Path: path})
					if err != nil {
						t.Fatal(err)
					}
					if got.Cluster != cluster {
						t.Errorf("%s: cluster is %q, want %q", path, got.Cluster, cluster)
					}
				}
			})
		}
	}
}

func TestValidateFindsARouteToNowhere(t *testing.T) {
	t.Parallel()
	set := gateway(t)
	if err := envoytest.Validate(t, set); err != nil {
		t.Fatal(err)
	}
	set.Routes[0].VirtualHosts[0].Routes[0].GetRoute().ClusterSpecifier = &routev3.RouteAction_Cluster{Cluster: "misspelt"}
	if err := envoytest.Validate(t, set); err == nil || !strings.Contains(err.Error(), "unknown cluster 'misspelt'") {
		t.Errorf("error is %v", err)
	}
}
