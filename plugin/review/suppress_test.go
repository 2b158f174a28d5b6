package review

import (
	"slices"
	"testing"
	"time"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/render/diagnostic"
)

func TestSuppress(t *testing.T) {
	shop := diagnostic.Object{Kind: "HTTPRoute", Namespace: "shop", Name: "shop"}
	cart := diagnostic.Object{Kind: "HTTPRoute", Namespace: "shop", Name: "cart"}
	findings := diagnostic.List{
		{Code: diagnostic.NeverWins, Severity: diagnostic.Warning, Object: shop, Message: "shop"},
		{Code: diagnostic.NeverWins, Severity: diagnostic.Warning, Object: cart, Message: "cart"},
		{Code: diagnostic.BadHostname, Severity: diagnostic.Error, Object: shop, Message: "broken"},
	}
	annotation := func(object diagnostic.Object, code string) *suppression {
		return &suppression{code: code, object: object.String(), said: "the annotation", at: diagnostic.Diagnostic{Object: object}}
	}
	const never, schema = string(diagnostic.NeverWins), string(diagnostic.BadHostname)
	for name, test := range map[string]struct {
		configured []config.Suppression
		annotated  []*suppression
		want       []string
		suppressed int
	}{
		"nothing":           {want: []string{"shop", "cart", "broken"}},
		"of every object":   {configured: []config.Suppression{{Code: never}}, want: []string{"broken"}, suppressed: 2},
		"of one object":     {configured: []config.Suppression{{Code: never, Object: "HTTPRoute shop/shop"}}, want: []string{"cart", "broken"}, suppressed: 1},
		"by the annotation": {annotated: []*suppression{annotation(cart, never)}, want: []string{"shop", "broken"}, suppressed: 1},
		"on its last day":   {configured: []config.Suppression{{Code: never, Until: "2027-03-31"}}, want: []string{"broken"}, suppressed: 2},
		"a day later": {
			configured: []config.Suppression{{Code: never, Until: "2027-03-30"}},
			want:       []string{"shop", "cart", "broken", "spec.check.suppress of the configuration no longer suppresses RD3001: its last day has passed"},
		},
		"over, and by the annotation": {
			configured: []config.Suppression{{Code: never, Until: "2020-01-01", Object: "HTTPRoute shop/shop"}}, annotated: []*suppression{annotation(shop, never)},
			want:       []string{"cart", "broken", "spec.check.suppress of the configuration no longer suppresses RD3001 of HTTPRoute shop/shop: its last day has passed"},
			suppressed: 1,
		},
		"twice": {
			configured: []config.Suppression{{Code: never, Object: "HTTPRoute shop/shop"}}, annotated: []*suppression{annotation(shop, never)},
			want: []string{"cart", "broken"}, suppressed: 1,
		},
		"another code": {
			annotated: []*suppression{annotation(shop, "RD3002")},
			want:      []string{"shop", "cart", "broken", "the annotation suppresses nothing: there is no RD3002 of HTTPRoute shop/shop"},
		},
		"part of a name is no name": {
			configured: []config.Suppression{{Code: never, Object: "HTTPRoute shop/*"}},
			want:       []string{"shop", "cart", "broken", "spec.check.suppress of the configuration suppresses nothing: there is no RD3001 of HTTPRoute shop/*"},
		},
		"an error": {
			annotated: []*suppression{annotation(shop, schema)},
			want:      []string{"shop", "cart", "broken", "the annotation does not suppress " + schema + " of HTTPRoute shop/shop: it is an error"},
		},
	} {
		c := &report.Check{Findings: slices.Clone(findings)}
		suppress(c, test.configured, test.annotated, time.Date(2027, 3, 31, 12, 0, 0, 0, time.UTC))
		var got []string
		for _, d := range c.Findings {
			got = append(got, d.Message)
		}
		if !slices.Equal(got, test.want) || c.Suppressed != test.suppressed {
			t.Errorf("%s: %d suppressed, left %q, want %d, %q", name, c.Suppressed, got, test.suppressed, test.want)
		}
	}
}
