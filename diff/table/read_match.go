package table

import (
	"cmp"
	"fmt"
	"slices"

	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	matcherv3 "github.com/envoyproxy/go-control-plane/envoy/type/matcher/v3"
)

// readMatch turns a RouteMatch into the conditions of a rule. What is not modelled goes into Rule.Unmodelled with its content.
func (s *surroundings) readMatch(match *routev3.RouteMatch, rule *Rule) {
	rule.Chance = s.runtime.chance(match.GetRuntimeFraction())
	s.readPath(match, rule)
	for _, h := range match.GetHeaders() {
		s.readHeader(h, rule)
	}
	for _, q := range match.GetQueryParameters() {
		readParameter(q, rule)
	}
	for _, c := range match.GetCookies() {
		readCookie(c, rule)
	}
	if match.GetGrpc() != nil {
		readGRPC(rule)
	}
	s.readFree(match, rule)
	SortPredicates(rule.Predicates)
	rule.Predicates = slices.Compact(rule.Predicates)
	SortPredicates(rule.Derived)
	rule.Derived = slices.Compact(rule.Derived)
	slices.Sort(rule.Unmodelled)
}

// grpcPredicate is "grpc: {}": the content type is application/grpc, or begins with application/grpc+.
var grpcPredicate = Predicate{Source: Header, Name: "content-type", Test: Regex, Value: `application/grpc(\+.*)?`}

// readGRPC: to Envoy a request without a path is none of gRPC (envoy source/common/grpc/common.cc, isGrpcRequestHeaders).
func readGRPC(rule *Rule) {
	if rule.Connect {
		rule.never("grpc")
		return
	}
	rule.Predicates = append(rule.Predicates, grpcPredicate)
}

func (r *Rule) unmodelled(what string) { r.Unmodelled = append(r.Unmodelled, what) }

// SortPredicates brings predicates into the order in which a Rule holds them.
func SortPredicates(list []Predicate) { slices.SortFunc(list, comparePredicates) }

func comparePredicates(a, b Predicate) int {
	return cmp.Or(
		cmp.Compare(a.Source, b.Source),
		cmp.Compare(a.Name, b.Name),
		cmp.Compare(a.Test, b.Test),
		cmp.Compare(a.Value, b.Value),
		compareFlags(a.IgnoreCase, b.IgnoreCase),
		compareFlags(a.Invert, b.Invert),
		compareFlags(a.MissingAsEmpty, b.MissingAsEmpty),
	)
}

func compareFlags(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// readHeader reads a header matcher. Names are compared in lower case.
func (s *surroundings) readHeader(h *routev3.HeaderMatcher, rule *Rule) {
	p := Predicate{Source: Header, Name: lowerASCII(h.GetName()), Invert: h.GetInvertMatch(), MissingAsEmpty: h.GetTreatMissingHeaderAsEmpty()}
	if p.Name == ":method" {
		p.Source, p.Name, p.MissingAsEmpty = Method, "", false // it is never missing
	}
	if !readHeaderTest(h, &p) {
		rule.unmodelled("header " + canonical(h))
		return
	}
	if name := derivedHeaders[p.Name]; name != "" {
		p.Name = name
		rule.Derived = append(rule.Derived, p)
		return
	}
	value, present, known := s.settled(p.Name)
	switch {
	case known && !alwaysHolds(p, value, present):
		rule.never("header " + canonical(h))
	case known:
	case alteredHeaders[p.Name]:
		rule.unmodelled("header " + canonical(h))
	default:
		rule.Predicates = append(rule.Predicates, p)
	}
}

func readHeaderTest(h *routev3.HeaderMatcher, p *Predicate) bool {
	switch m := h.GetHeaderMatchSpecifier().(type) {
	case nil:
		p.Test = Present
	case *routev3.HeaderMatcher_PresentMatch:
		// "present_match: false" is the negation of "present_match: true", also beside invert_match.
		p.Test, p.Invert = Present, p.Invert != !m.PresentMatch
	case *routev3.HeaderMatcher_StringMatch:
		return readString(m.StringMatch, p)
	// The deprecated fields still load. An empty exact_match takes any value, as an empty prefix does.
	case *routev3.HeaderMatcher_ExactMatch:
		p.Test, p.Value = Exact, m.ExactMatch
		if m.ExactMatch == "" {
			p.Test = Prefix
		}
	case *routev3.HeaderMatcher_PrefixMatch:
		p.Test, p.Value = Prefix, m.PrefixMatch
	case *routev3.HeaderMatcher_SuffixMatch:
		p.Test, p.Value = Suffix, m.SuffixMatch
	case *routev3.HeaderMatcher_ContainsMatch:
		p.Test, p.Value = Contains, m.ContainsMatch
	case *routev3.HeaderMatcher_SafeRegexMatch:
		p.Test, p.Value = Regex, m.SafeRegexMatch.GetRegex()
		return checkRegex(p.Value) == nil
	case *routev3.HeaderMatcher_RangeMatch:
		p.Test, p.Value = Range, fmt.Sprintf("%d %d", m.RangeMatch.GetStart(), m.RangeMatch.GetEnd())
	default:
		return false
	}
	return true
}

// readCookie reads a cookie matcher, which has a test of the value always.
func readCookie(c *routev3.CookieMatcher, rule *Rule) {
	p := Predicate{Source: Cookie, Name: c.GetName(), Invert: c.GetInvertMatch()}
	if !readString(c.GetStringMatch(), &p) {
		rule.unmodelled("cookie " + canonical(c))
		return
	}
	rule.Predicates = append(rule.Predicates, p)
}

// readParameter reads a query parameter matcher. There is no inversion but "present_match: false".
func readParameter(q *routev3.QueryParameterMatcher, rule *Rule) {
	p := Predicate{Source: Query, Name: q.GetName(), Test: Present}
	switch m := q.GetQueryParameterMatchSpecifier().(type) {
	case nil:
	case *routev3.QueryParameterMatcher_PresentMatch:
		p.Invert = !m.PresentMatch
	case *routev3.QueryParameterMatcher_StringMatch:
		if !readString(m.StringMatch, &p) {
			rule.unmodelled("query parameter " + canonical(q))
			return
		}
	}
	rule.Predicates = append(rule.Predicates, p)
}

// readString reads a string matcher into a predicate; false is a matcher that is not modelled.
func readString(m *matcherv3.StringMatcher, p *Predicate) bool {
	p.IgnoreCase = m.GetIgnoreCase()
	switch s := m.GetMatchPattern().(type) {
	case *matcherv3.StringMatcher_Exact:
		p.Test, p.Value = Exact, s.Exact
	case *matcherv3.StringMatcher_Prefix:
		p.Test, p.Value = Prefix, s.Prefix
	case *matcherv3.StringMatcher_Suffix:
		p.Test, p.Value = Suffix, s.Suffix
	case *matcherv3.StringMatcher_Contains:
		p.Test, p.Value = Contains, s.Contains
	case *matcherv3.StringMatcher_SafeRegex:
		p.Test, p.Value = Regex, s.SafeRegex.GetRegex()
		return !p.IgnoreCase && checkRegex(p.Value) == nil
	default:
		return false
	}
	return true
}
