package attach_test

import (
	"fmt"
	"strings"
	"testing"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/attach"
	"github.com/routedelta/routedelta/render/model"
	"github.com/routedelta/routedelta/render/status"
)

// TestAddresses: of what a Gateway asks for it gets what leads to it, if that is known.
func TestAddresses(t *testing.T) {
	const manifest = `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {namespace: infra, name: edge}
spec:
  gatewayClassName: x
  addresses: [%s]
  listeners: [{name: http, port: 80, protocol: HTTP}]
`
	usable := []string{"192.0.2.1", "edge.example.com", "2001:db8::1"}
	cases := []struct {
		asked      string
		usable     []string
		addresses  string
		programmed string
	}{
		{asked: "", usable: nil, addresses: "", programmed: "Programmed"},
		{asked: "", usable: usable, addresses: "192.0.2.1", programmed: "Programmed"},
		{asked: `{value: 192.0.2.9}`, usable: nil, addresses: "192.0.2.9", programmed: "Programmed"},
		{asked: `{value: "2001:db8::1"}`, usable: usable, addresses: "2001:db8::1", programmed: "Programmed"},
		{asked: `{type: Hostname, value: edge.example.com}`, usable: usable, addresses: "edge.example.com", programmed: "Programmed"},
		{asked: `{type: IPAddress}`, usable: usable, addresses: "192.0.2.1", programmed: "Programmed"},
		{asked: `{type: Hostname}`, usable: usable, addresses: "edge.example.com", programmed: "Programmed"},
		{asked: `{type: Hostname}`, usable: usable[:1], addresses: "", programmed: "AddressNotAssigned"},
		{asked: `{value: 192.0.2.9}`, usable: usable, addresses: "", programmed: "AddressNotUsable"},
		{asked: `{value: 192.0.2.9}, {value: 192.0.2.1}`, usable: usable, addresses: "192.0.2.1", programmed: "AddressNotUsable"},
	}
	for _, c := range cases {
		options := attach.Options{References: attach.Strict}
		if c.usable != nil {
			options.Addresses = map[model.Name][]string{{Namespace: "infra", Name: "edge"}: c.usable}
		}
		got := attachText(t, fmt.Appendf(nil, manifest, c.asked), options).status.Gateways[0]
		var granted []string
		for _, address := range got.Addresses {
			granted = append(granted, address.Value)
		}
		reason := status.Find(got.Conditions, string(gatewayv1.GatewayConditionProgrammed)).Reason
		if have := strings.Join(granted, " "); have != c.addresses || reason != c.programmed {
			t.Errorf("asked [%s], usable %v: got %q with reason %s, want %q with %s", c.asked, c.usable, have, reason, c.addresses, c.programmed)
		}
	}
}

// TestClassesOfOneController: whoever asks for a class by name is its controller, and so answers for the other classes that name it.
func TestClassesOfOneController(t *testing.T) {
	manifests := []byte(`
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: {name: asked}
spec: {controllerName: example.com/ours}
---
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: {name: other}
spec: {controllerName: example.com/ours}
---
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: {name: foreign}
spec: {controllerName: example.com/theirs}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: r}
spec: {}
`)
	for asked, want := range map[string]string{"": "asked foreign other", "asked": "asked other", "nobody": ""} {
		options := attach.Options{}
		if asked != "" {
			options.GatewayClasses = []string{asked}
		}
		var names []string
		for _, class := range attachText(t, manifests, options).status.GatewayClasses {
			names = append(names, class.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("asked for %q: status of %q, want %q", asked, got, want)
		}
	}
}

// TestMisdirectedRequestsOfManyListeners: beyond a number of listeners none of them knows the hostnames of the others, and that is said
// once.
func TestMisdirectedRequestsOfManyListeners(t *testing.T) {
	for listeners, wantHosts := range map[int]int{3: 3, 128: 128, 129: 0} {
		var b strings.Builder
		for set := range (listeners + 63) / 64 {
			fmt.Fprintf(&b, "---\napiVersion: gateway.networking.k8s.io/v1\nkind: ListenerSet\nmetadata: {namespace: infra, name: s%d}\n", set)
			b.WriteString("spec:\n  parentRef: {name: edge}\n  listeners:\n")
			for i := set * 64; i < min(listeners, set*64+64); i++ {
				fmt.Fprintf(&b, "  - {name: l%d, port: 443, protocol: HTTPS, hostname: h%d.example.com, tls: {certificateRefs: [{name: c}]}}\n", i, i)
			}
		}
		got := attachText(t, []byte(b.String()), attach.Options{})
		if chains := got.gateways[0].Listeners[0].Chains; len(chains) != listeners || len(chains[0].Routes.Hosts) != max(wantHosts-1, 0) {
			t.Errorf("%d listeners: %d chains, the first with %d hosts, want %d", listeners, len(chains), len(chains[0].Routes.Hosts), max(wantHosts-1, 0))
		}
		said := 0
		for _, d := range got.diagnostics {
			if d.Code == "RD1226" {
				said++
			}
		}
		if want := map[bool]int{true: 1}[wantHosts == 0]; said != want {
			t.Errorf("%d listeners: said %d times, want %d", listeners, said, want)
		}
	}
}
