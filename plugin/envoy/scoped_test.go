package envoy_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/diff"
	"github.com/routedelta/routedelta/diff/certify"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/plugin/envoy/curltest"
	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
	"github.com/routedelta/routedelta/render/files"
)

// TestScopedRoutes: what one scope changes is said of its requests alone, with requests that show it in Envoy; scopes that come or
// go are named.
func TestScopedRoutes(t *testing.T) {
	t.Parallel()
	before := scopedSet(t, byElement, scopeOf("a", 201), scopeOf("b", 202), scopeOf("c", 203))
	after := scopedSet(t, byElement, scopeOf("b", 402), scopeOf("c", 203), scopeOf("d", 404))
	comparison, err := diff.Compare(t.Context(), []*files.Set{before}, []*files.Set{after}, diff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	found := comparison.Report
	if found.Open() || len(found.Classes) != 3 {
		t.Fatalf("%d classes, undecided %+v", len(found.Classes), found.Undecided)
	}
	var said []string
	for _, c := range found.Classes {
		said = append(said, fmt.Sprint(c.Listener, ": ", c.Causes[0].Edit, " ", c.Causes[0].Detail))
	}
	slices.Sort(said)
	want := []string{
		`port 80, scope x-tenant[id]=a: scope removed "x-tenant[id]=a"`,
		`port 80, scope x-tenant[id]=b: changed `,
		`port 80, scope x-tenant[id]=d: scope added "x-tenant[id]=d"`,
	}
	if !slices.Equal(said, want) {
		t.Errorf("classes %q, want %q", said, want)
	}
	curltest.Start(t, found, comparison.Compared).Hold(t, found)
}

// TestScopesOfWhichNothingIsSaid: a scope without routes that comes changes nothing; one that cannot be read is not decided.
func TestScopesOfWhichNothingIsSaid(t *testing.T) {
	before := scopedSet(t, byElement, scopeOf("a", 201))
	empty := strings.Replace(scopeOf("b", 202), "routes: [{match: {prefix: /}, direct_response: {status: 202}}]", "routes: []", 1)
	demanded := "{on_demand: true, " + scopeOf("b", 202)[1:]
	for name, test := range map[string]struct {
		scope     string
		undecided int
	}{"no routes": {empty, 0}, "on demand": {demanded, 1}} {
		after := scopedSet(t, byElement, scopeOf("a", 201), test.scope)
		comparison, err := diff.Compare(t.Context(), []*files.Set{before}, []*files.Set{after}, diff.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if found := comparison.Report; len(found.Undecided) != test.undecided || len(found.Classes) > 0 || found.Open() != (test.undecided > 0) {
			t.Errorf("%s: undecided %+v, classes %+v", name, found.Undecided, found.Classes)
		}
		undecided := 0
		for _, place := range comparison.Compared[0].Places {
			undecided += len(certify.Place(&place).Undecided)
		}
		if undecided != test.undecided {
			t.Errorf("%s: %d regions in the certificate", name, undecided)
		}
	}
}

// TestScopesOfOtherHeaders: where the sides take scopes from other headers, or one has none, nothing is claimed.
func TestScopesOfOtherHeaders(t *testing.T) {
	one := scopedSet(t, byElement, scopeOf("a", 201))
	for name, other := range map[string]*files.Set{
		"another header": scopedSet(t, byIndex, scopeOf("a", 201)),
		"no scopes":      bootstrapOf(t, "old"),
	} {
		for _, sides := range [][2]*files.Set{{one, other}, {other, one}} {
			comparison, err := diff.Compare(t.Context(), []*files.Set{sides[0]}, []*files.Set{sides[1]}, diff.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if found := comparison.Report; len(found.Undecided) == 0 || len(found.Classes) > 0 {
				t.Errorf("%s: %d undecided, classes %+v", name, len(found.Undecided), found.Classes)
			}
		}
	}
}

// TestScopeOfARequest holds what is taken for the scope of a request against Envoy: with each of these values, the scopes that
// the tables' headers stand for are those that Envoy finds.
func TestScopeOfARequest(t *testing.T) {
	t.Parallel()
	keys := []string{"a", "", "a=b", " a", "a b"}
	values := []string{"", "a", "b", ";a", "a;b", "b;a", ";", "id=a", "id=b;id=a", "id", "id=", "id=a=b", "x;id=a", "id= a", "id=a b", "ID=a", "x;a b", "b; a"}
	for _, by := range []string{byElement, byIndex, byWhole} {
		var scopes []string
		for i, key := range keys {
			scopes = append(scopes, scopeOf(key, 201+i))
		}
		set := scopedSet(t, by, scopes...)
		envoy := envoytest.Start(t, set)
		envoy.RequireLoaded(t)
		tables, _ := table.Read(set)
		if len(tables) != len(keys) {
			t.Fatalf("%d tables for %d scopes", len(tables), len(keys))
		}
		ask := func(headers ...envoytest.Header) int {
			answer, err := envoy.Ask(t.Context(), 80, envoytest.Request{Method: "GET", Path: "/", Host: "a.example", Headers: headers})
			if err != nil {
				t.Fatal(err)
			}
			return answer.Status
		}
		if got := ask(); got != 404 {
			t.Errorf("%s: without a scope Envoy answers %d", by, got)
		}
		for i, one := range tables {
			if len(one.Options.Unmodelled) > 0 {
				continue // a key that clients may be unable to send
			}
			header := envoytest.Header{Name: one.RouteScope.Headers[0].Name, Value: one.RouteScope.Headers[0].Value}
			if got := ask(header); got != 201+i {
				t.Errorf("%s: %+v is answered %d, want %d", by, header, got, 201+i)
			}
			// Of several lines the first counts.
			if got := ask(header, envoytest.Header{Name: header.Name, Value: "id=z;z"}); got != 201+i {
				t.Errorf("%s: %+v and another line are answered %d, want %d", by, header, got, 201+i)
			}
		}
		for _, value := range values {
			want := 404
			if i := slices.Index(keys, scopeIn(by, value)); i >= 0 {
				want = 201 + i
			}
			if got := ask(envoytest.Header{Name: "x-tenant", Value: value}); got != want {
				t.Errorf("%s: x-tenant %q is answered %d, want %d", by, value, got, want)
			}
		}
	}
}

// scopeIn is the key in a value, or a text that is none.
func scopeIn(by, value string) string {
	elements := strings.Split(value, ";")
	switch {
	case by == byWhole:
		return value
	case by == byIndex && len(elements) > 1:
		return elements[1]
	case by == byElement:
		for _, element := range elements {
			if name, key, _ := strings.Cut(element, "="); name == "id" {
				return key
			}
		}
	}
	return "none"
}

const (
	byElement = `{name: x-tenant, element_separator: ";", element: {key: id, separator: "="}}`
	byIndex   = `{name: x-tenant, element_separator: ";", index: 1}`
	byWhole   = `{name: x-tenant, index: 0}`
)

// scopeOf is a scope that answers everything with a status.
func scopeOf(key string, status int) string {
	return fmt.Sprintf(`{name: "scope %d", key: {fragments: [{string_key: %q}]}, route_configuration: {name: "routes %d", virtual_hosts: [`+
		`{name: all, domains: ["*"], routes: [{match: {prefix: /}, direct_response: {status: %d}}]}]}}`, status, key, status, status)
}

func scopedSet(t *testing.T, by string, scopes ...string) *files.Set {
	t.Helper()
	text := strings.NewReplacer("EXTRACTOR", by, "SCOPES", strings.Join(scopes, ", ")).Replace(scopedBootstrap)
	sets, err := files.Parse(t.Context(), "bootstrap.yaml", []byte(text))
	if err != nil || len(sets) != 1 {
		t.Fatalf("%d sets: %v", len(sets), err)
	}
	return sets[0]
}

const scopedBootstrap = `
node: {id: edge, cluster: edge}
static_resources:
  listeners:
  - name: http
    address: {socket_address: {address: 0.0.0.0, port_value: 80}}
    filter_chains:
    - filters:
      - name: http
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: http
          http_filters:
          - {name: router, typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}}
          scoped_routes:
            name: scopes
            scope_key_builder: {fragments: [{header_value_extractor: EXTRACTOR}]}
            scoped_route_configurations_list: {scoped_route_configurations: [SCOPES]}
`
