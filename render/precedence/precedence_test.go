package precedence

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/routedelta/routedelta/render/model"
)

// rule builds a rule of a route; edits change it from prefix "/" without conditions.
func rule(route string, edits ...func(*model.Rule)) *model.Rule {
	r := &model.Rule{
		Origin:   model.Origin{Kind: "HTTPRoute", Name: model.Name{Namespace: "default", Name: route}},
		Hostname: "a.example.com",
		Match:    model.Match{PathKind: model.PathPrefix, PathValue: "/", PathWritten: "/"},
	}
	for _, edit := range edits {
		edit(r)
	}
	return r
}

func path(kind model.PathKind, value string) func(*model.Rule) {
	return func(r *model.Rule) { r.Match.PathKind, r.Match.PathValue, r.Match.PathWritten = kind, value, value }
}

// call makes the rule one of a GRPCRoute, with the path that goes with the method.
func call(service, method string, regex bool) func(*model.Rule) {
	return func(r *model.Rule) {
		r.Origin.Kind = "GRPCRoute"
		r.Match.GRPC = &model.GRPCMatch{Service: service, Method: method, Regex: regex}
		switch {
		case service == "" && method == "":
		case regex || service == "":
			path(model.PathRegex, "/"+service+"/"+method)(r)
		case method == "":
			path(model.PathPrefix, "/"+service)(r)
		default:
			path(model.PathExact, "/"+service+"/"+method)(r)
		}
	}
}

func withMethod(m string) func(*model.Rule) { return func(r *model.Rule) { r.Match.Method = m } }

func withHeaders(names ...string) func(*model.Rule) {
	return func(r *model.Rule) {
		for _, n := range names {
			r.Match.Headers = append(r.Match.Headers, model.ValueMatch{Name: n, Value: "1"})
		}
	}
}

func withRegexHeader(name string) func(*model.Rule) {
	return func(r *model.Rule) {
		r.Match.Headers = append(r.Match.Headers, model.ValueMatch{Name: name, Regex: true, Value: ".*"})
	}
}

func withQuery(names ...string) func(*model.Rule) {
	return func(r *model.Rule) {
		for _, n := range names {
			r.Match.Query = append(r.Match.Query, model.ValueMatch{Name: n, Value: "1"})
		}
	}
}

func hostname(h string) func(*model.Rule) { return func(r *model.Rule) { r.Hostname = h } }

func created(year int) func(*model.Rule) {
	return func(r *model.Rule) { r.Age.Created = time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC) }
}

func isNew(r *model.Rule) { r.Age.New = true }

func place(rule, match int) func(*model.Rule) {
	return func(r *model.Rule) { r.Origin.Rule, r.Origin.Match = rule, match }
}

func TestLadder(t *testing.T) {
	tests := []struct {
		name          string
		dialect       string
		winner, loser *model.Rule
		want          Explanation
	}{
		{"precise hostname", Default, rule("z", hostname("a.example.com")), rule("a", hostname("*.example.com"), path(model.PathExact, "/x")),
			Explanation{"characters of a hostname without wildcard", "a.example.com before *.example.com"}},
		{"longer wildcard", Default, rule("z", hostname("*.example.com")), rule("a", hostname("*.com")),
			Explanation{"characters of the hostname", "*.example.com before *.com"}},
		{"exact path", Default, rule("z", path(model.PathExact, "/x")), rule("a", path(model.PathPrefix, "/x"), withMethod("GET"), withHeaders("a", "b")),
			Explanation{"kind of path match", "Exact before PathPrefix"}},
		{"regex before prefix", Default, rule("z", path(model.PathRegex, "/.*")), rule("a", path(model.PathPrefix, "/long/path")),
			Explanation{"kind of path match", "RegularExpression before PathPrefix"}},
		{"longer regex", Default, rule("z", path(model.PathRegex, "/api/.*")), rule("a", path(model.PathRegex, "/.*")),
			Explanation{"characters of the path", "7 > 3"}},
		{"longer prefix", Default, rule("z", path(model.PathPrefix, "/len/deep")), rule("a", path(model.PathPrefix, "/len"), withMethod("GET")),
			Explanation{"characters of the path", "9 > 4"}},
		{"method over headers", Default, rule("z", withMethod("GET")), rule("a", withHeaders("a", "b", "c")),
			Explanation{"method match", "GET before any method"}},
		{"headers over query", Default, rule("z", withHeaders("a")), rule("a", withQuery("a", "b")),
			Explanation{"number of headers", "1 > 0"}},
		{"query", Default, rule("z", withQuery("a", "b")), rule("a", withQuery("a")),
			Explanation{"number of query parameters", "2 > 1"}},
		{"older", Default, rule("z", created(2020)), rule("a", created(2024)),
			Explanation{"age of the route", "2020-01-01T00:00:00Z before 2024-01-01T00:00:00Z"}},
		{"unknown age is the oldest", Default, rule("z"), rule("a", created(2024)),
			Explanation{"age of the route", "unknown age before 2024-01-01T00:00:00Z"}},
		{"new is the youngest", Default, rule("z", created(2024)), rule("a", isNew, created(2020)),
			Explanation{"age of the route", "the other route is new"}},
		{"name", Default, rule("alpha", place(5, 0)), rule("zulu"),
			Explanation{"name of the route", "default/alpha before default/zulu"}},
		{"rule order", Default, rule("a", place(0, 3)), rule("a", place(1, 0)),
			Explanation{"order of rules in the route", "rule 1 before rule 2"}},
		{"match order", Default, rule("a", place(1, 0)), rule("a", place(1, 2)),
			Explanation{"order of matches in the rule", "match 1 before match 3"}},

		{"gRPC hostname", Default, rule("z", call("", "", false), hostname("a.example.com")), rule("a", call("a.B", "C", false), hostname("*.example.com")),
			Explanation{"characters of a hostname without wildcard", "a.example.com before *.example.com"}},
		{"gRPC longer service over longer method", Default, rule("z", call("shop.Orders", "", false)), rule("a", call("shop.Cart", "AddManyItems", false)),
			Explanation{"characters of the service", "11 > 9"}},
		{"gRPC longer method", Default, rule("z", call("shop.Cart", "AddItem", false)), rule("a", call("shop.Cart", "", false), withHeaders("a", "b")),
			Explanation{"characters of the method", "7 > 0"}},
		{"gRPC service over method alone", Default, rule("z", call("s", "", false)), rule("a", call("", "AddItem", false)),
			Explanation{"characters of the service", "1 > 0"}},
		{"gRPC name over expression", Default, rule("z", call("", "Get", false)), rule("a", call("shop\\..*", "G.*", true)),
			Explanation{"kind of method match", "Exact before RegularExpression"}},
		{"gRPC expression over any", Default, rule("z", call(".*", "", true)), rule("a", call("", "", false), withHeaders("a", "b")),
			Explanation{"kind of method match", "RegularExpression before any method"}},
		{"gRPC headers", Default, rule("z", call("s", "m", false), withHeaders("a")), rule("a", call("s", "m", false)),
			Explanation{"number of headers", "1 > 0"}},
		{"gRPC age", Default, rule("z", call("s", "m", false), created(2020)), rule("a", call("s", "m", false), created(2021)),
			Explanation{"age of the route", "2020-01-01T00:00:00Z before 2021-01-01T00:00:00Z"}},
		{"kinds of routes stand apart", Default, rule("z"), rule("a", call("s", "m", false)),
			Explanation{"kind of route", "HTTPRoute before GRPCRoute"}},
		{"Envoy Gateway takes a method alone for a header", "envoy-gateway-1.9", rule("z", call("", "Get", false)), rule("a", call("", "", false)),
			Explanation{"number of headers, a method alone counted as one", "1 > 0"}},
		{"Envoy Gateway ranks an expression before a service", "envoy-gateway-1.9", rule("z", call(".*", "", true)), rule("a", call("shop.Cart", "", false)),
			Explanation{"kind of path match", "RegularExpression before PathPrefix"}},
		{"Envoy Gateway counts the path", "envoy-gateway-1.9", rule("z", call("shop.Cart", "AddItem", false)), rule("a", call("shop.Orders", "Get", false)),
			Explanation{"characters of the path", "18 > 16"}},

		{"Envoy Gateway counts the method as a header", "envoy-gateway-1.8", rule("z", withHeaders("a", "b", "c")), rule("a", withMethod("GET"), withHeaders("a")),
			Explanation{"number of headers, the method counted as one", "3 > 2"}},
		{"Envoy Gateway ties a method with a header", "envoy-gateway-1.8", rule("a", withHeaders("a", "b", "c")), rule("a", place(1, 0), withMethod("GET"), withHeaders("a", "b")),
			Explanation{"order of rules in the route", "rule 1 before rule 2"}},
		{"Envoy Gateway prefers exact headers", "envoy-gateway-1.9", rule("z", withHeaders("x")), rule("a", withRegexHeader("x")),
			Explanation{"number of exact headers, the method counted as one", "1 > 0"}},
		{"Envoy Gateway ignores the hostname", "envoy-gateway-1.9", rule("a", hostname("*.com")), rule("z", hostname("a.example.com")),
			Explanation{"name of the route", "default/a before default/z"}},
		{"Envoy Gateway counts the trailing slash", "envoy-gateway-1.9",
			rule("z", path(model.PathPrefix, "/x"), func(r *model.Rule) { r.Match.PathWritten = "/x/" }), rule("a", path(model.PathPrefix, "/x"), withHeaders("h")),
			Explanation{"characters of the path", "3 > 2"}},
		{"kgateway does not rank expressions", "kgateway", rule("a", path(model.PathRegex, "/.*")), rule("z", path(model.PathRegex, "/api/.*")),
			Explanation{"name of the route", "default/a before default/z"}},
		{"Istio ranks a prefix before an expression", "istio", rule("z"), rule("a", path(model.PathRegex, "/api/.*")),
			Explanation{"kind of path match", "PathPrefix before RegularExpression"}},
		{"Contour ranks the method first", "contour", rule("z", withMethod("GET")), rule("a", withHeaders("a", "b")),
			Explanation{"method match", "GET before any method"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := dialect(t, test.dialect)
			if order, _ := d.Compare(test.winner, test.loser); order >= 0 {
				t.Errorf("Compare(winner, loser) = %d, want below 0", order)
			}
			for _, got := range []Explanation{d.Explain(test.winner, test.loser), d.Explain(test.loser, test.winner)} {
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Errorf("Explain (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func dialect(t rapid.TB, name string) Dialect {
	t.Helper()
	d, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestFind(t *testing.T) {
	if d := dialect(t, ""); d.Name != Default {
		t.Errorf("default is %q", d.Name)
	}
	if _, err := Find("nginx"); err == nil {
		t.Error("an unknown dialect is found")
	}
	if got := Names()[0]; got != Default {
		t.Errorf("first name is %q", got)
	}
}

func TestTies(t *testing.T) {
	d := dialect(t, Default)
	rules := []model.Rule{
		*rule("b", withHeaders("x", "y")),
		*rule("a", withHeaders("y", "x")),
		*rule("c", withHeaders("x", "z")),
		*rule("b", withHeaders("x", "y"), place(1, 0)),
	}
	d.Sort(rules)
	type tie struct{ winner, loser, rung string }
	var got []tie
	for _, ti := range d.Ties(rules) {
		got = append(got, tie{rules[ti.Winner].Origin.Name.Name, rules[ti.Loser].Origin.Name.Name, ti.Rung.Name})
	}
	want := []tie{{"a", "b", "name of the route"}, {"a", "b", "name of the route"}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(tie{})); diff != "" {
		t.Errorf("ties (-want +got):\n%s", diff)
	}
}

// anyRule draws from few values, so that the rungs tie often.
func anyRule(t *rapid.T, label string) *model.Rule {
	values := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 2, rapid.ID[string])
	r := rule(rapid.SampledFrom([]string{"a", "b"}).Draw(t, label+" name"))
	r.Origin.Namespace = rapid.SampledFrom([]string{"a", "a-b"}).Draw(t, label+" namespace")
	r.Hostname = rapid.SampledFrom([]string{"*", "*.com", "a.com"}).Draw(t, label+" hostname")
	path(rapid.SampledFrom([]model.PathKind{model.PathExact, model.PathPrefix, model.PathRegex}).Draw(t, label+" kind"),
		rapid.SampledFrom([]string{"/", "/a", "/b", "/ab"}).Draw(t, label+" path"))(r)
	r.Match.Method = rapid.SampledFrom([]string{"", "GET", "POST"}).Draw(t, label+" method")
	withHeaders(values.Draw(t, label+" headers")...)(r)
	if rapid.Bool().Draw(t, label+" regex header") {
		withRegexHeader("r")(r)
	}
	withQuery(values.Draw(t, label+" query")...)(r)
	if rapid.Bool().Draw(t, label+" gRPC") {
		names := rapid.SampledFrom([]string{"", "a", "ab"})
		call(names.Draw(t, label+" service"), names.Draw(t, label+" called"), rapid.Bool().Draw(t, label+" expression"))(r)
	}
	r.Age.New = rapid.Bool().Draw(t, label+" new")
	if year := rapid.SampledFrom([]int{0, 2020, 2024}).Draw(t, label+" year"); year > 0 {
		created(year)(r)
	}
	place(rapid.IntRange(0, 1).Draw(t, label+" rule"), rapid.IntRange(0, 1).Draw(t, label+" match"))(r)
	return r
}

func TestCompareIsATotalOrder(t *testing.T) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			d := dialect(t, name)
			rapid.Check(t, func(t *rapid.T) {
				a, b, c := anyRule(t, "a"), anyRule(t, "b"), anyRule(t, "c")
				ab, _ := d.Compare(a, b)
				ba, _ := d.Compare(b, a)
				if ab != -ba {
					t.Fatalf("Compare(a, b) = %d, Compare(b, a) = %d", ab, ba)
				}
				if ab == 0 && a.Origin != b.Origin {
					t.Fatal("two rules of different places tie")
				}
				bc, _ := d.Compare(b, c)
				if ac, _ := d.Compare(a, c); ab <= 0 && bc <= 0 && ac > 0 {
					t.Fatal("a before b before c before a")
				}
			})
		})
	}
}

func TestSortDoesNotDependOnInputOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := dialect(t, rapid.SampledFrom(Names()).Draw(t, "dialect"))
		drawn := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) model.Rule { return *anyRule(t, "rule") }), 1, 8,
			func(r model.Rule) model.Origin { return r.Origin }).Draw(t, "rules")
		shuffled := rapid.Permutation(drawn).Draw(t, "shuffled")
		sorted := slices.Clone(drawn)
		d.Sort(sorted)
		d.Sort(shuffled)
		if diff := cmp.Diff(sorted, shuffled); diff != "" {
			t.Fatalf("another order (-want +got):\n%s", diff)
		}
		for i := 1; i < len(sorted); i++ {
			if order, _ := d.Compare(&sorted[i-1], &sorted[i]); order >= 0 {
				t.Fatalf("rule %d is not before rule %d", i-1, i)
			}
		}
	})
}
