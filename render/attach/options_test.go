package attach_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/routedelta/routedelta/render/attach"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/model"
)

const twoClasses = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: mine, namespace: infra}
spec: {gatewayClassName: mine, listeners: [{name: http, port: 80, protocol: HTTP}]}
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: other, namespace: infra}
spec: {gatewayClassName: other, listeners: [{name: http, port: 80, protocol: HTTP}]}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: aged, namespace: infra, creationTimestamp: '2020-01-01T00:00:00Z'}
spec: {parentRefs: [{name: mine}, {name: other}], rules: [{backendRefs: [{name: a, port: 80}]}]}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: landed, namespace: infra}
spec: {parentRefs: [{name: mine}], rules: [{backendRefs: [{name: a, port: 80}]}]}
`

func TestGatewaysOfOtherClassesAreLeftOut(t *testing.T) {
	r := attachText(t, []byte(twoClasses), attach.Options{GatewayClasses: []string{"mine"}})
	if len(r.gateways) != 1 || r.gateways[0].Name.Name != "mine" {
		t.Errorf("gateways are %v", r.gateways)
	}
	for _, s := range r.status.Routes {
		if s.Gateway.Name != "mine" {
			t.Errorf("a status for Gateway %s, which another controller answers for", s.Gateway)
		}
	}
	var codes []diagnostic.Code
	for _, d := range r.diagnostics {
		codes = append(codes, d.Code)
	}
	if diff := cmp.Diff([]diagnostic.Code{diagnostic.ClassNotSelected, diagnostic.BackendAssumed}, codes); diff != "" {
		t.Errorf("diagnostics (-want +got):\n%s", diff)
	}
}

func TestNoGatewayIsOfAClassAskedFor(t *testing.T) {
	r := attachText(t, []byte(twoClasses), attach.Options{GatewayClasses: []string{"min"}})
	var said []string
	for _, d := range r.diagnostics {
		said = append(said, string(d.Severity)+": "+d.Hint)
	}
	const hint = "warning: no Gateway of the input is of a class that is asked for"
	if diff := cmp.Diff([]string{hint + `: did you mean "mine" in place of "min"?`, hint}, said); diff != "" {
		t.Errorf("diagnostics (-want +got):\n%s", diff)
	}
}

func TestAgesComeFromTheManifestFirst(t *testing.T) {
	landing := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	known := model.Age{Created: landing, Source: model.AgeGit}
	r := attachText(t, []byte(twoClasses), attach.Options{Ages: map[diagnostic.Object]model.Age{
		{Kind: "HTTPRoute", Namespace: "infra", Name: "aged"}:   known,
		{Kind: "HTTPRoute", Namespace: "infra", Name: "landed"}: known,
	}})
	got := map[string]model.Age{}
	for _, rule := range r.gateways[0].Listeners[0].Chains[0].Routes.Hosts[0].Rules {
		got[rule.Origin.Name.Name] = rule.Age
	}
	want := map[string]model.Age{
		"aged":   {Created: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), Source: model.AgeManifest},
		"landed": known,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ages (-want +got):\n%s", diff)
	}
}

func TestClusterDomain(t *testing.T) {
	r := attachText(t, []byte(twoClasses), attach.Options{ClusterDomain: "k8s.internal"})
	if text := describe(r); !strings.Contains(text, "a.infra.svc.k8s.internal") || strings.Contains(text, "cluster.local") {
		t.Errorf("names of another domain:\n%s", text)
	}
}

func TestEqualBackendsAreEqualPointers(t *testing.T) {
	r := attachText(t, []byte(twoClasses), attach.Options{})
	rules := r.gateways[0].Listeners[0].Chains[0].Routes.Hosts[0].Rules
	if rules[0].Action.Backends[0].Backend != rules[1].Action.Backends[0].Backend {
		t.Error("two routes to one Service have two backends")
	}
}

// An invalid Gateway has its own error: it is not assumed to be an open one, and its routes are not complained of.
func TestInvalidGatewayIsNotAssumed(t *testing.T) {
	manifests := strings.Replace(twoClasses, "port: 80, protocol: HTTP", "port: 80000, protocol: HTTP", 1)
	objects, read := manifest.Read(t.Context(), []manifest.Source{{Name: "m.yaml", Data: []byte(manifests), Named: true}}, manifest.Limits{})
	if !read.HasErrors() {
		t.Fatal("the Gateway is not refused")
	}
	gateways, status, found := attach.Attach(objects, attach.Options{})
	if len(gateways) != 1 || gateways[0].Name.Name != "other" {
		t.Errorf("gateways are %v", gateways)
	}
	for _, d := range found {
		if d.Code == diagnostic.GatewayAssumed || d.Code == diagnostic.GatewayUnknown {
			t.Errorf("unexpected: %v", d)
		}
	}
	accepted := status.Routes[0].Condition("Accepted")
	if status.Routes[0].Gateway.Name != "mine" || accepted.Status != "False" || accepted.Reason != "NoMatchingParent" {
		t.Errorf("status of the route on the invalid Gateway is %v", status.Routes[0])
	}
}

// A listener that ends TLS is left out where nothing is written of certificates, and its status says so; one that passes TLS on needs
// none.
func TestWithoutCertificates(t *testing.T) {
	const manifests = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: edge, namespace: infra}
spec:
  gatewayClassName: mine
  tls: {backend: {clientCertificateRef: {name: shown}}}
  listeners:
  - {name: http, port: 80, protocol: HTTP}
  - {name: https, port: 443, protocol: HTTPS, tls: {certificateRefs: [{name: shop}]}}
  - {name: passthrough, port: 8443, protocol: TLS, tls: {mode: Passthrough}}
`
	r := attachText(t, []byte(manifests), attach.Options{WithoutCertificates: true})
	for _, listener := range r.gateways[0].Listeners {
		for _, chain := range listener.Chains {
			if listener.Port == 443 || len(chain.Certificates) > 0 {
				t.Errorf("port %d is served with the certificates %v", listener.Port, chain.Certificates)
			}
		}
	}
	if r.gateways[0].ClientCertificate != nil {
		t.Error("backends are shown a certificate")
	}
	for _, listener := range r.status.Gateways[0].Listeners {
		want := map[string]string{"http": "Programmed", "https": "Pending", "passthrough": "Programmed"}[listener.Name]
		if got := listener.Condition("Programmed"); got.Reason != want || (got.Status == "True") != (want == "Programmed") {
			t.Errorf("listener %s: %+v", listener.Name, got)
		}
	}
	var withheld []string
	for _, d := range r.diagnostics {
		if d.Code == diagnostic.CertificateWithheld {
			withheld = append(withheld, d.Field)
		}
	}
	if diff := cmp.Diff([]string{"spec.tls.backend.clientCertificateRef", "spec.listeners[1].tls"}, withheld); diff != "" {
		t.Errorf("withheld (-want +got):\n%s", diff)
	}
}
