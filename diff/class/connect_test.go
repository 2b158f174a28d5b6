package class_test

import (
	"context"
	"testing"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/table"
)

// Rules for CONNECT leave those requests undecided where they change, and no other request.
func TestConnect(t *testing.T) {
	connect := table.Rule{
		Connect: true, Predicates: []table.Predicate{{Source: table.Method, Test: table.Exact, Value: "CONNECT"}},
		Outcome: table.Outcome{Kind: table.Answered, Status: 200},
	}
	with := func(rules ...table.Rule) *table.Table {
		made := hosts(t, "host *\nprefix / -> web")
		made.Hosts[0].Rules = append(rules, made.Hosts[0].Rules...)
		made.Seal()
		return made
	}
	same, err := class.Compare(context.Background(), with(connect), with(connect), class.Limits{})
	if err != nil || len(same.Undecided) > 0 {
		t.Errorf("equal rules: %v %+v", err, same.Undecided)
	}
	other := connect
	other.Outcome.Status = 500
	for name, before := range map[string]*table.Table{"no rule before": with(), "another answer before": with(other)} {
		result, err := class.Compare(context.Background(), before, with(connect), class.Limits{})
		if err != nil || len(result.Classes) > 0 || len(result.Effectless) > 0 || len(result.Undecided) != 1 {
			t.Fatalf("%s: %v %+v", name, err, result)
		}
		for _, r := range []table.Request{{Method: "CONNECT", Host: "h:80"}, {Method: "GET", Host: "h", Path: "/"}} {
			if got, want := result.Undecided[0].Contains(r), r.Method == "CONNECT"; got != want {
				t.Errorf("%s: %s: undecided %v", name, r.Method, got)
			}
		}
	}
}
