package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// routes is a list of routes of envoy.config.route.v3, as JSON.
type routes []map[string]any

// worstDiffs are pairs of Envoy route tables of which one step is as hard as it can be.
var worstDiffs = []struct {
	name          string
	before, after func() routes
	code          int
	// says is a pattern of what a reader must find, in text and Markdown.
	says string
}{
	{
		"64 expressions without a literal", independentExpressions("web"), independentExpressions("web-v2"), codeUndecided,
		`(?s)undecided.*shop\.example.*64 regular expressions overlap here in too many ways to decide`,
	},
	{
		"an expression with too many states", explosiveExpression("web"), explosiveExpression("web-v2"), codeUndecided,
		"(?s)undecided.*shop\\.example.*the regular expression [`\"]\\.\\*a\\.\\{16\\}[`\"] is too complex to decide",
	},
	{
		"18 crossing pairs of headers", crossingPairs("web"), crossingPairs("web-v2"), codeFindings,
		`except header .*and (8|14) more`,
	},
	{
		"1,000 conditional rules on one path", conditionalRoutes("web"), conditionalRoutes("web-v2"), codeFindings,
		`and (990|996) more`,
	},
	{
		"weights of coprime totals", weights(1<<31, 4_294_967_291), weights(1<<30, 4_294_967_279), codeFindings,
		`25.?%`,
	},
	{
		"200 values of one header", tenants("web"), tenants("web-v2"), codeFindings,
		`x-tenant: 1.*and (190|196) more`,
	},
}

func route(to string, match map[string]any) map[string]any {
	return map[string]any{"match": match, "route": map[string]any{"cluster": to}}
}

func anyPath(headers ...any) map[string]any {
	match := map[string]any{"prefix": "/"}
	if len(headers) > 0 {
		match["headers"] = headers
	}
	return match
}

func exactly(name, value string) any {
	return map[string]any{"name": name, "string_match": map[string]any{"exact": value}}
}

func expression(pattern string) map[string]any {
	return map[string]any{"safe_regex": map[string]any{"regex": pattern}}
}

func independentExpressions(last string) func() routes {
	return func() (out routes) {
		for i := range 64 {
			out = append(out, route(fmt.Sprint("b", i), expression(fmt.Sprintf(`.*%c.*%c.*`, 'a'+i%8, 'a'+i/8))))
		}
		return append(out, route(last, anyPath()))
	}
}

func explosiveExpression(last string) func() routes {
	return func() routes { return routes{route("a", expression(`.*a.{16}`)), route(last, anyPath())} }
}

func crossingPairs(last string) func() routes {
	return func() (out routes) {
		for i := range 18 {
			out = append(out, route("pair", anyPath(exactly(fmt.Sprint("g", i), "1"), exactly(fmt.Sprint("h", i), "1"))))
		}
		return append(out, route(last, anyPath()))
	}
}

func conditionalRoutes(last string) func() routes {
	return func() (out routes) {
		r := rand.New(rand.NewPCG(3, 3))
		for i := range 1000 {
			var headers []any
			for _, h := range r.Perm(12)[:3] {
				headers = append(headers, exactly(fmt.Sprint("h", h), fmt.Sprint(r.IntN(4))))
			}
			out = append(out, route(fmt.Sprint("b", i%20), anyPath(headers...)))
		}
		return append(out, route(last, anyPath()))
	}
}

func weights(first, total uint32) func() routes {
	return func() routes {
		share := func(name string, weight uint32) any { return map[string]any{"name": name, "weight": weight} }
		split := map[string]any{"clusters": []any{share("v1", first), share("v2", total-first)}}
		return routes{{"match": anyPath(), "route": map[string]any{"weighted_clusters": split}}}
	}
}

func tenants(last string) func() routes {
	return func() (out routes) {
		for i := range 200 {
			out = append(out, route(fmt.Sprint("b", i), anyPath(exactly("x-tenant", fmt.Sprint(i)))))
		}
		return append(out, route(last, anyPath()))
	}
}

// TestDiffWorstCases: the command ends on hostile tables too, and says what changes, or what is not decided and why.
func TestDiffWorstCases(t *testing.T) {
	for _, tt := range worstDiffs {
		t.Run(tt.name, func(t *testing.T) {
			before, after := writeRoutes(t, "before", tt.before()), writeRoutes(t, "after", tt.after())
			for _, format := range []string{"text", "markdown"} {
				var out, errs bytes.Buffer
				code := run(t.Context(), []string{"diff", "--exit-code", "--output", format, before, after}, streams{
					in: strings.NewReader(""), out: &out, err: &errs, env: func(string) string { return "" },
				})
				if code != tt.code {
					t.Errorf("exit code %d: %s", code, errs.String())
				}
				if !regexp.MustCompile(tt.says).MatchString(out.String()) {
					t.Errorf("%s does not say %s:\n%s", format, tt.says, out.String())
				}
				if command := "curl -i http://shop.example/"; format == "text" && !strings.Contains(out.String(), command) {
					t.Errorf("no request is shown:\n%s", out.String())
				}
				if n := out.Len(); n > 3000 {
					t.Errorf("%s of %d bytes:\n%s", format, n, out.String())
				}
			}
		})
	}
}

// writeRoutes writes a table with one virtual host.
func writeRoutes(t *testing.T, name string, list routes) string {
	t.Helper()
	host := map[string]any{"name": "shop", "domains": []string{"shop.example"}, "routes": list}
	data, err := json.Marshal(map[string]any{"virtual_hosts": []any{host}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name+".json")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
