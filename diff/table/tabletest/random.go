package tabletest

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"

	"github.com/routedelta/routedelta/diff/table"
)

// Rendered are the options of our own renderings.
func Rendered() table.Options {
	return table.Options{
		NormalizePath: true, MergeSlashes: true, EscapedSlashes: table.RedirectEscapedSlashes,
		IgnoreHostPort: true, UseRemoteAddress: true,
	}
}

// RandomOptions draws options of a connection manager and a route configuration that package table models.
func RandomOptions(r *rand.Rand) table.Options {
	return table.Options{
		NormalizePath:    chance(r, 2),
		MergeSlashes:     chance(r, 2),
		EscapedSlashes:   pick(r, table.KeepEscapedSlashes, table.RejectEscapedSlashes, table.RedirectEscapedSlashes, table.ForwardEscapedSlashes),
		IgnoreHostPort:   chance(r, 2),
		StripAnyHostPort: chance(r, 3),
		UseRemoteAddress: chance(r, 2),
		Underscores:      pick(r, table.AllowUnderscores, table.AllowUnderscores, table.RejectUnderscores, table.DropUnderscores),
	}
}

// RandomTable draws a table of a few virtual hosts with a few rules each, sealed. Names say the place of a rule.
func RandomTable(r *rand.Rand, options table.Options) *table.Table {
	return RandomWideTable(r, options, Dimensions{})
}

// RandomWideTable is RandomTable with more kinds of conditions.
func RandomWideTable(r *rand.Rand, options table.Options, more Dimensions) *table.Table {
	t := &table.Table{Routes: "random", Options: options}
	domains := shuffled(r, domainPool)
	for range 1 + r.IntN(4) {
		n := 1 + r.IntN(2)
		t.Hosts = append(t.Hosts, randomHost(r, options, more, domains[:n]))
		domains = domains[n:]
	}
	number(t)
	return t
}

// domainPool has domains that nest: full names below wildcards below wildcards.
var domainPool = []string{
	"*", "shop.example", "*.shop.example", "a.shop.example", "*.example", "*.b.shop.example", "x.*", "shop.*",
	"*-b.shop.example", "pay.example", "shop.example:80", "[::1]",
}

func randomHost(r *rand.Rand, options table.Options, more Dimensions, domains []string) table.Host {
	host := table.Host{Domains: domains}
	for range 1 + r.IntN(8) {
		host.Rules = append(host.Rules, RandomWideRule(r, options, more))
	}
	if chance(r, 2) {
		host.Rules = append(host.Rules, table.Rule{Path: table.Path{Kind: table.PathPrefix, Value: "/"}, Outcome: RandomOutcome(r)})
	}
	return host
}

// number gives virtual hosts and rules the names of their places and seals the table.
func number(t *table.Table) {
	for h := range t.Hosts {
		t.Hosts[h].Name = fmt.Sprint("host", h)
		for i := range t.Hosts[h].Rules {
			rule := &t.Hosts[h].Rules[i]
			rule.Index, rule.Name = i, fmt.Sprintf("host%d-rule%d", h, i)
		}
	}
	t.Seal()
}

// RandomRule draws a rule without a name.
func RandomRule(r *rand.Rand, options table.Options) table.Rule {
	return RandomWideRule(r, options, Dimensions{})
}

// RandomWideRule is RandomRule with more kinds of conditions.
func RandomWideRule(r *rand.Rand, options table.Options, more Dimensions) table.Rule {
	rule := table.Rule{Path: randomPath(r), Outcome: more.outcome(r)}
	if more.Connect && chance(r, 9) {
		rule = connectRule(rule.Outcome)
	}
	if more.Derived && chance(r, 9) {
		addDerived(&rule, randomDerived(r))
	}
	for range max(0, r.IntN(5)-2) {
		addPredicate(&rule, more.predicate(r, options))
	}
	rule.Chance = more.chance(r)
	return rule
}

// addPredicate adds a condition that is not there yet. Envoy has one field for some of the Free conditions, so these are not there
// with their inversion.
func addPredicate(rule *table.Rule, p table.Predicate) {
	same := func(other table.Predicate) bool {
		return other == p || p.Source == table.Free && other.Source == table.Free && other.Name == p.Name
	}
	if !slices.ContainsFunc(rule.Predicates, same) {
		rule.Predicates = append(rule.Predicates, p)
		table.SortPredicates(rule.Predicates)
	}
}

// connectRule takes CONNECT requests alone.
func connectRule(o table.Outcome) table.Rule {
	return table.Rule{
		Path: table.Path{Kind: table.PathPrefix}, Connect: true, Outcome: o,
		Predicates: []table.Predicate{{Source: table.Method, Test: table.Exact, Value: http.MethodConnect}},
	}
}

var segmentPool = []string{"a", "b", "ab", "orders", "v2", "1", "a-b", "a-", "A", "a.b", "~", "a;v"}

func randomPath(r *rand.Rand) table.Path {
	switch r.IntN(12) {
	case 0, 1:
		return table.Path{Kind: table.PathRegex, Value: pick(r, pathPatterns...).pattern}
	case 2:
		return table.Path{Kind: table.PathPrefix, Value: pick(r, "/", "/", "/a", "/a/", "", "/A", "/or")}
	case 3:
		return table.Path{Kind: table.PathExact, Value: pick(r, "/", "/a/", "/a//b", "/a?q=1", "/%41", "/é", "/a%2Fb", "//")}
	}
	value := ""
	for range 1 + r.IntN(3) {
		value += "/" + pick(r, segmentPool...)
	}
	return table.Path{
		Kind:       pick(r, table.PathExact, table.PathSegments, table.PathSegments, table.PathPrefix),
		Value:      value,
		IgnoreCase: chance(r, 8),
	}
}

func randomPredicate(r *rand.Rand, options table.Options) table.Predicate {
	switch r.IntN(8) {
	case 0, 1:
		p := table.Predicate{Source: table.Method, Test: table.Exact, Value: pick(r, "GET", "POST", "PUT")}
		if chance(r, 8) {
			p.Invert = true
		}
		return p
	case 2, 3:
		p := randomTest(r, table.Predicate{Source: table.Query, Name: pick(r, "q", "debug", "Q", "z%20")})
		if p.Test == table.Present {
			p.Invert = chance(r, 3)
		}
		return p
	}
	p := randomTest(r, table.Predicate{Source: table.Header, Name: pick(r, headerNames(options)...)})
	p.Invert, p.MissingAsEmpty = chance(r, 5), chance(r, 6)
	return p
}

// headerNames: two ordinary headers, two that Envoy keeps in one slot. A name with an underscore is a condition only where
// such headers arrive.
func headerNames(options table.Options) []string {
	names := []string{"x-env", "x-env", "x-user", "x-user", "accept", "user-agent"}
	if options.Underscores == table.AllowUnderscores {
		names = append(names, "x_u")
	}
	return names
}

var valuePool = []string{"1", "2", "12", "a", "A", "b", "a,b", "ab", "canary"}

func randomTest(r *rand.Rand, p table.Predicate) table.Predicate {
	p.Test = pick(r, table.Exact, table.Exact, table.Exact, table.Prefix, table.Suffix, table.Contains, table.Regex, table.Present)
	switch p.Test {
	case table.Present:
	case table.Regex:
		p.Value = pick(r, valuePatterns...).pattern
	default:
		p.Value, p.IgnoreCase = pick(r, valuePool...), chance(r, 6)
		if p.Test == table.Exact && chance(r, 10) {
			p.Value = ""
		}
	}
	return p
}

// patternSample is a regular expression with texts inside and just outside.
type patternSample struct {
	pattern string
	samples []string
}

var pathPatterns = []patternSample{
	{`/a/[^/]+`, []string{"/a/b", "/a/", "/a/b/c"}},
	{`/a.*`, []string{"/a", "/ab/c", "/b"}},
	{`/(a|b)/1*`, []string{"/a/", "/b/11", "/b/12"}},
	{`/.*b`, []string{"/b", "/a/b", "/a/b/"}},
	{`^/a/b$`, []string{"/a/b", "/a/b/"}},
	{`/[ab]+/?`, []string{"/abba", "/a/", "/a//"}},
	{`/a/\d+`, []string{"/a/12", "/a/x"}},
	{`(?i)/AB`, []string{"/ab", "/Ab", "/abc"}},
	{`/a\b.*`, []string{"/a/b", "/a-b", "/ab"}},
	{`/[^a]*`, []string{"/b", "/orders", "/b/a"}},
	{`/a{2,3}`, []string{"/aa", "/aaa", "/aaaa"}},
	{`.*`, []string{"/", "/x/y"}},
	{`/a.b`, []string{"/a/b", "/a-b", "/a%b"}},
	{`/v[0-9]+/orders(/.*)?`, []string{"/v1/orders", "/v22/orders/7", "/v/orders"}},
	{`/a[%C39]+b`, []string{"/a%C3b", "/aéb", "/ab"}},
	{`/a(;.*)?`, []string{"/a;v", "/a", "/a;v/b"}},
}

var valuePatterns = []patternSample{
	{`1.*`, []string{"1", "12", "21"}},
	{`[12]+`, []string{"1221", "3"}},
	{`\d*2`, []string{"2", "12", "123"}},
	{`^$`, []string{"", " "}},
	{`1\b.?`, []string{"1", "1,", "12"}},
	{`[^1]*`, []string{"", "abc", "a1"}},
	{`(?i)a.*`, []string{"A", "ab", "b"}},
	{`a,b`, []string{"a,b"}},
	{`.`, []string{"a", "é", "\xe9"}},
	{`..`, []string{"é", "ab", "a"}},
	{`[é]+`, []string{"é", "\xc3", "e"}},
	{`\pL`, []string{"\xe9", "a", "1"}},
	{`a|b`, []string{"a", "b", "a|b"}},
	{`[^,]*`, []string{"a", "a,b"}},
	{`\s*2`, []string{"2", "a\t2"}},
	{`[a-z]{2,8}`, []string{"canary", "a"}},
}

func pick[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

// chance is true once in n times.
func chance(r *rand.Rand, n int) bool { return r.IntN(n) == 0 }

func shuffled[T any](r *rand.Rand, values []T) []T {
	mixed := append([]T(nil), values...)
	r.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
	return mixed
}
