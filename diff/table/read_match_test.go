package table_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"

	"github.com/routedelta/routedelta/diff/table"
)

func TestMatchersBecomePredicates(t *testing.T) {
	header := func(p table.Predicate) table.Predicate {
		p.Source, p.Name = table.Header, "x"
		return p
	}
	query := func(p table.Predicate) table.Predicate {
		p.Source, p.Name = table.Query, "q"
		return p
	}
	for _, test := range []struct {
		match string
		want  []table.Predicate
	}{
		{`headers { name: "X" string_match { exact: "a" } }`, []table.Predicate{header(table.Predicate{Test: table.Exact, Value: "a"})}},
		{`headers { name: "x" string_match { prefix: "a" ignore_case: true } invert_match: true }`, []table.Predicate{header(table.Predicate{Test: table.Prefix, Value: "a", IgnoreCase: true, Invert: true})}},
		{`headers { name: "x" string_match { suffix: "a" } treat_missing_header_as_empty: true }`, []table.Predicate{header(table.Predicate{Test: table.Suffix, Value: "a", MissingAsEmpty: true})}},
		{`headers { name: "x" string_match { contains: "a" } }`, []table.Predicate{header(table.Predicate{Test: table.Contains, Value: "a"})}},
		{`headers { name: "x" string_match { safe_regex { regex: "a+" } } }`, []table.Predicate{header(table.Predicate{Test: table.Regex, Value: "a+"})}},
		{`headers { name: "x" }`, []table.Predicate{header(table.Predicate{Test: table.Present})}},
		{`headers { name: "x" present_match: false }`, []table.Predicate{header(table.Predicate{Test: table.Present, Invert: true})}},
		{`headers { name: "x" present_match: false invert_match: true }`, []table.Predicate{header(table.Predicate{Test: table.Present})}},
		// The deprecated fields; an empty exact_match takes any value, unlike string_match.
		{`headers { name: "x" exact_match: "a" }`, []table.Predicate{header(table.Predicate{Test: table.Exact, Value: "a"})}},
		{`headers { name: "x" exact_match: "" }`, []table.Predicate{header(table.Predicate{Test: table.Prefix})}},
		{`headers { name: "x" string_match { exact: "" } }`, []table.Predicate{header(table.Predicate{Test: table.Exact})}},
		{`headers { name: "x" safe_regex_match { regex: "a" } }`, []table.Predicate{header(table.Predicate{Test: table.Regex, Value: "a"})}},
		{`headers { name: ":method" string_match { exact: "GET" } }`, []table.Predicate{{Source: table.Method, Test: table.Exact, Value: "GET"}}},
		{`query_parameters { name: "q" }`, []table.Predicate{query(table.Predicate{Test: table.Present})}},
		{`query_parameters { name: "q" present_match: false }`, []table.Predicate{query(table.Predicate{Test: table.Present, Invert: true})}},
		{`query_parameters { name: "q" string_match { exact: "a" } }`, []table.Predicate{query(table.Predicate{Test: table.Exact, Value: "a"})}},
		{`headers { name: "x" range_match { start: -1 end: 3 } invert_match: true }`, []table.Predicate{header(table.Predicate{Test: table.Range, Value: "-1 3", Invert: true})}},
		{`cookies { name: "S" string_match { exact: "1" } invert_match: true }`, []table.Predicate{{Source: table.Cookie, Name: "S", Test: table.Exact, Value: "1", Invert: true}}},
		// Nothing can make these true or false in a place without TLS and without filters that choose a route again.
		{`dynamic_metadata { filter: "f" path { key: "k" } value { present_match: true } invert: true } tls_context { presented { value: false } validated { value: false } }`, nil},
		{`grpc {}`, []table.Predicate{{Source: table.Header, Name: "content-type", Test: table.Regex, Value: `application/grpc(\+.*)?`}}},
		// Always true, so no condition.
		{`runtime_fraction { default_value { numerator: 100 } }`, nil},
		// Sorted, and each once.
		{
			`headers { name: "x" string_match { exact: "b" } } headers { name: "x" string_match { exact: "a" } } headers { name: "x" string_match { exact: "b" } }`,
			[]table.Predicate{header(table.Predicate{Test: table.Exact, Value: "a"}), header(table.Predicate{Test: table.Exact, Value: "b"})},
		},
	} {
		rule := readRoute(t, `match { prefix: "/" `+test.match+` } route { cluster: "orders" }`)
		if !reflect.DeepEqual(rule.Predicates, test.want) || len(rule.Unmodelled) > 0 {
			t.Errorf("%s\n got %+v %q\nwant %+v", test.match, rule.Predicates, rule.Unmodelled, test.want)
		}
	}
}

func TestPathMatchers(t *testing.T) {
	for _, test := range []struct {
		match string
		want  table.Path
	}{
		{`prefix: "/a"`, table.Path{Kind: table.PathPrefix, Value: "/a"}},
		{`path: "/a" case_sensitive { value: false }`, table.Path{Kind: table.PathExact, Value: "/a", IgnoreCase: true}},
		{`path_separated_prefix: "/a" case_sensitive { value: true }`, table.Path{Kind: table.PathSegments, Value: "/a"}},
		{`safe_regex { regex: "/a.*" } case_sensitive { value: false }`, table.Path{Kind: table.PathRegex, Value: "/a.*"}},
	} {
		rule := readRoute(t, `match { `+test.match+` } route { cluster: "orders" }`)
		if rule.Path != test.want || len(rule.Unmodelled) > 0 {
			t.Errorf("%s: got %+v %q, want %+v", test.match, rule.Path, rule.Unmodelled, test.want)
		}
	}
}

// What is not modelled is named with its content, and the evaluator does not decide a request that reaches it.
func TestMatchersThatAreNotModelled(t *testing.T) {
	for _, test := range []struct{ match, want string }{
		{`prefix: "/" cookies { name: "s" string_match { safe_regex { regex: "\\C" } } }`, `cookie {name: "s"`},
		{`prefix: "/" headers { name: "cookie" string_match { exact: "s=1" } }`, `header {name: "cookie"`},
		{`prefix: "/" headers { name: "upgrade" string_match { exact: "websocket" } }`, `header {name: "upgrade"`},
		{`prefix: "/" headers { name: "x" string_match { safe_regex { regex: "(?i)\303\251" } } }`, `header {name: "x"`},
		{`prefix: "/" query_parameters { name: "q" string_match { safe_regex { regex: "\\C" } } }`, `query parameter {name: "q"`},
		{`safe_regex { regex: "\\C" }`, "path: parsing regular expression"},
		{`path_match_policy { name: "p" typed_config { type_url: "t/unknown" value: "1" } }`, `path_match_policy {name: "p", typed_config: unknown "1"}`},
	} {
		rule := readRoute(t, `match { `+test.match+` } route { cluster: "orders" }`)
		if len(rule.Unmodelled) != 1 || !strings.HasPrefix(rule.Unmodelled[0], test.want) {
			t.Errorf("%s: got %q, want %q", test.match, rule.Unmodelled, test.want)
		}
		tested := &table.Table{Hosts: []table.Host{{Domains: []string{"*"}, Rules: []table.Rule{rule}}}}
		if d := tested.Evaluate(table.Request{Method: "GET", Host: "h", Path: "/"}); d.Undecided == "" || d.Rule != 0 {
			t.Errorf("%s: the evaluator decides %+v", test.match, d)
		}
	}
}

// Conditions on headers that repeat the path or the host stand apart from the others, under one name each.
func TestDerivedHeaders(t *testing.T) {
	rule := readRoute(t, `match { prefix: "/" headers { name: ":path" string_match { prefix: "/a?" } }
		headers { name: "Host" string_match { exact: "h" } } headers { name: ":authority" string_match { exact: "h" } } } route { cluster: "orders" }`)
	want := []table.Predicate{
		{Source: table.Header, Name: ":authority", Test: table.Exact, Value: "h"}, {Source: table.Header, Name: ":path", Test: table.Prefix, Value: "/a?"},
	}
	if !slices.Equal(rule.Derived, want) || len(rule.Predicates)+len(rule.Unmodelled) > 0 {
		t.Errorf("got %+v", rule)
	}
}

// URI templates are regular expressions (read off Envoy's uri_template matcher).
func TestURITemplates(t *testing.T) {
	for _, test := range []struct {
		template      string
		inside, outer string
	}{
		{"/foo/*", "/foo/a", "/foo/"},
		{"/foo/**", "/foo/", "/foo"},
		{"/{x}/b", "/a-1/b", "/a/c/b"},
		{"/a/{x=b/*}", "/a/b/c", "/a/c/c"},
		{"/a.b/{rest=**}", "/a.b/c/d", "/aXb/c"},
	} {
		rule := readRoute(t, `match { path_match_policy { name: "t" typed_config {
			[type.googleapis.com/envoy.extensions.path.match.uri_template.v3.UriTemplateMatchConfig] { path_template: "`+test.template+`" } } } }
			route { cluster: "orders" }`)
		tested := &table.Table{Hosts: []table.Host{{Domains: []string{"*"}, Rules: []table.Rule{rule}}}}
		for path, want := range map[string]int{test.inside: 0, test.outer: -1} {
			if d := tested.Evaluate(table.Request{Method: "GET", Host: "h", Path: path}); d.Rule != want || d.Undecided != "" {
				t.Errorf("%s on %s: rule %d %s, want %d", test.template, path, d.Rule, d.Undecided, want)
			}
		}
	}
}

// A template sees the parameters that every other path matcher does not see: beside those it is not modelled.
func TestTemplatesBesideIgnoredParameters(t *testing.T) {
	template := `path_match_policy { name: "t" typed_config { [type.googleapis.com/envoy.extensions.path.match.uri_template.v3.UriTemplateMatchConfig] { path_template: "/a/*" } } }`
	config := parse(t, &routev3.RouteConfiguration{}, `name: "r" ignore_path_parameters_in_path_matching: true
		virtual_hosts { name: "a" domains: "*" routes { match { `+template+` } route { cluster: "orders" } } }`)
	read := readOne(t, set(t, manager(t, config), cluster("orders")))
	if rule := read.Hosts[0].Rules[0]; len(rule.Unmodelled) != 1 || !read.Options.IgnorePathParameters {
		t.Errorf("got %+v", rule)
	}
}
