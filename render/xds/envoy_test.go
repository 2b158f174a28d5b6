package xds_test

import (
	"context"
	"testing"
	"time"

	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
	"github.com/routedelta/routedelta/render/model"
	"github.com/routedelta/routedelta/render/xds"
)

// serve runs a real Envoy with a gateway, echoes in the place of its backends.
func serve(t *testing.T, gateway *model.Gateway) *envoytest.Envoy {
	t.Helper()
	set, _ := xds.Build(gateway, xds.Options{})
	envoy := envoytest.Start(t, set)
	envoy.RequireLoaded(t)
	return envoy
}

func ask(t *testing.T, envoy *envoytest.Envoy, port uint32, request envoytest.Request) envoytest.Answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	request.Method = "GET"
	answer, err := envoy.Ask(ctx, port, request)
	if err != nil {
		t.Fatalf("asking %s%s: %v", request.Host, request.Path, err)
	}
	return answer
}

// TestRewriteTable is the table of HTTPPathModifier.replacePrefixMatch, then what it leaves open. "%DC%" would be a substitution
// command, were the field one with a format.
func TestRewriteTable(t *testing.T) {
	cases := []struct {
		match       string
		full        bool
		value       string
		path, wants string
	}{
		{match: "/foo", value: "/xyz", path: "/foo/bar", wants: "/xyz/bar"},
		{match: "/foo", value: "/xyz/", path: "/foo/bar", wants: "/xyz/bar"},
		{match: "/foo", value: "/xyz", path: "/foo", wants: "/xyz"},
		{match: "/foo", value: "/xyz", path: "/foo/", wants: "/xyz/"},
		{match: "/foo", value: "", path: "/foo/bar", wants: "/bar"},
		{match: "/foo", value: "", path: "/foo/", wants: "/"},
		{match: "/foo", value: "", path: "/foo", wants: "/"},
		{match: "/foo", value: "/", path: "/foo/", wants: "/"},
		{match: "/foo", value: "/", path: "/foo", wants: "/"},
		{match: "/foo", value: "/", path: "/foo/bar?q=/foo/x", wants: "/bar?q=/foo/x"},
		{match: "/", value: "/xyz", path: "/bar", wants: "/xyz/bar"},
		{match: "/", value: "/xyz/", path: "/", wants: "/xyz/"},
		{match: "/", value: "/", path: "/bar", wants: "/bar"},
		{match: "/", value: "", path: "/bar", wants: "/bar"},
		{match: "/f.o", value: "/", path: "/f.o/bar", wants: "/bar"},
		{match: "/foo", value: "xyz", path: "/foo/bar", wants: "/xyz/bar"},
		{match: "/foo", value: "/50%25", path: "/foo/bar", wants: "/50%25/bar"},
		{match: "/foo", value: "/%DC%20", path: "/foo/bar", wants: "/%DC%20/bar"},
		{match: "/foo", full: true, value: "/new", path: "/foo/bar", wants: "/new"},
		{match: "/foo", full: true, value: "/new", path: "/foo?a=b", wants: "/new?a=b"},
		{match: "/foo", full: true, value: `/n\1w`, path: "/foo", wants: `/n\1w`},
		{match: "/foo", full: true, value: "/50%25/%DC%20", path: "/foo", wants: "/50%25/%DC%20"},
		{match: "/foo", full: true, value: "", path: "/foo", wants: "/"},
	}
	// Each case is a host of its own, so that one Envoy serves all.
	var hosts []model.Host
	name := func(i int) string { return "h" + string(rune('a'+i)) + ".example" }
	for i, c := range cases {
		action := to(serving("web"))
		action.Rewrite.Path = &model.PathChange{Prefix: !c.full, Value: c.value}
		hosts = append(hosts, model.Host{Hostname: name(i), Rules: []model.Rule{rule(c.match, action)}})
	}
	envoy := serve(t, plainGateway(80, hosts...))
	for i, c := range cases {
		answer := ask(t, envoy, 80, envoytest.Request{Host: name(i), Path: c.path})
		if answer.Seen == nil || answer.Path != c.wants {
			t.Errorf("prefix %q, full %v, value %q: %s becomes %q (status %d), want %q", c.match, c.full, c.value, c.path, answer.Path, answer.Status, c.wants)
		}
	}
}

// TestRedirectTable is HTTPRequestRedirectFilter: which scheme, host, port and path a Location has.
func TestRedirectTable(t *testing.T) {
	prefix := func(value string) *model.PathChange { return &model.PathChange{Prefix: true, Value: value} }
	cases := []struct {
		listener uint32
		wildcard bool
		redirect model.Redirect
		port     string // of the Host header
		path     string
		location string // HOST stands for the name in the Host header
	}{
		{listener: 80, redirect: model.Redirect{Scheme: "https"}, path: "/foo?a=b", location: "https://HOST/foo?a=b"},
		{listener: 80, redirect: model.Redirect{Scheme: "https"}, port: ":80", path: "/foo", location: "https://HOST/foo"},
		{listener: 80, redirect: model.Redirect{Scheme: "https"}, port: ":8443", path: "/foo", location: "https://HOST/foo"},
		{listener: 80, redirect: model.Redirect{Scheme: "https", Port: 443}, path: "/foo", location: "https://HOST/foo"},
		{listener: 80, redirect: model.Redirect{Scheme: "https", Port: 8443}, port: ":80", path: "/foo", location: "https://HOST:8443/foo"},
		{listener: 80, redirect: model.Redirect{Hostname: "other.example"}, port: ":80", path: "/foo", location: "http://other.example/foo"},
		{listener: 8080, redirect: model.Redirect{Hostname: "other.example"}, port: ":8080", path: "/foo", location: "http://other.example:8080/foo"},
		{listener: 8080, redirect: model.Redirect{Path: prefix("/new")}, port: ":8080", path: "/foo/x", location: "http://HOST:8080/new/x"},
		{listener: 8080, redirect: model.Redirect{Scheme: "https"}, port: ":8080", path: "/foo", location: "https://HOST/foo"},
		{listener: 8080, redirect: model.Redirect{Port: 80}, port: ":8080", path: "/foo", location: "http://HOST/foo"},
		{listener: 80, wildcard: true, redirect: model.Redirect{Scheme: "https"}, port: ":80", path: "/foo", location: "https://HOST/foo"},
		{listener: 80, wildcard: true, redirect: model.Redirect{Scheme: "https"}, path: "/foo", location: "https://HOST/foo"},
		{listener: 8080, wildcard: true, redirect: model.Redirect{Scheme: "https"}, port: ":8080", path: "/foo", location: "https://HOST:443/foo"},
		{listener: 80, redirect: model.Redirect{Path: prefix("/")}, path: "/foo/bar?q=1", location: "http://HOST/bar?q=1"},
		{listener: 80, redirect: model.Redirect{Path: prefix("")}, path: "/foo", location: "http://HOST/"},
		{listener: 80, redirect: model.Redirect{Path: &model.PathChange{Value: "/new"}}, path: "/foo/bar?q=1", location: "http://HOST/new?q=1"},
		{listener: 80, redirect: model.Redirect{Path: &model.PathChange{Value: "/50%25/%PROTOCOL%"}}, path: "/foo", location: "http://HOST/50%25/%PROTOCOL%"},
		{listener: 80, redirect: model.Redirect{Path: prefix("/%PROTOCOL%")}, path: "/foo", location: "http://HOST/%PROTOCOL%"},
	}
	hosts := map[uint32][]model.Host{}
	name := func(i int) string { return "h" + string(rune('a'+i)) + ".example" }
	for i, c := range cases {
		redirect := c.redirect
		host := model.Host{Hostname: name(i), Rules: []model.Rule{rule("/foo", model.Action{Redirect: &redirect})}}
		if c.wildcard {
			host.Hostname = "*." + host.Hostname
		}
		hosts[c.listener] = append(hosts[c.listener], host)
	}
	gateway := plainGateway(80, hosts[80]...)
	other := plainGateway(8080, hosts[8080]...).Listeners[0]
	other.Chains[0].Routes.Name = "http-8080"
	gateway.Listeners = append(gateway.Listeners, other)
	envoy := serve(t, gateway)
	for i, c := range cases {
		host := name(i)
		if c.wildcard {
			host = "x." + host
		}
		answer := ask(t, envoy, c.listener, envoytest.Request{Host: host + c.port, Path: c.path})
		want := replaceHost(c.location, host)
		if got := answer.Headers.Get("Location"); got != want || answer.Status != 302 {
			t.Errorf("listener %d, %+v: %s%s%s is sent to %q with %d, want %q", c.listener, c.redirect, host, c.port, c.path, got, answer.Status, want)
		}
	}
}

func replaceHost(location, host string) string {
	for i := 0; i+4 <= len(location); i++ {
		if location[i:i+4] == "HOST" {
			return location[:i] + host + location[i+4:]
		}
	}
	return location
}

func TestRefusedShareAnswers500(t *testing.T) {
	mixed := model.Action{Backends: []model.WeightedBackend{{Weight: 1, Backend: serving("web")}, {Weight: 1}}}
	refused := model.Action{Backends: []model.WeightedBackend{{Weight: 1}, {Weight: 0, Backend: serving("web")}}}
	empty := serving("empty")
	empty.Endpoints = nil
	envoy := serve(t, plainGateway(80, model.Host{Hostname: "*", Rules: []model.Rule{
		rule("/mixed", mixed), rule("/refused", refused), rule("/empty", to(empty)), rule("/without", to()),
	}}))
	seen := map[int]bool{}
	for range 50 {
		seen[ask(t, envoy, 80, envoytest.Request{Host: "a.example", Path: "/mixed"}).Status] = true
	}
	if len(seen) != 2 || !seen[200] || !seen[500] {
		t.Errorf("a share that is half refused answers %v, want 200 and 500", seen)
	}
	if got := ask(t, envoy, 80, envoytest.Request{Host: "a.example", Path: "/refused"}).Status; got != 500 {
		t.Errorf("a refused backend answers %d, want 500", got)
	}
	if got := ask(t, envoy, 80, envoytest.Request{Host: "a.example", Path: "/without"}).Status; got != 500 {
		t.Errorf("a rule without backends answers %d, want 500", got)
	}
	if got := ask(t, envoy, 80, envoytest.Request{Host: "a.example", Path: "/empty"}).Status; got != 503 {
		t.Errorf("a backend without endpoints answers %d, want 503", got)
	}
	if got := ask(t, envoy, 80, envoytest.Request{Host: "a.example", Path: "/none"}).Status; got != 404 {
		t.Errorf("no rule answers %d, want 404", got)
	}
}

func TestHeaderChanges(t *testing.T) {
	action := to(serving("web"))
	action.RequestHeaders = model.HeaderChange{
		Set:    []model.Header{{Name: "X-Set", Value: "50% of %PROTOCOL%"}},
		Add:    []model.Header{{Name: "x-add", Value: "two"}},
		Remove: []string{"x-remove"},
	}
	action.ResponseHeaders = model.HeaderChange{Set: []model.Header{{Name: "Server", Value: "mine"}}}
	action.Rewrite.Hostname = "inner.example"
	envoy := serve(t, plainGateway(80, model.Host{Hostname: "*", Rules: []model.Rule{rule("/", action)}}))
	answer := ask(t, envoy, 80, envoytest.Request{Host: "a.example", Path: "/", Headers: []envoytest.Header{
		{Name: "x-set", Value: "old"}, {Name: "x-add", Value: "one"}, {Name: "x-remove", Value: "gone"},
	}})
	if answer.Seen == nil {
		t.Fatalf("no backend was reached: status %d", answer.Status)
	}
	if answer.Host != "inner.example" {
		t.Errorf("the backend saw host %q", answer.Host)
	}
	if got := answer.Headers.Get("Server"); got != "mine" {
		t.Errorf("the client saw server %q", got)
	}
	for name, want := range map[string][]string{"X-Set": {"50% of %PROTOCOL%"}, "X-Add": {"one", "two"}, "X-Remove": nil} {
		if got := answer.Seen.Headers[name]; len(got) != len(want) || (len(want) > 0 && got[len(got)-1] != want[len(want)-1]) {
			t.Errorf("the backend saw %s %q, want %q", name, got, want)
		}
	}
}
