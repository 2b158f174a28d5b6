package report_test

import (
	"testing"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/report"
)

func TestGRPCPhrase(t *testing.T) {
	for _, test := range []struct {
		kind        class.TermKind
		value, want string
	}{
		{class.TermExact, "/shop.Cart/AddItem", "gRPC shop.Cart/AddItem"},
		{class.TermSegments, "/shop.Cart", "service shop.Cart"},
		{class.TermPrefix, "/shop.Cart/", "service shop.Cart"},
		{class.TermRegex, "/[^/]+/Ping", "method Ping of any service"},
		{class.TermRegex, `/(?:shop\.(A|B))/(?:Get.*)`, `gRPC ~shop\.(A|B)/~Get.*`},
		{class.TermRegex, `/(?:shop\..*)/[^/]+`, `service ~shop\..*`},
		{class.TermRegex, `/(?:a/b)/(?:c[/)]d)`, `gRPC ~a/b/~c[/)]d`},
		// No service, no method: said as a path is.
		{class.TermExact, "/", "/ (exactly)"},
		{class.TermExact, "/health", "/health"},
		{class.TermExact, "/a/b/c", "/a/b/c"},
		{class.TermPrefix, "/shop.", "/shop.*"},
		{class.TermSegments, "/a/b", "/a/b/*"},
		{class.TermAny, "", "all paths"},
		{class.TermRegex, "/a|b", "~/a|b"},
		{class.TermRegex, "/(?:a)(?:b)/(?:c)", "~/(?:a)(?:b)/(?:c)"},
		{class.TermRegex, "/[^/]+/[^/]+", "~/[^/]+/[^/]+"},
		{class.TermRegex, "/a+/b", "~/a+/b"},
	} {
		if got := report.GRPCPhrase(class.Term{Kind: test.kind, Value: test.value}).String(); got != test.want {
			t.Errorf("%s %s: %q, want %q", test.kind, test.value, got, test.want)
		}
	}
}
