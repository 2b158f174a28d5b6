package manifest_test

import (
	"fmt"
	"strings"
	"testing"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
)

// route is an HTTPRoute with this spec, from line 4 on.
func route(spec string) string {
	return "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: r, namespace: ns}\nspec:\n" + spec
}

// TestDefaults: what the API server fills in is filled in.
func TestDefaults(t *testing.T) {
	objects, found := readText(t, route(`  parentRefs: [{name: g}]
  rules:
  - matches: [{headers: [{name: a, value: b}], queryParams: [{name: a, value: b}]}]
    backendRefs: [{name: s, port: 80}]
  - filters: [{type: RequestRedirect, requestRedirect: {}}]
`)+`---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: g}
spec:
  gatewayClassName: c
  listeners:
  - {name: a, port: 443, protocol: HTTPS, tls: {certificateRefs: [{name: s}]}, allowedRoutes: {kinds: [{kind: HTTPRoute}]}}
---
apiVersion: v1
kind: Service
metadata: {name: s}
spec: {ports: [{port: 80}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: e}
addressType: IPv4
ports: [{port: 80}]
endpoints: []
`)
	if len(found) != 0 {
		t.Fatal(found)
	}
	spec := objects.HTTPRoutes[0].Object.Spec
	first := spec.Rules[0]
	listener := objects.Gateways[0].Object.Spec.Listeners[0]
	port := objects.Services[0].Object.Spec.Ports[0]
	slicePort := objects.EndpointSlices[0].Object.Ports[0]
	got := fmt.Sprintln(*spec.ParentRefs[0].Group, *spec.ParentRefs[0].Kind,
		*first.Matches[0].Path.Type, *first.Matches[0].Path.Value, *first.Matches[0].Headers[0].Type, *first.Matches[0].QueryParams[0].Type) +
		fmt.Sprintf("%q %s %d\n", *first.BackendRefs[0].Group, *first.BackendRefs[0].Kind, *first.BackendRefs[0].Weight) +
		fmt.Sprintln(*spec.Rules[1].Filters[0].RequestRedirect.StatusCode, *spec.Rules[1].Matches[0].Path.Value) +
		fmt.Sprintln(*listener.TLS.Mode, *listener.TLS.CertificateRefs[0].Kind, *listener.AllowedRoutes.Namespaces.From, *listener.AllowedRoutes.Kinds[0].Group) +
		fmt.Sprintln(port.Protocol, port.TargetPort.IntVal, objects.Services[0].Object.Spec.Type, *slicePort.Protocol)
	const want = `gateway.networking.k8s.io Gateway PathPrefix / Exact Exact
"" Service 1
302 /
Terminate Secret Same gateway.networking.k8s.io
TCP 80 ClusterIP TCP
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	objects, _ = readText(t, "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: r}\nspec: {}\n")
	if rules := objects.HTTPRoutes[0].Object.Spec.Rules; len(rules) != 1 || *rules[0].Matches[0].Path.Type != gatewayv1.PathMatchPathPrefix {
		t.Error(rules)
	}
}

// TestInvalidIsLeftOut: an object with an error is left out and remembered, its neighbours stay, and entries that do not
// count are dropped.
func TestInvalidIsLeftOut(t *testing.T) {
	objects, found := readText(t, route("  hostnames: [A]\n")+"---\n"+
		strings.Replace(route("  rules: [{matches: [{headers: [{name: a, value: b}, {name: A, value: c}]}]}]\n"), "name: r", "name: good", 1))
	if len(objects.HTTPRoutes) != 1 || objects.HTTPRoutes[0].Object.Name != "good" || len(found) != 2 {
		t.Fatal(objects.HTTPRoutes, found)
	}
	if len(objects.Invalid) != 1 || objects.Invalid[0].String() != "HTTPRoute ns/r" {
		t.Error(objects.Invalid)
	}
	if headers := objects.HTTPRoutes[0].Object.Spec.Rules[0].Matches[0].Headers; len(headers) != 1 || headers[0].Value != "b" {
		t.Error(headers)
	}
}
