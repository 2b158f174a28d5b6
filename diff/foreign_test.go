package diff_test

import (
	"testing"

	"github.com/routedelta/routedelta/diff"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/render/files"
)

// foreign are changes of tables that tell nothing of manifests, and are no list of other edits than people made: a route is known
// again by its name, or by its place and what it does.
var foreign = map[string][2]string{
	"foreign-name": {
		`[{name: old, match: {prefix: /old}, route: {cluster: web}}, {name: orders, match: {prefix: /orders}, route: {cluster: orders}}, {name: rest, match: {prefix: /}, route: {cluster: web}}]`,
		`[{name: old, match: {prefix: /old}, route: {cluster: web}}, {name: orders, match: {prefix: /v2/orders}, route: {cluster: orders-v2}}, {name: rest, match: {prefix: /}, route: {cluster: web}}]`,
	},
	"foreign-place": {
		`[{match: {prefix: /a}, route: {cluster: a}}, {match: {prefix: /orders}, route: {cluster: orders}}, {match: {prefix: /}, route: {cluster: web}}]`,
		`[{match: {prefix: /a}, route: {cluster: a}}, {match: {prefix: /v2/orders}, route: {cluster: orders}}, {match: {prefix: /}, route: {cluster: web}}]`,
	},
	"foreign-one-of-two": {
		`[{match: {prefix: /a}, route: {cluster: a}}, {match: {prefix: /}, route: {cluster: web}}]`,
		`[{match: {prefix: /b}, route: {cluster: a}}, {match: {prefix: /c}, route: {cluster: a}}, {match: {prefix: /}, route: {cluster: web}}]`,
	},
	"foreign-same-names": {
		`[{name: x, match: {prefix: /a}, route: {cluster: a}}, {name: x, match: {prefix: /}, route: {cluster: web}}]`,
		`[{name: x, match: {prefix: /b}, route: {cluster: b}}, {name: x, match: {prefix: /}, route: {cluster: web}}]`,
	},
}

func TestForeignTables(t *testing.T) {
	for name, sides := range foreign {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			holdGolden(t, name, compareAll(t, foreignRoutes(t, sides[0]), foreignRoutes(t, sides[1])))
		})
	}
}

// TestForeignTablesOnTwoListeners: one edit is said once, though Envoy's virtual hosts of the listeners have other names.
func TestForeignTablesOnTwoListeners(t *testing.T) {
	two := func(orders string) []*files.Set {
		one := func(host, more string) string {
			return `{name: ` + host + `, virtual_hosts: [{name: ` + host + `, domains: ["*"], routes: [` + more + `{match: {prefix: /orders}, route: {cluster: ` + orders + `}}]}]}`
		}
		return parsed(t, "["+one("plain", "")+", "+one("secure", "{match: {path: /only}, route: {cluster: web}}, ")+"]")
	}
	got, err := diff.Compare(t.Context(), two("old"), two("new"), diff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(got.Report.Classes); n != 1 {
		t.Fatalf("%d classes: %+v", n, got.Report.Classes)
	}
	want := report.Cause{Edit: "changed", Side: "after", Rule: 1, VirtualHost: "plain"}
	if causes := got.Report.Classes[0].Causes; len(causes) != 1 || causes[0] != want {
		t.Errorf("causes %+v, want %+v", causes, want)
	}
}

// foreignRoutes is an Envoy with these routes for one host.
func foreignRoutes(t *testing.T, routes string) []*files.Set {
	t.Helper()
	return side{
		routes:   routes,
		host:     "shop",
		domain:   "shop.example",
		clusters: "web: 10.0.0.1; orders: 10.0.0.2; orders-v2: 10.0.0.3; orders-canary: 10.0.0.4; a: 10.0.0.5; b: 10.0.0.6",
	}.sets(t)
}

func parsed(t *testing.T, routes string) []*files.Set {
	t.Helper()
	sets, err := files.Parse(t.Context(), "routes.yaml", []byte(routes))
	if err != nil {
		t.Fatal(err)
	}
	return sets
}
