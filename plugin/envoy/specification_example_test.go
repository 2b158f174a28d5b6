package envoy_test

import (
	"testing"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
)

// The judge is judged by the examples that the text of the API itself gives.

func TestSpecificationReplacesPrefixesAsTheTableOfTheAPI(t *testing.T) {
	for _, row := range []struct{ path, prefix, replacement, want string }{
		{"/foo/bar", "/foo", "/xyz", "/xyz/bar"},
		{"/foo/bar", "/foo", "/xyz/", "/xyz/bar"},
		{"/foo/bar", "/foo/", "/xyz", "/xyz/bar"},
		{"/foo/bar", "/foo/", "/xyz/", "/xyz/bar"},
		{"/foo", "/foo", "/xyz", "/xyz"},
		{"/foo/", "/foo", "/xyz", "/xyz/"},
		{"/foo/bar", "/foo", "", "/bar"},
		{"/foo/", "/foo", "", "/"},
		{"/foo", "/foo", "", "/"},
		{"/foo/", "/foo", "/", "/"},
		{"/foo", "/foo", "/", "/"},
	} {
		match := gatewayv1.HTTPRouteMatch{Path: &gatewayv1.HTTPPathMatch{Type: new(gatewayv1.PathMatchPathPrefix), Value: &row.prefix}}
		change := &gatewayv1.HTTPPathModifier{Type: gatewayv1.PrefixMatchHTTPPathModifier, ReplacePrefixMatch: &row.replacement}
		if got := changePath(change, match, row.path); got != row.want {
			t.Errorf("%s with %s replaced by %q is %s, want %s", row.path, row.prefix, row.replacement, got, row.want)
		}
	}
}

func TestSpecificationMatchesHostnamesAndPrefixesAsTheExamplesOfTheAPI(t *testing.T) {
	for _, row := range []struct {
		hostname, host string
		want           bool
	}{
		{"*.example.com", "test.example.com", true},
		{"*.example.com", "foo.test.example.com", true},
		{"*.example.com", "example.com", false},
		{"test.example.com", "test.example.com", true},
		{"test.example.com", "foo.test.example.com", false},
		{"", "example.com", true},
	} {
		if got := holds(row.hostname, row.host); got != row.want {
			t.Errorf("%q holds for %s: %t", row.hostname, row.host, got)
		}
	}
	for _, order := range [][2]string{{"foo.example.com", "*.example.com"}, {"*.example.com", ""}, {"*.foo.example.com", "*.example.com"}} {
		if specificity(order[0]) <= specificity(order[1]) {
			t.Errorf("%q does not take precedence over %q", order[0], order[1])
		}
	}
	for path, want := range map[string]bool{"/abc": true, "/abc/": true, "/abc/def": true, "/abcd": false} {
		if hasPathPrefix(path, "/abc") != want || hasPathPrefix(path, "/abc/") != want {
			t.Errorf("%s has prefix /abc: not %t", path, want)
		}
	}
}
