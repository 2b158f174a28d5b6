package table_test

import (
	"strings"
	"testing"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/render/files"
)

// TestInternalOnlyHeadersDecideOnlyWhereRoutesUseThem, and tables without a listener are read one by one.
func TestInternalOnlyHeadersDecideOnlyWhereRoutesUseThem(t *testing.T) {
	const routes = `[{"name":"a","internal_only_headers":["X-User"],"virtual_hosts":[{"name":"v","domains":["*"],"routes":[
		{"match":{"prefix":"/"},"route":{"cluster":"web"}}]}]},
		{"name":"b","internal_only_headers":["x-user"],"virtual_hosts":[{"name":"v","domains":["*"],"routes":[
		{"match":{"prefix":"/","headers":[{"name":"X-User","present_match":true}]},"route":{"cluster":"web"}}]}]}]`
	sets, err := files.Parse(t.Context(), "routes.json", []byte(routes))
	if err != nil {
		t.Fatal(err)
	}
	tables, _ := table.Read(sets[0])
	if len(tables) != 2 || tables[0].Listener != "a" || tables[1].Listener != "b" {
		t.Fatalf("%d tables, want a and b", len(tables))
	}
	request := table.Request{Method: "GET", Scheme: "http", Host: "any.example", Path: "/"}
	decision := tables[0].Evaluate(request)
	if decision.Undecided != "" || len(decision.Outcome.Backends) != 1 || decision.Outcome.Backends[0].Backend.Cluster != "web" {
		t.Errorf("a: %+v, want cluster web, which may exist", decision)
	}
	treated := false
	for _, treatment := range decision.Outcome.Treatment {
		treated = treated || strings.Contains(treatment.Value, "X-User")
	}
	if !treated {
		t.Errorf("a: the headers are no treatment: %+v", decision.Outcome.Treatment)
	}
	if decision := tables[1].Evaluate(request); !strings.Contains(decision.Undecided, "internal_only_headers") {
		t.Errorf("b: undecided is %q, want it to name internal_only_headers", decision.Undecided)
	}
}
