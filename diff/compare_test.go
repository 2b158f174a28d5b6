package diff_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/routedelta/routedelta/diff"
	"github.com/routedelta/routedelta/diff/format"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/envoy/curltest"
	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/model"
	"github.com/routedelta/routedelta/render/xds"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The tests start from models, not manifests: what Envoy's files mean is all that this package knows.

func sets(gateways ...*model.Gateway) []*files.Set {
	var made []*files.Set
	for _, g := range gateways {
		set, _ := xds.Build(g, xds.Options{})
		made = append(made, set)
	}
	return made
}

func gatewayOf(listeners ...model.Listener) *model.Gateway {
	return &model.Gateway{Name: model.Name{Namespace: "infra", Name: "public"}, Listeners: listeners}
}

func plain(port uint32, hosts ...model.Host) model.Listener {
	return model.Listener{Port: port, Protocol: model.HTTP, Chains: []model.FilterChain{{
		Name: "http", Routes: model.RouteTable{Name: "http-" + string(rune('a'+port%26)), Hosts: hosts},
	}}}
}

// secure has one chain for each server name, "" for any.
func secure(port uint32, chains ...model.FilterChain) model.Listener {
	return model.Listener{Port: port, Protocol: model.HTTPS, Chains: chains}
}

func chain(name, certificate string, hosts ...model.Host) model.FilterChain {
	c := model.FilterChain{
		Name:         "https-" + name,
		Certificates: []model.Certificate{{Name: model.Name{Namespace: "infra", Name: certificate}}},
		Routes:       model.RouteTable{Name: "https-" + name, Hosts: hosts},
	}
	if name != "" {
		c.ServerNames = []string{name}
	}
	return c
}

func host(name string, rules ...model.Rule) model.Host {
	return model.Host{Hostname: name, Rules: rules}
}

// rule of the route shop/<route>: path "/x" is a prefix, "=/x" exact.
func rule(route, path string, action model.Action, headers ...model.ValueMatch) model.Rule {
	match := model.Match{PathKind: model.PathPrefix, PathValue: path, Headers: headers}
	if exact, ok := strings.CutPrefix(path, "="); ok {
		match.PathKind, match.PathValue = model.PathExact, exact
	}
	return model.Rule{
		Origin: model.Origin{Kind: "HTTPRoute", Name: model.Name{Namespace: "shop", Name: route}},
		Match:  match,
		Action: action,
	}
}

// endpoints of all services, so that a test can change one.
type endpoints map[string][]model.Locality

func at(addresses ...string) []model.Locality {
	var group model.Locality
	for _, a := range addresses {
		group.Endpoints = append(group.Endpoints, model.Endpoint{Address: a, Port: 8080})
	}
	return []model.Locality{group}
}

// to sends all to one service; it has no addresses unless the table has some.
func (e endpoints) to(name string) model.Action {
	return model.Action{Backends: []model.WeightedBackend{{Weight: 1, Backend: e.service(name)}}}
}

func (e endpoints) service(name string) *model.Backend {
	b := &model.Backend{Name: model.Name{Namespace: "shop", Name: name}, Port: 80, Endpoints: e[name]}
	if b.Endpoints == nil {
		b.Endpoints = at("10.0.0.1")
	}
	return b
}

func to(name string) model.Action { return endpoints{}.to(name) }

func weighted(a string, wa uint32, b string, wb uint32) model.Action {
	return model.Action{Backends: []model.WeightedBackend{
		{Weight: wa, Backend: endpoints{}.service(a)}, {Weight: wb, Backend: endpoints{}.service(b)},
	}}
}

func withTimeout(a model.Action, d time.Duration) model.Action {
	a.RequestTimeout = &d
	return a
}

func redirect(status uint32, path string) model.Action {
	return model.Action{Redirect: &model.Redirect{Status: status, Path: &model.PathChange{Value: path}}}
}

var canary = model.ValueMatch{Name: "x-env", Value: "canary"}

// comparisons are small changes and what is to be said of them, in testdata/<name>.txt.
func comparisons() map[string][2][]*files.Set {
	shop := func(rules ...model.Rule) []*files.Set {
		return sets(gatewayOf(plain(80, host("shop.example", rules...))))
	}
	return map[string][2][]*files.Set{
		"same": {shop(rule("shop", "/", to("web"))), shop(rule("shop", "/", to("web")))},
		"backend": {
			shop(rule("shop", "/orders", to("orders")), rule("shop", "/", to("web"))),
			shop(rule("shop", "/orders", to("orders-v2")), rule("shop", "/", to("web"))),
		},
		"canary": {
			shop(rule("shop", "/orders", to("orders"))),
			shop(rule("shop", "/orders", to("orders-canary"), canary), rule("shop", "/orders", to("orders"))),
		},
		"weights": {
			shop(rule("api", "/api", weighted("api-v1", 90, "api-v2", 10))),
			shop(rule("api", "/api", weighted("api-v1", 80, "api-v2", 20))),
		},
		"removed": {
			shop(rule("shop", "/legacy", to("legacy")), rule("shop", "/orders", to("orders"))),
			shop(rule("shop", "/orders", to("orders"))),
		},
		"timeout": {
			shop(rule("pay", "/", withTimeout(to("pay"), 15*time.Second))),
			shop(rule("pay", "/", withTimeout(to("pay"), 5*time.Second))),
		},
		"redirect": {
			shop(rule("shop", "/", to("web"))),
			shop(rule("promo", "=/", redirect(302, "/welcome")), rule("shop", "/", to("web"))),
		},
		"covered": {
			shop(rule("shop", "=/orders/export", to("export")), rule("shop", "/", to("web"))),
			shop(rule("shop", "=/orders/export", to("export")), rule("late", "=/orders/export", to("other")), rule("shop", "/", to("web"))),
		},
		"split": {
			shop(rule("shop", "/orders", to("orders"))),
			shop(rule("shop", "=/orders/new", to("orders")), rule("shop", "/orders", to("orders"))),
		},
		"host-added": {
			sets(gatewayOf(plain(80, host("shop.example", rule("shop", "/", to("web")))))),
			sets(gatewayOf(plain(80, host("pay.example", rule("pay", "/", to("pay"))), host("shop.example", rule("shop", "/", to("web")))))),
		},
		"two-listeners": {
			sets(gatewayOf(plain(80, host("shop.example", rule("shop", "/", to("web")))), secure(443, chain("", "tls", host("shop.example", rule("shop", "/", to("web"))))))),
			sets(gatewayOf(plain(80, host("shop.example", rule("shop", "/", to("web-v2")))), secure(443, chain("", "tls", host("shop.example", rule("shop", "/", to("web-v2"))))))),
		},
		"one-of-two-listeners": {
			sets(gatewayOf(plain(80, host("shop.example", rule("shop", "/", to("web")))), secure(443, chain("", "tls", host("shop.example", rule("shop", "/", to("web"))))))),
			sets(gatewayOf(plain(80, host("shop.example", rule("shop", "/", redirect(301, "/secure")))), secure(443, chain("", "tls", host("shop.example", rule("shop", "/", to("web"))))))),
		},
		"one-of-two-server-names": {
			sets(gatewayOf(secure(443, chain("", "tls", host("shop.example", rule("shop", "/", to("web")))), chain("*.example", "tls", host("shop.example", rule("shop", "/", to("web"))))))),
			sets(gatewayOf(secure(443, chain("", "tls", host("shop.example", rule("shop", "/", to("web")))), chain("*.example", "tls", host("shop.example", rule("shop", "/", to("web-v2"))))))),
		},
		// The rule of "late" is dead on both listeners: one finding. That of "half" is dead on one only: it has an effect.
		"covered-on-two-listeners": {
			sets(gatewayOf(plain(80, host("shop.example", rule("shop", "=/a", to("a")), rule("shop", "/", to("web")))), secure(443, chain("", "tls", host("shop.example", rule("shop", "=/a", to("a")), rule("old", "=/b", to("b")), rule("shop", "/", to("web"))))))),
			sets(gatewayOf(
				plain(80, host("shop.example", rule("shop", "=/a", to("a")), rule("late", "=/a", to("other")), rule("half", "=/b", to("half")), rule("shop", "/", to("web")))),
				secure(443, chain("", "tls", host("shop.example", rule("shop", "=/a", to("a")), rule("late", "=/a", to("other")), rule("old", "=/b", to("b")), rule("half", "=/b", to("half")), rule("shop", "/", to("web")))))),
			),
		},
		"listener-removed": {
			sets(gatewayOf(plain(80, host("shop.example", rule("shop", "/", to("web")))), plain(8080, host("*", rule("admin", "/", to("admin")))))),
			sets(gatewayOf(plain(80, host("shop.example", rule("shop", "/", to("web")))))),
		},
		"gateway-added": {
			nil,
			shop(rule("shop", "/", to("web"))),
		},
		"protocol": {
			sets(gatewayOf(plain(8443, host("shop.example", rule("shop", "/", to("web")))))),
			sets(gatewayOf(secure(8443, chain("", "tls", host("shop.example", rule("shop", "/", to("web"))))))),
		},
		"certificate": {
			sets(gatewayOf(secure(443, chain("shop.example", "tls", host("shop.example", rule("shop", "/", to("web"))))))),
			sets(gatewayOf(secure(443, chain("shop.example", "tls-2026", host("shop.example", rule("shop", "/", to("web"))))))),
		},
		"server-name-removed": {
			sets(gatewayOf(secure(443, chain("pay.example", "pay", host("pay.example", rule("pay", "/", to("pay")))), chain("shop.example", "tls", host("shop.example", rule("shop", "/", to("web"))))))),
			sets(gatewayOf(secure(443, chain("shop.example", "tls", host("shop.example", rule("shop", "/", to("web"))))))),
		},
		"endpoints": {
			shop(rule("shop", "/orders", endpoints{"orders": at("10.0.0.1", "10.0.0.2")}.to("orders"))),
			shop(rule("shop", "/orders", endpoints{"orders": at("10.0.0.3")}.to("orders"))),
		},
		"no-endpoints": {
			shop(rule("shop", "/orders", endpoints{"orders": at("10.0.0.1")}.to("orders"))),
			shop(rule("shop", "/orders", endpoints{"orders": at()}.to("orders"))),
		},
	}
}

func TestCompare(t *testing.T) {
	for name, sides := range comparisons() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := compareAll(t, sides[0], sides[1])
			checkTraces(t, got)
			holdGolden(t, name, got)
		})
	}
}

func compareAll(t *testing.T, before, after []*files.Set) *diff.Comparison {
	t.Helper()
	got, err := diff.Compare(t.Context(), before, after, diff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got.Report.Before.Source, got.Report.After.Source = "before", "after"
	return got
}

// holdGolden holds the text of a comparison to testdata/<name>.txt, its wire form to what is read back, and the command of every
// class to what an Envoy of each side answers.
func holdGolden(t *testing.T, name string, got *diff.Comparison) {
	t.Helper()
	var text bytes.Buffer
	if err := format.Text(&text, got.Report, format.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	golden(t, filepath.Join("testdata", name+".txt"), text.String())
	checkWire(t, got.Report)
	if len(got.Report.Classes) > 0 {
		curltest.Start(t, got.Report, got.Compared).Hold(t, got.Report)
	}
}

// checkTraces holds that every finding has its trace, and that rules are where the traces say.
func checkTraces(t *testing.T, c *diff.Comparison) {
	t.Helper()
	if len(c.Traces.Classes) != len(c.Report.Classes) || len(c.Traces.Effectless) != len(c.Report.Effectless) {
		t.Fatalf("%d traces for %d classes, %d for %d edits without effect", len(c.Traces.Classes), len(c.Report.Classes),
			len(c.Traces.Effectless), len(c.Report.Effectless))
	}
	for i, trace := range c.Traces.Classes {
		if len(trace.Edits) != len(c.Report.Classes[i].Causes) {
			t.Errorf("class %d has %d edits for %d causes", i, len(trace.Edits), len(c.Report.Classes[i].Causes))
		}
		if c.Report.Classes[i].Why != nil && trace.Winner == nil {
			t.Errorf("class %d has a winner without a place", i)
		}
	}
}

// checkWire holds that the report survives its own wire form.
func checkWire(t *testing.T, r *report.Report) {
	t.Helper()
	var wire bytes.Buffer
	if err := report.Encode(&wire, r); err != nil {
		t.Fatal(err)
	}
	first := wire.String()
	back, err := report.Decode(&wire)
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := report.Encode(&again, back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, again.String()); diff != "" {
		t.Errorf("the report changes on the wire (-first +again):\n%s", diff)
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// TestEndpointsOfOneSide: a side that leaves the endpoints to a server, such as a dump without include_eds, is no change and
// not passed over in silence; where both do there is nothing to tell.
func TestEndpointsOfOneSide(t *testing.T) {
	told := sets(gatewayOf(plain(80, host("a.example", rule("shop", "/", to("orders"))))))
	untold := []*files.Set{told[0].Clone()}
	if len(untold[0].Endpoints) != 1 {
		t.Fatalf("%d files of endpoints", len(untold[0].Endpoints))
	}
	untold[0].Endpoints = nil
	caveat := []report.Caveat{{Gateway: "infra/public", About: report.Endpoints, Names: []string{"orders:80"}}}
	for _, c := range []struct {
		name          string
		before, after []*files.Set
		want          []report.Caveat
	}{
		{"told before only", told, untold, caveat},
		{"told after only", untold, told, caveat},
		{"told by none", untold, untold, nil},
		{"told by both", told, told, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, err := diff.Compare(t.Context(), c.before, c.after, diff.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if difference := cmp.Diff(c.want, found.Report.Caveats); difference != "" || found.Report.HasFindings() {
				t.Errorf("findings: %t; caveats (-want +got):\n%s", found.Report.HasFindings(), difference)
			}
		})
	}
}
