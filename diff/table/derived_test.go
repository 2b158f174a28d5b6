package table_test

import (
	"testing"

	"github.com/routedelta/routedelta/diff/table"
)

// ":path" is path and query, with the parameters that path matchers may not see; ":authority" is the host in the case that was sent,
// with the port that only the choice of a virtual host ignores, but not with one that is taken off.
func TestDerivedHeadersAreTheRequest(t *testing.T) {
	for _, test := range []struct {
		name, value string
		request     table.Request
		options     table.Options
		want        bool
	}{
		{":path", "/a?q=1", table.Request{Host: "h", Path: "/a?q=1"}, table.Options{}, true},
		{":path", "/a", table.Request{Host: "h", Path: "/a?q=1"}, table.Options{}, false},
		{":path", "/a?", table.Request{Host: "h", Path: "/a?"}, table.Options{}, true},
		{":path", "/b", table.Request{Host: "h", Path: "/a/../b"}, table.Options{NormalizePath: true}, true},
		{":path", "/a;v", table.Request{Host: "h", Path: "/a;v"}, table.Options{IgnorePathParameters: true}, true},
		{":authority", "H:80", table.Request{Host: "H:80", Path: "/"}, table.Options{IgnoreHostPort: true}, true},
		{":authority", "h:80", table.Request{Host: "H:80", Path: "/"}, table.Options{}, false},
		{":authority", "H", table.Request{Host: "H:80", Path: "/"}, table.Options{StripAnyHostPort: true}, true},
		{":authority", "", table.Request{Host: "", Path: "/"}, table.Options{}, true},
	} {
		tested := one()
		tested.Options = test.options
		tested.Hosts[0].Rules[0].Derived = []table.Predicate{{Source: table.Header, Name: test.name, Test: table.Exact, Value: test.value}}
		test.request.Method = "GET"
		if d := tested.Evaluate(test.request); (d.Rule == 0) != test.want {
			t.Errorf("%s %q of %+v: %+v", test.name, test.value, test.request, d)
		}
	}
}
