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
		Unmodelled: []string{"connect_matcher {}"}, Outcome: table.Outcome{Kind: table.Answered, Status: 200},
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
	result, err := class.Compare(context.Background(), with(), with(connect), class.Limits{})
	if err != nil || len(result.Classes) > 0 || len(result.Effectless) > 0 || len(result.Undecided) != 1 {
		t.Fatalf("%v %+v", err, result)
	}
	for method, want := range map[string]bool{"CONNECT": true, "GET": false} {
		if got := result.Undecided[0].Contains(table.Request{Method: method, Host: "h", Path: "/"}); got != want {
			t.Errorf("%s: undecided %v", method, got)
		}
	}
}
