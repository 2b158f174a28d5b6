package render_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/manifest/manifesttest"
)

const edge = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: public, namespace: infra}
spec:
  gatewayClassName: any
  listeners:
  - {name: http, port: 80, protocol: HTTP, allowedRoutes: {namespaces: {from: All}}}
`

func read(t testing.TB, documents ...string) *manifest.Objects {
	t.Helper()
	var sources []manifest.Source
	for i, text := range documents {
		sources = append(sources, manifest.Source{Name: fmt.Sprintf("%03d.yaml", i), Data: []byte(text), Named: true})
	}
	objects, found := manifest.Read(context.Background(), sources, manifest.Limits{})
	if found.HasErrors() {
		t.Fatalf("the manifests cannot be read: %v", found)
	}
	return objects
}

func rendered(t testing.TB, options render.Options, documents ...string) *render.Rendering {
	t.Helper()
	rendering, err := render.Render(context.Background(), read(t, documents...), options)
	if err != nil {
		t.Fatal(err)
	}
	return rendering
}

// text is every file of a rendering.
func text(t testing.TB, rendering *render.Rendering) string {
	t.Helper()
	var b strings.Builder
	for _, gateway := range rendering.Gateways {
		encoded, err := files.Encode(gateway.Files, files.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range encoded {
			fmt.Fprintf(&b, "-- %s/%s --\n%s\n", gateway.Files.Name, file.Path, file.Data)
		}
	}
	return b.String()
}

func TestRenderDoesNotDependOnTheOrderOfItsInput(t *testing.T) {
	documents := strings.SplitAfter(edge+string(manifesttest.Routes(60)), "---\n")
	documents = append(documents,
		"{apiVersion: v1, kind: Service, metadata: {name: web-1, namespace: team-1}, spec: {ports: [{port: 80}]}}",
		"{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: b, namespace: team-1, labels: {kubernetes.io/service-name: web-1}}, addressType: IPv4, ports: [{port: 8080}], endpoints: [{addresses: [10.0.0.2]}, {addresses: [10.0.0.1], zone: z}]}",
		"{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: a, namespace: team-1, labels: {kubernetes.io/service-name: web-1}}, addressType: IPv4, ports: [{port: 8080}], endpoints: [{addresses: [10.0.0.3], zone: z}]}",
		strings.Replace(edge, "public", "other", 1),
	)
	want := text(t, rendered(t, render.Options{}, documents...))
	random := rand.New(rand.NewPCG(1, 2))
	for range 3 {
		random.Shuffle(len(documents), func(i, j int) { documents[i], documents[j] = documents[j], documents[i] })
		if diff := cmp.Diff(want, text(t, rendered(t, render.Options{}, documents...))); diff != "" {
			t.Fatalf("another order gives other files (-want +got):\n%s", diff)
		}
	}
}

// longRoutes are a thousand rules to one backend, ten in a route, with one more for another path at a place.
func longRoutes(inserted int) string {
	var b bytes.Buffer
	rule := func(path string) {
		fmt.Fprintf(&b, "  - {matches: [{path: {value: %s}}], backendRefs: [{name: web, port: 80}]}\n", path)
	}
	for i := range 1000 {
		if i%10 == 0 {
			fmt.Fprintf(&b, "---\napiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: long-%02d, namespace: infra}\n"+
				"spec:\n  parentRefs: [{name: public}]\n  rules:\n", i/10)
		}
		if i == inserted {
			rule("/inserted")
		}
		rule(fmt.Sprintf("/p%04d", i))
	}
	if inserted == 1000 {
		rule("/inserted")
	}
	return b.String()
}

func TestOneInsertedRuleChangesItsOwnLinesOnly(t *testing.T) {
	before := strings.Split(text(t, rendered(t, render.Options{}, edge+longRoutes(-1))), "\n")
	for _, at := range []int{0, 500, 1000} {
		after := strings.Split(text(t, rendered(t, render.Options{}, edge+longRoutes(at))), "\n")
		// The digest of the one file that changes is the only line that is not the rule's own.
		removed, added := lineDifference(before, after)
		if len(removed) != 1 || !strings.Contains(removed[0], "version_info") {
			t.Errorf("inserted at %d: lines are gone: %q", at, removed)
		}
		if len(added) > 40 || !slices.ContainsFunc(added, func(line string) bool { return strings.Contains(line, "/inserted") }) {
			t.Errorf("inserted at %d: %d lines are new", at, len(added))
		}
	}
}

// lineDifference is what one text has more often than the other, and the other way round.
func lineDifference(before, after []string) (removed, added []string) {
	count := map[string]int{}
	for _, line := range before {
		count[line]--
	}
	for _, line := range after {
		if count[line]++; count[line] > 0 {
			added = append(added, line)
		}
	}
	for _, line := range before {
		if count[line] < 0 {
			count[line]++
			removed = append(removed, line)
		}
	}
	return removed, added
}

func route(name, extra, hostname, backend string) string {
	return fmt.Sprintf("---\napiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: %s, namespace: infra%s}\nspec:\n  parentRefs: [{name: public}]\n  hostnames: [%s]\n  rules:\n  - backendRefs: [{name: %s, port: 80}]\n", name, extra, hostname, backend)
}

func TestOverlapsAreSaid(t *testing.T) {
	const created = ", creationTimestamp: '%d-01-01T00:00:00Z'"
	tests := []struct {
		name string
		a, b string
		want string // code, loser, and the rung
	}{
		{"by age", route("a", fmt.Sprintf(created, 2024), "a.com", "web"), route("z", fmt.Sprintf(created, 2020), "a.com", "web"),
			"RD1301 HTTPRoute infra/a: no request for a.com gets here: rule 1 of HTTPRoute infra/z has the same match and comes first by age of the route (2020-01-01T00:00:00Z before 2024-01-01T00:00:00Z)"},
		{"by name", route("a", "", "a.com", "web"), route("z", "", "a.com", "api"),
			"RD1302 HTTPRoute infra/z: no request for a.com gets here: rule 1 of HTTPRoute infra/a has the same match and comes first by name of the route (infra/a before infra/z)"},
		{"in one route", route("a", "", "a.com", "web") + "  - backendRefs: [{name: api, port: 80}]\n", "",
			"RD1303 HTTPRoute infra/a: no request for a.com gets here: rule 1 of HTTPRoute infra/a has the same match and comes first by order of rules in the route (rule 1 before rule 2)"},
		{"on another host", route("a", "", "a.com", "web"), route("z", "", "b.com", "api"), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rendering := rendered(t, render.Options{}, edge+test.a+test.b)
			var got []string
			for _, d := range rendering.Diagnostics {
				if strings.HasPrefix(string(d.Code), "RD13") {
					got = append(got, fmt.Sprintf("%s %s: %s", d.Code, d.Object, d.Message))
					if d.Position.Line == 0 || d.Severity != diagnostic.Warning {
						t.Errorf("%v has no place, or is no warning", d)
					}
				}
			}
			if strings.Join(got, "\n") != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
			overlapping, want := 0, 0
			if test.b != "" && test.want != "" {
				want = 2
			}
			for i := range rendering.Status.Routes {
				if c := rendering.Status.Routes[i].Condition("RouteRulesOverlap"); c != nil && c.Status == "True" {
					overlapping++
				}
			}
			if overlapping != want {
				t.Errorf("%d routes have the condition RouteRulesOverlap, want %d", overlapping, want)
			}
		})
	}
}

func TestOneBadObjectDoesNotHideTheOthers(t *testing.T) {
	bad := route("bad", "", "10.0.0.1", "web")
	objects, found := manifest.Read(t.Context(), []manifest.Source{{Name: "m.yaml", Data: []byte(edge + bad + route("good", "", "a.com", "api"))}}, manifest.Limits{})
	if !found.HasErrors() {
		t.Error("the bad object is not refused")
	}
	rendering, err := render.Render(t.Context(), objects, render.Options{})
	if err != nil {
		t.Fatal(err)
	}
	hosts := rendering.Gateways[0].Model.Listeners[0].Chains[0].Routes.Hosts
	if len(hosts) != 1 || hosts[0].Hostname != "a.com" {
		t.Errorf("hosts are %v", hosts)
	}
}

func TestRulesAndEnvoyRoutesHaveTheSameIndex(t *testing.T) {
	rendering := rendered(t, render.Options{}, edge+string(manifesttest.Routes(3)))
	table := rendering.Gateways[0].Model.Listeners[0].Chains[0].Routes
	routes := rendering.Gateways[0].Files.Routes[0]
	for i, host := range table.Hosts {
		virtualHost := routes.VirtualHosts[i]
		if virtualHost.Domains[0] != host.Hostname || len(virtualHost.Routes) != len(host.Rules) {
			t.Fatalf("host %d is %s with %d rules, in the file %v with %d", i, host.Hostname, len(host.Rules), virtualHost.Domains, len(virtualHost.Routes))
		}
		for j, rule := range host.Rules {
			want := rule.Origin.Name.String()
			if rule.Origin.RuleName != "" {
				want += "/" + rule.Origin.RuleName
			}
			if got := virtualHost.Routes[j].Name; got != want {
				t.Errorf("route %d of %s is %q, want %q", j, host.Hostname, got, want)
			}
		}
	}
}

func TestRenderStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := render.Render(ctx, read(t, edge), render.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context gives %v", err)
	}
	if _, err := render.Render(context.Background(), read(t, edge), render.Options{Dialect: "nginx"}); err == nil {
		t.Error("an unknown dialect is taken")
	}
}
