package class_test

import (
	"context"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
)

// TestEscapedSlashesRefusedAndRedirected: what both sides answer without their tables is a class, and the rest is compared.
func TestEscapedSlashesRefusedAndRedirected(t *testing.T) {
	before := hosts(t, "host shop.example\nsegments /orders -> orders\nprefix / -> web")
	before.Options.EscapedSlashes = table.RejectEscapedSlashes
	after := tabletest.Clone(before)
	after.Options.EscapedSlashes = table.RedirectEscapedSlashes
	after.Hosts[0].Rules[0].Outcome = backend("new")
	after.Seal()
	result, err := class.Compare(context.Background(), before, after, class.Limits{})
	if err != nil || len(result.Classes) != 2 || len(result.Undecided) > 0 || !strings.Contains(words(result), "[400] -> [307]") {
		t.Fatalf("%v: %s", err, words(result))
	}
	grpc := []table.Field{{Name: "content-type", Value: "application/grpc"}}
	for _, tt := range []struct {
		request table.Request
		classes int
	}{
		{table.Request{Method: "GET", Host: "shop.example", Path: "/orders"}, 1},
		{table.Request{Method: "GET", Host: "any.example", Path: "/a%2Fb"}, 1},
		{table.Request{Method: "GET", Host: "any.example", Path: "/a%2Fb", Headers: grpc}, 0},
		{table.Request{Method: "GET", Host: "any.example", Path: "/a%2F%00"}, 0},
		{table.Request{Method: "GET", Host: "shop.example", Path: "/"}, 0},
	} {
		if n := countClasses(result, tt.request); n != tt.classes || inUndecided(result, tt.request) {
			t.Errorf("%+v is in %d classes, undecided %v", tt.request, n, inUndecided(result, tt.request))
		}
	}
}

// TestFilterOnOneSide: where only one side may choose the route anew, nothing is known.
func TestFilterOnOneSide(t *testing.T) {
	before := hosts(t, "host shop.example\nprefix / -> web")
	after := tabletest.Clone(before)
	after.Options.Rerouters = []string{"envoy.filters.http.lua"}
	for _, pair := range [][2]*table.Table{{before, after}, {after, before}} {
		result, err := class.Compare(context.Background(), pair[0], pair[1], class.Limits{})
		if err != nil || len(result.Undecided) != 1 || !strings.Contains(result.Undecided[0].Reason, "envoy.filters.http.lua") {
			t.Errorf("%v: %s", err, words(result))
		}
	}
}

// TestDerivedHeadersBetweenOptions: a rule that looks at :authority sees a port that no domain sees. Where only one side takes it off,
// hosts with it are undecided, though the rules are the same and both sides find the same host.
func TestDerivedHeadersBetweenOptions(t *testing.T) {
	before := hosts(t, "host shop.example\nprefix / -> a\nprefix / -> web")
	before.Options = table.Options{UseRemoteAddress: true, IgnoreHostPort: true}
	before.Hosts[0].Rules[0].Derived = []table.Predicate{{Source: table.Header, Name: ":authority", Test: table.Exact, Value: "shop.example"}}
	before.Seal()
	after := tabletest.Clone(before)
	after.Options.StripAnyHostPort = true
	after.Seal()
	result, err := class.Compare(context.Background(), before, after, class.Limits{})
	if err != nil || len(result.Classes) > 0 {
		t.Fatalf("%v: %s", err, words(result))
	}
	for host, want := range map[string]bool{"shop.example": false, "shop.example:80": true, "shop.example:x": false} {
		r := table.Request{Method: "GET", Scheme: "http", Host: host, Path: "/"}
		if got := inUndecided(result, r); got != want {
			t.Errorf("%s: undecided %v", host, got)
		}
	}
}

// TestDerivedHeadersAreUndecided: an edit of such a condition is, and an edit behind it is where it may win.
func TestDerivedHeadersAreUndecided(t *testing.T) {
	before := hosts(t, "host shop.example\nprefix /a -> a\nprefix / -> web")
	before.Hosts[0].Rules[0].Derived = []table.Predicate{{Source: table.Header, Name: ":path", Test: table.Contains, Value: "?"}}
	before.Seal()
	after := tabletest.Clone(before)
	after.Hosts[0].Rules[1].Outcome = backend("new")
	after.Seal()
	result, err := class.Compare(context.Background(), before, after, class.Limits{})
	if err != nil || len(result.Classes) != 1 {
		t.Fatalf("%v: %s", err, words(result))
	}
	for path, want := range map[string]bool{"/a": true, "/a?q": true, "/b": false} {
		r := table.Request{Method: "GET", Scheme: "http", Host: "shop.example", Path: path}
		if got, n := inUndecided(result, r), countClasses(result, r); got != want || (n > 0) == want {
			t.Errorf("%s: undecided %v, in %d classes", path, got, n)
		}
	}
}

// TestRedirectsBetweenOptions: where both sides redirect by one template, options may decide where it leads. That is undecided,
// and no more than that.
func TestRedirectsBetweenOptions(t *testing.T) {
	before := hosts(t, "host shop.example\nprefix /go -> a\nprefix / -> web")
	before.Options = table.Options{UseRemoteAddress: true, IgnorePathParameters: true, IgnoreHostPort: true, EscapedSlashes: table.RedirectEscapedSlashes}
	before.Hosts[0].Rules[0].Outcome = table.Outcome{Kind: table.Redirected, Status: 302, Location: "/new{path after /go}"}
	before.Seal()
	get := func(host, path string, headers ...table.Field) table.Request {
		return table.Request{Method: "GET", Host: host, Path: path, Headers: headers}
	}
	proto := func(value string) table.Field { return table.Field{Name: "x-forwarded-proto", Value: value} }
	for _, tt := range []struct {
		name              string
		change            func(*table.Options)
		undecided, decide []table.Request
	}{
		{
			"use_remote_address", func(o *table.Options) { o.UseRemoteAddress = false },
			[]table.Request{get("shop.example", "/go", proto("https"))},
			[]table.Request{get("shop.example", "/", proto("https")), get("shop.example", "/go"), get("shop.example", "/go", proto("http")), get("shop.example:80", "/go", proto("x"))},
		},
		{
			"strip_any_host_port", func(o *table.Options) { o.StripAnyHostPort = true },
			[]table.Request{get("shop.example:8080", "/go")},
			[]table.Request{get("shop.example", "/go"), get("shop.example:8080", "/")},
		},
		{
			"normalize_path", func(o *table.Options) { o.NormalizePath = true },
			[]table.Request{get("shop.example", "/go;%61"), get("any.example", "/%2Fx/../y")},
			[]table.Request{get("shop.example", "/go;a"), get("shop.example", "/;%61"), get("any.example", "/%2Fx")},
		},
	} {
		after := tabletest.Clone(before)
		tt.change(&after.Options)
		result, err := class.Compare(context.Background(), before, after, class.Limits{})
		if err != nil || len(result.Classes) > 0 {
			t.Fatalf("%s: %v: %s", tt.name, err, words(result))
		}
		for i, r := range append(tt.undecided, tt.decide...) {
			if want := i < len(tt.undecided); inUndecided(result, r) != want {
				t.Errorf("%s, %+v: undecided is not %v", tt.name, r, want)
			}
		}
	}
}

// TestOptionRegionsSayWhatDiffers: which option, from what to what, and how many edits have no effect but there.
func TestOptionRegionsSayWhatDiffers(t *testing.T) {
	before := hosts(t, "host shop.example\nprefix / -> web")
	for _, tt := range []struct {
		change func(*table.Options)
		reason string
		area   string
	}{
		{func(o *table.Options) { o.NormalizePath = !o.NormalizePath }, "normalize_path is on before and off after", `any ~.*[/\\]`},
		{func(o *table.Options) { o.MergeSlashes = !o.MergeSlashes }, "merge_slashes is on before and off after", "any ~.*([/"},
		{func(o *table.Options) { o.EscapedSlashes = table.RejectEscapedSlashes },
			"path_with_escaped_slashes_action is UNESCAPE_AND_REDIRECT before and REJECT_REQUEST after", ""},
		{func(o *table.Options) { o.IgnorePathParameters = true }, "ignore_path_parameters_in_path_matching is off before and on after", "any ~.*;.*"},
		{func(o *table.Options) { o.IgnoreHostPort = !o.IgnoreHostPort }, "ignore_port_in_host_matching is on before and off after", "~.*:.* any"},
		{func(o *table.Options) { o.StripHostPort = 8080 }, "strip_matching_host_port is off before and on for port 8080 after", `~.*:\+?0*8080\.? any`},
		{func(o *table.Options) { o.StripTrailingDot = true }, "strip_trailing_host_dot is off before and on after", `~.*\.(:.*)? any`},
		{func(o *table.Options) { o.Underscores = table.DropUnderscores }, "headers_with_underscores_action is", "any any *_*"},
		{func(o *table.Options) { o.UseRemoteAddress = !o.UseRemoteAddress }, "use_remote_address is", "any any x-forwarded-proto="},
	} {
		after := tabletest.Clone(before)
		after.Hosts[0].Rules = append(after.Hosts[0].Rules, rule(t, "prefix /a -> a"))
		after.Seal()
		tt.change(&after.Options)
		result, err := class.Compare(context.Background(), before, after, class.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if got := words(result); tt.area != "" && (!strings.Contains(got, "undecided: "+tt.reason) || !strings.Contains(got, "\n  "+tt.area)) ||
			strings.Contains(got, "undecided") != strings.Contains(got, "; 1 edit of the rules changes nothing outside them") {
			t.Errorf("%s:\n%s", tt.reason, got)
		}
	}
}
