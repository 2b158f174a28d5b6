package class_test

import (
	"context"
	"testing"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
)

// TestLanguages: an edited rule has a class exactly if there is a request that it can win, however rare its client.
func TestLanguages(t *testing.T) {
	for _, tt := range []struct {
		name    string
		rule    table.Rule
		request table.Request
		classes int
	}{
		{"two slashes alone stay", exactPath("//"), table.Request{Path: "//"}, 1},
		{"three slashes become two", exactPath("//"), table.Request{Path: "///"}, 1},
		{"no path has three", exactPath("///"), table.Request{Path: "///"}, 0},
		{"two slashes in a path become one", exactPath("/a//b"), table.Request{Path: "/a//b"}, 0},
		{"two slashes at the end", exactPath("/a//"), table.Request{Path: "/a//"}, 0},
		{"two slashes in front", exactPath("//a"), table.Request{Path: "//a"}, 0},
		{"a value that ends in a blank comes over HTTP/2", headerRule(table.Exact, "a "), overHTTP2("a "), 1},
		{"a value that begins with a tab", headerRule(table.Prefix, "\t"), overHTTP2("\ta"), 1},
		{"a value of a blank alone", headerRule(table.Regex, " "), overHTTP2(" "), 1},
		{"a value in lines never comes", headerRule(table.Exact, "a\nb"), overHTTP2("a"), 0},
	} {
		before := hosts(t, "host *\nprefix / -> web")
		after := tabletest.Clone(before)
		tt.rule.Outcome = backend("new")
		after.Hosts[0].Rules = append([]table.Rule{tt.rule}, after.Hosts[0].Rules...)
		after.Seal()
		result, err := class.Compare(context.Background(), before, after, class.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		tt.request.Method, tt.request.Host = "GET", "shop.example"
		if len(result.Undecided) > 0 || len(result.Classes) != tt.classes || countClasses(result, tt.request) != tt.classes {
			t.Errorf("%s: want %d classes, with the request: %s", tt.name, tt.classes, words(result))
		}
		if changed := after.Evaluate(tt.request).Rule == 0; changed != (tt.classes == 1) {
			t.Errorf("%s: the request changes: %v", tt.name, changed)
		}
	}
}

func exactPath(path string) table.Rule {
	return table.Rule{Path: table.Path{Kind: table.PathExact, Value: path}}
}

func headerRule(test table.Test, value string) table.Rule {
	return table.Rule{
		Path:       table.Path{Kind: table.PathPrefix, Value: "/"},
		Predicates: []table.Predicate{{Source: table.Header, Name: "x-env", Test: test, Value: value}},
	}
}

func overHTTP2(value string) table.Request {
	return table.Request{Path: "/", HTTP2: true, Headers: []table.Field{{Name: "x-env", Value: value}}}
}
