package table_test

import (
	"strings"
	"testing"

	"github.com/routedelta/routedelta/diff/table"
)

// one is a table with one rule for any path of any host, with these conditions.
func one(predicates ...table.Predicate) *table.Table {
	return &table.Table{Hosts: []table.Host{{Domains: []string{"*"}, Rules: []table.Rule{{
		Path: table.Path{Kind: table.PathPrefix, Value: "/"}, Predicates: predicates, Outcome: table.Outcome{Kind: table.Answered, Status: 200},
	}}}}}
}

func get(lines ...string) table.Request {
	r := table.Request{Method: "GET", Scheme: "http", Host: "h", Path: "/"}
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		r.Headers = append(r.Headers, table.Field{Name: name, Value: value})
	}
	return r
}

// The truth table of one header matcher, as Envoy 1.40.0 answers it.
func TestHeaderPredicates(t *testing.T) {
	exact := table.Predicate{Source: table.Header, Name: "x", Test: table.Exact, Value: "a"}
	empty := table.Predicate{Source: table.Header, Name: "x", Test: table.Exact}
	present := table.Predicate{Source: table.Header, Name: "x", Test: table.Present}
	with := func(p table.Predicate, invert, missing bool) table.Predicate {
		p.Invert, p.MissingAsEmpty = invert, missing
		return p
	}
	for _, test := range []struct {
		predicate table.Predicate
		request   table.Request
		want      bool
	}{
		{exact, get("x: a"), true},
		{exact, get("X: a"), true},
		{exact, get("x:  a\t"), true},
		{exact, get(), false},
		{exact, get("x: b", "x: a"), true},
		{with(exact, true, false), get("x: b", "x: a"), false},
		{with(exact, true, false), get("x: b"), true},
		{with(exact, true, false), get(), false},
		{with(exact, true, true), get(), true},
		{with(exact, false, true), get(), false},
		{with(empty, false, true), get(), true},
		{with(empty, true, true), get(), false},
		{empty, get("x: "), true},
		{present, get("x: "), true},
		{present, get(), false},
		{with(present, true, false), get(), true},
		{with(present, false, true), get(), true},
		{with(present, true, true), get(), false},
		{with(present, true, true), get("x: a"), false},
		// One slot: the lines are joined, with no comma beside an empty part.
		{table.Predicate{Source: table.Header, Name: "accept", Test: table.Exact, Value: "a,b"}, get("accept: a", "accept: ", "Accept: b"), true},
		{table.Predicate{Source: table.Header, Name: "accept", Test: table.Exact, Value: "a"}, get("accept: a", "accept: b"), false},
		{table.Predicate{Source: table.Header, Name: "x", Test: table.Exact, Value: "a,b"}, get("x: a", "x: b"), false},
		// RE2 in Latin-1: a byte is a character.
		{table.Predicate{Source: table.Header, Name: "x", Test: table.Regex, Value: "a.b"}, get("x: a\xffb"), true},
		{table.Predicate{Source: table.Header, Name: "x", Test: table.Regex, Value: "a.b"}, get("x: aéb"), false},
		{table.Predicate{Source: table.Header, Name: "x", Test: table.Regex, Value: "a..b"}, get("x: aéb"), true},
		{table.Predicate{Source: table.Header, Name: "x", Test: table.Regex, Value: "a|ab"}, get("x: ab"), true},
		{table.Predicate{Source: table.Header, Name: "x", Test: table.Suffix, Value: "B", IgnoreCase: true}, get("x: ab"), true},
		{table.Predicate{Source: table.Header, Name: "x", Test: table.Contains, Value: "é", IgnoreCase: true}, get("x: É"), false},
		// Named by "connection", a header is for the next hop only.
		{present, get("x: a", "connection: close, X"), false},
	} {
		if d := one(test.predicate).Evaluate(test.request); (d.Rule == 0) != test.want || !d.Reached {
			t.Errorf("%+v with %v: rule %d, want %v", test.predicate, test.request.Headers, d.Rule, test.want)
		}
	}
}

func TestQueryPredicates(t *testing.T) {
	exact := func(name, value string) table.Predicate {
		return table.Predicate{Source: table.Query, Name: name, Test: table.Exact, Value: value}
	}
	for _, test := range []struct {
		predicate table.Predicate
		query     string
		want      bool
	}{
		{exact("q", "1"), "?q=1", true},
		{exact("q", "1"), "?q=2&q=1", false},
		{exact("q", "2"), "?a&&q=2&q=1", true},
		{exact("q", ""), "?q", true},
		{exact("q", ""), "", false},
		{exact("q", "a b"), "?q=a%20b", false},
		{exact("q", "a%20b"), "?q=a%20b", true},
		{exact("q", "1;z=2"), "?q=1;z=2", true},
		{exact("?q", "1"), "??q=1", true},
		{exact("q", "=1"), "?q==1", true},
		{exact("", "1"), "?=1", true},
		{table.Predicate{Source: table.Query, Name: "q", Test: table.Present, Invert: true}, "?Q", true},
		{table.Predicate{Source: table.Query, Name: "q", Test: table.Present, Invert: true}, "?q", false},
	} {
		r := get()
		r.Path += test.query
		if d := one(test.predicate).Evaluate(r); (d.Rule == 0) != test.want {
			t.Errorf("%+v on %q: rule %d, want %v", test.predicate, test.query, d.Rule, test.want)
		}
	}
}

// The choice of a virtual host: exact, longest suffix, longest prefix, any; and no way back.
func TestHosts(t *testing.T) {
	tested := &table.Table{Options: table.Options{IgnoreHostPort: true}, Hosts: []table.Host{
		{Domains: []string{"*"}}, {Domains: []string{"A.com"}}, {Domains: []string{"*.a.com"}}, {Domains: []string{"*.b.a.com", "*-b.a.com"}},
		{Domains: []string{"a.*"}}, {Domains: []string{"a.x.*"}}, {Domains: []string{"p.com:8080"}}, {Domains: []string{"[::1]"}},
	}}
	for host, want := range map[string]int{
		"a.com": 1, "A.COM": 1, "a.com:80": 1, "a.com:x": 1, "a.com:": 1, "a.com.": 4,
		"x.a.com": 2, "x.y.a.com": 2, ".a.com": 0, "..a.com": 2, "k.b.a.com": 3, "b.a.com": 2, "k-b.a.com": 3, "-b.a.com": 2,
		"a.org": 4, "a.": 0, "a.x.org": 5, "other": 0, "": 0, "p.com:8080": 0, "[::1]:80": 7, "[::1]": 7,
	} {
		if d := tested.Evaluate(table.Request{Method: "GET", Host: host, Path: "/"}); d.Host != want || d.Rule != -1 {
			t.Errorf("%q: host %d, want %d", host, d.Host, want)
		}
	}
}

func TestPathKinds(t *testing.T) {
	for _, test := range []struct {
		path    table.Path
		inside  []string
		outside []string
	}{
		{table.Path{Kind: table.PathPrefix, Value: "/foo"}, []string{"/foo", "/foobar", "/foo;v", "/foo%2Fx"}, []string{"/fo", "/Foo"}},
		{table.Path{Kind: table.PathSegments, Value: "/foo"}, []string{"/foo", "/foo/", "/foo//x", "/foo?q"}, []string{"/foobar", "/foo;v"}},
		{table.Path{Kind: table.PathExact, Value: "/foo"}, []string{"/foo", "/foo?a"}, []string{"/foo/"}},
		{table.Path{Kind: table.PathExact, Value: "/foo", IgnoreCase: true}, []string{"/FOO"}, []string{"/FOOO"}},
		{table.Path{Kind: table.PathRegex, Value: "/a|/ab"}, []string{"/a", "/ab"}, []string{"/abc", "/ab/"}},
		{table.Path{Kind: table.PathExact, Value: "/a?b"}, nil, []string{"/a", "/a?b"}},
	} {
		tested := &table.Table{Hosts: []table.Host{{Domains: []string{"*"}, Rules: []table.Rule{{Path: test.path}}}}}
		for i, path := range append(append([]string{}, test.inside...), test.outside...) {
			if d := tested.Evaluate(table.Request{Method: "GET", Host: "h", Path: path}); (d.Rule == 0) != (i < len(test.inside)) {
				t.Errorf("%+v on %q: rule %d", test.path, path, d.Rule)
			}
		}
	}
}

func TestRequestsThatNeverReachTheRouter(t *testing.T) {
	for _, test := range []struct {
		request table.Request
		options table.Options
		want    string
	}{
		{request: table.Request{Method: "get", Host: "h", Path: "/"}, want: "400"},
		{request: table.Request{Method: "CONNECT", Host: "h", Path: "/"}, want: "400"},
		{request: table.Request{Method: "QUERY", Host: "h", Path: "/"}, want: "400"},
		{request: table.Request{Method: "GET", Host: "h", Path: "/a#b"}, want: "400"},
		{request: table.Request{Method: "GET", Host: "h", Path: "a"}, want: "400"},
		{request: table.Request{Method: "GET", Host: "h", Path: "/\xff"}, want: "400"},
		{request: table.Request{Method: "GET", Host: "h h", Path: "/"}, want: "400"},
		{request: get("x y: 1"), want: "400"},
		{request: get("x: \x01"), want: "400"},
		{request: get("connection: host"), want: "400"},
		{request: get("x_a: 1"), options: table.Options{Underscores: table.RejectUnderscores}, want: "400"},
		{request: get("x: " + strings.Repeat("a", 70_000)), want: "431"},
		{request: table.Request{Method: "GET", Host: "h", Path: "/%00"}, options: table.Options{NormalizePath: true}, want: "400"},
		{request: table.Request{Method: "GET", Host: "h", Path: "/%2f"}, options: table.Options{EscapedSlashes: table.RejectEscapedSlashes}, want: "400"},
		{request: table.Request{Method: "GET", Host: "h", Path: "/%5C"}, options: table.Options{EscapedSlashes: table.RedirectEscapedSlashes}, want: "307"},
		{request: table.Request{Method: "GET", Host: "h", Path: "/%5C", Headers: []table.Field{{Name: "Content-Type", Value: "application/grpc+proto"}}}, options: table.Options{EscapedSlashes: table.RedirectEscapedSlashes}, want: "400"},
		{request: table.Request{Method: "GET", Host: "h", Path: "/%5C", Headers: []table.Field{{Name: "Content-Type", Value: "application/grpc-web"}}}, options: table.Options{EscapedSlashes: table.RedirectEscapedSlashes}, want: "307"},
		{request: get("x-forwarded-proto: "), want: "404"},
	} {
		tested := one()
		tested.Options = test.options
		if d := tested.Evaluate(test.request); d.Reached || d.Outcome.String() != test.want {
			t.Errorf("%#v: %+v, want %s", test.request, d, test.want)
		}
	}
}

// HTTP/2 takes more: any method that is a token, bytes from 0x80 in a path, blanks around a value.
func TestHTTP2(t *testing.T) {
	blank := table.Predicate{Source: table.Header, Name: "x", Test: table.Exact, Value: "a "}
	r := table.Request{Method: "FOO", Host: "h", Path: "/\xff", Headers: []table.Field{{Name: "x", Value: "a "}}, HTTP2: true}
	if d := one(blank).Evaluate(r); d.Rule != 0 {
		t.Errorf("got %+v", d)
	}
	for _, refused := range []table.Request{
		{Method: "GET", Host: "", Path: "/", HTTP2: true},
		{Method: "GET", Host: "a@b", Path: "/", HTTP2: true},
		{Method: "GET", Host: "h", Path: "/", HTTP2: true, Headers: []table.Field{{Name: "X", Value: "a"}}},
		{Method: "GET", Host: "h", Path: "/", HTTP2: true, Headers: []table.Field{{Name: "connection", Value: "a"}}},
		{Method: "GET", Host: "h", Path: "/", HTTP2: true, Headers: []table.Field{{Name: "te", Value: "gzip"}}},
	} {
		if d := one().Evaluate(refused); d.Reached {
			t.Errorf("%#v reaches the router", refused)
		}
	}
}

// A rule whose expression is not understood may match: nothing is claimed about a request that comes to it.
func TestUnknownRegularExpressionIsNotDecided(t *testing.T) {
	for _, invert := range []bool{false, true} {
		p := table.Predicate{Source: table.Header, Name: "x", Test: table.Regex, Value: `\C`, Invert: invert}
		if d := one(p).Evaluate(get("x: a")); d.Undecided == "" || d.Rule != 0 {
			t.Errorf("invert %v: %+v", invert, d)
		}
	}
}
