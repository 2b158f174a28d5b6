package format

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/routedelta/routedelta/diff/class"
)

// TestContainsHolds: where the map nests one set of paths in another, every path of the inner is one of the outer.
func TestContainsHolds(t *testing.T) {
	path := rapid.StringMatching(`/[ab/]{0,4}`)
	kind := rapid.SampledFrom([]class.TermKind{class.TermExact, class.TermPrefix, class.TermSegments, class.TermSuffix, class.TermRegex})
	term := rapid.Custom(func(t *rapid.T) class.Term {
		return class.Term{Kind: kind.Draw(t, "kind"), Value: path.Draw(t, "value")}
	})
	rapid.Check(t, func(t *rapid.T) {
		outer, inner := term.Draw(t, "outer"), term.Draw(t, "inner")
		if !contains(outer, inner) {
			return
		}
		if s := path.Draw(t, "path"); holds(inner, s) && !holds(outer, s) {
			t.Fatalf("%+v contains %+v, but not its %q", outer, inner, s)
		}
	})
}

// holds is what a term means. Of an expression it says the worst: everything.
func holds(t class.Term, s string) bool {
	switch t.Kind {
	case class.TermExact:
		return s == t.Value
	case class.TermPrefix:
		return strings.HasPrefix(s, t.Value)
	case class.TermSegments:
		base := strings.TrimSuffix(t.Value, "/")
		return s == base || strings.HasPrefix(s, base+"/")
	case class.TermSuffix:
		return strings.HasSuffix(s, t.Value)
	}
	return true
}

func TestContains(t *testing.T) {
	segments := func(s string) class.Term { return class.Term{Kind: class.TermSegments, Value: s} }
	prefix := func(s string) class.Term { return class.Term{Kind: class.TermPrefix, Value: s} }
	exact := func(s string) class.Term { return class.Term{Kind: class.TermExact, Value: s} }
	regex := class.Term{Kind: class.TermRegex, Value: "/api/.*"}
	for _, c := range []struct {
		outer, inner class.Term
		want         bool
	}{
		{segments("/api"), segments("/api/v2"), true},
		{segments("/api"), exact("/api"), true},
		{segments("/api"), prefix("/api/v"), true},
		{segments("/api"), segments("/apis"), false},
		{segments("/api"), prefix("/api"), false},
		{prefix("/api"), segments("/api"), true},
		{prefix("/api"), segments("/apis"), true},
		{exact("/api"), exact("/api/v2"), false},
		{segments("/api"), regex, false},
		{regex, exact("/api/x"), false},
	} {
		if got := contains(c.outer, c.inner); got != c.want {
			t.Errorf("%+v contains %+v: %v", c.outer, c.inner, got)
		}
	}
}
