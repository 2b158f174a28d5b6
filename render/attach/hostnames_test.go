package attach

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestIntersect(t *testing.T) {
	tests := []struct{ listener, route, want string }{
		// The examples of HTTPRouteSpec.hostnames.
		{"test.example.com", "test.example.com", "test.example.com"},
		{"test.example.com", "*.example.com", "test.example.com"},
		{"*.example.com", "*.example.com", "*.example.com"},
		{"*.example.com", "test.example.com", "test.example.com"},
		{"*.example.com", "foo.test.example.com", "foo.test.example.com"},
		{"*.example.com", "example.com", ""},
		{"*.example.com", "test.example.net", ""},
		{"*", "example.com", "example.com"},
		{"*", "*.example.com", "*.example.com"},
		{"*", "*", "*"},
		{"example.com", "*", "example.com"},
		{"*.example.com", "*.com", "*.example.com"},
		{"*.foo.example.com", "*.example.com", "*.foo.example.com"},
		{"*.example.com", "*.example.net", ""},
		{"*.example.com", "badexample.com", ""},
		{"a.example.com", "b.example.com", ""},
	}
	for _, test := range tests {
		got, ok := intersect(test.listener, test.route)
		if got != test.want || ok != (test.want != "") {
			t.Errorf("intersect(%q, %q) = %q, %t, want %q", test.listener, test.route, got, ok, test.want)
		}
	}
}

// anyName draws a host name or a pattern of few labels, so that two of them often meet.
func anyName(wildcard bool) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		labels := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "ab"}), 1, 4).Draw(t, "labels")
		name := strings.Join(labels, ".")
		if !wildcard {
			return name
		}
		switch rapid.IntRange(0, 4).Draw(t, "wildcard") {
		case 0:
			return anyHostname
		case 1, 2:
			return "*." + name
		}
		return name
	})
}

// means tells whether a pattern stands for a name, straight from the words of the API: a wildcard label stands for one or more
// labels.
func means(pattern, name string) bool {
	if pattern == anyHostname {
		return true
	}
	p, n := strings.Split(pattern, "."), strings.Split(name, ".")
	if p[0] != "*" {
		return pattern == name
	}
	rest := p[1:]
	return len(n) > len(rest) && strings.Join(n[len(n)-len(rest):], ".") == strings.Join(rest, ".")
}

func TestIntersectMeansBoth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyName(true).Draw(t, "a"), anyName(true).Draw(t, "b")
		name := anyName(false).Draw(t, "name")
		both, ok := intersect(a, b)
		if got, want := ok && means(both, name), means(a, name) && means(b, name); got != want {
			t.Fatalf("intersect(%q, %q) = %q, %t: it means %q: %t, want %t", a, b, both, ok, name, got, want)
		}
	})
}

func TestMoreSpecificIsNarrower(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyName(true).Draw(t, "a"), anyName(true).Draw(t, "b")
		name := anyName(false).Draw(t, "name")
		if a == b || !means(a, name) || !means(b, name) {
			return
		}
		// Of two patterns that mean one name, one always covers the other, and the covered one is chosen.
		if covers(a, b) == covers(b, a) {
			t.Fatalf("%q and %q mean %q, and neither covers the other", a, b, name)
		}
		if moreSpecific(a, b) != covers(b, a) {
			t.Fatalf("moreSpecific(%q, %q) = %t", a, b, moreSpecific(a, b))
		}
	})
}
