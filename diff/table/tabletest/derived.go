package tabletest

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/table"
)

// The headers that are functions of other parts of a request.
const (
	pathHeader      = ":path"
	authorityHeader = ":authority"
)

// randomDerived draws a condition on one of them, with literals of the usual paths and domains.
func randomDerived(r *rand.Rand) table.Predicate {
	p := table.Predicate{
		Source: table.Header, Name: pick(r, pathHeader, authorityHeader), Test: pick(r, table.Exact, table.Prefix, table.Suffix, table.Contains, table.Regex, table.Present),
		Invert: chance(r, 4), MissingAsEmpty: chance(r, 6), IgnoreCase: chance(r, 6),
	}
	texts := map[table.Test][]string{
		table.Exact: {"/", "/a", "/a/b", "/a?q=1", "/orders", "/a;v", "/A"}, table.Prefix: {"/a", "/a/", "/a?", "/or", "/"},
		table.Suffix: {"b", "?", "q=1", "/", "/1"}, table.Contains: {"?", "//", "/b", ";", "%"}, table.Regex: {`/a.*`, `[^?]*`, `.*\?.*`, `/[ab]+(\?.*)?`},
	}
	if p.Name == authorityHeader {
		texts = map[table.Test][]string{
			table.Exact: {"shop.example", "a.shop.example", "SHOP.EXAMPLE", "shop.example:80", "shop.example.", ""}, table.Prefix: {"shop", "a.", "Z", "pay"},
			table.Suffix: {".example", ":80", "80", ".", ".EXAMPLE"}, table.Contains: {":", "shop", "SHOP", ".b."}, table.Regex: {`[^:]*`, `.*:\d+`, `[a-z.]+`, `.*[A-Z].*`},
		}
	}
	switch p.Test {
	case table.Present:
		p.IgnoreCase = false
	case table.Regex:
		p.Value, p.IgnoreCase = pick(r, texts[p.Test]...), false
	default:
		p.Value = pick(r, texts[p.Test]...)
	}
	return p
}

func addDerived(rule *table.Rule, p table.Predicate) {
	if !slices.Contains(rule.Derived, p) {
		rule.Derived = append(rule.Derived, p)
		table.SortPredicates(rule.Derived)
	}
}

// satisfyDerived bends a request so that a condition holds that is not inverted, as far as a text of its own makes it. The query
// comes later.
func satisfyDerived(r *rand.Rand, p table.Predicate, request *table.Request) {
	if p.Invert || p.Test == table.Regex || p.Test == table.Present || chance(r, 4) {
		return
	}
	part := &request.Path
	if p.Name == authorityHeader {
		part = &request.Host
	}
	switch p.Test {
	case table.Exact:
		*part = p.Value
	case table.Prefix:
		*part = p.Value + strings.TrimPrefix(*part, "/")
	default:
		*part += p.Value
	}
	if !strings.HasPrefix(request.Path, "/") {
		request.Path = "/" + request.Path
	}
}
