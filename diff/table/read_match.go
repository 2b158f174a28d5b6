package table

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	uritemplatev3 "github.com/envoyproxy/go-control-plane/envoy/extensions/path/match/uri_template/v3"
	matcherv3 "github.com/envoyproxy/go-control-plane/envoy/type/matcher/v3"
	typev3 "github.com/envoyproxy/go-control-plane/envoy/type/v3"
)

// readMatch turns a RouteMatch into the conditions of a rule. What is not modelled goes into Rule.Unmodelled with its content.
func readMatch(match *routev3.RouteMatch, options Options, rule *Rule) {
	readPath(match, rule)
	for _, h := range match.GetHeaders() {
		readHeader(h, options, rule)
	}
	for _, q := range match.GetQueryParameters() {
		readParameter(q, rule)
	}
	for _, c := range match.GetCookies() {
		rule.unmodelled("cookie " + canonical(c))
	}
	if match.GetGrpc() != nil {
		rule.Predicates = append(rule.Predicates, grpcPredicate)
	}
	readChance(match, rule)
	if c := match.GetTlsContext(); c != nil && (c.Presented != nil || c.Validated != nil) {
		rule.unmodelled("tls_context " + canonical(c))
	}
	for _, m := range match.GetDynamicMetadata() {
		rule.unmodelled("dynamic_metadata " + canonical(m))
	}
	for _, m := range match.GetFilterState() {
		rule.unmodelled("filter_state " + canonical(m))
	}
	SortPredicates(rule.Predicates)
	rule.Predicates = slices.Compact(rule.Predicates)
	slices.Sort(rule.Unmodelled)
}

// grpcPredicate is "grpc: {}": the content type is application/grpc, or begins with application/grpc+.
var grpcPredicate = Predicate{Source: Header, Name: "content-type", Test: Regex, Value: `application/grpc(\+.*)?`}

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

// anyPath is the path condition of a rule whose path matcher is not modelled.
var anyPath = Path{Kind: PathPrefix, Value: ""}

func readPath(match *routev3.RouteMatch, rule *Rule) {
	folded := match.GetCaseSensitive() != nil && !match.GetCaseSensitive().GetValue()
	switch p := match.GetPathSpecifier().(type) {
	case *routev3.RouteMatch_Prefix:
		rule.Path = Path{Kind: PathPrefix, Value: p.Prefix, IgnoreCase: folded}
	case *routev3.RouteMatch_Path:
		rule.Path = Path{Kind: PathExact, Value: p.Path, IgnoreCase: folded}
	case *routev3.RouteMatch_PathSeparatedPrefix:
		rule.Path = Path{Kind: PathSegments, Value: p.PathSeparatedPrefix, IgnoreCase: folded}
	case *routev3.RouteMatch_SafeRegex:
		// case_sensitive has no effect on a regular expression in Envoy.
		rule.setPathRegex(p.SafeRegex.GetRegex())
	case *routev3.RouteMatch_PathMatchPolicy:
		template := &uritemplatev3.UriTemplateMatchConfig{}
		if p.PathMatchPolicy.GetTypedConfig().UnmarshalTo(template) == nil && len(template.PathTemplate) <= maxTemplate {
			rule.setPathRegex(templateRegex(template.PathTemplate))
			return
		}
		rule.Path = anyPath
		rule.unmodelled("path_match_policy " + canonical(p.PathMatchPolicy))
	case *routev3.RouteMatch_ConnectMatcher_:
		// Only CONNECT requests (and extended CONNECT for UDP), which have no path.
		rule.Path = anyPath
		rule.Predicates = append(rule.Predicates, Predicate{Source: Method, Test: Exact, Value: "CONNECT"})
		rule.unmodelled("connect_matcher " + canonical(p.ConnectMatcher))
	default:
		rule.Path = anyPath
		rule.unmodelled("no path specifier")
	}
}

func (r *Rule) setPathRegex(pattern string) {
	if err := checkRegex(pattern); err != nil {
		r.Path = anyPath
		r.unmodelled("path: " + err.Error())
		return
	}
	r.Path = Path{Kind: PathRegex, Value: pattern}
}

// maxTemplate bounds a URI template; each brace of one is a step of recursion.
const maxTemplate = 1000

// templateRegex is a URI template as a regular expression: "*" is a part of one segment, "**" the rest, "{name}" is "*", "{name=pattern}" its
// pattern. The alphabet is that of Envoy's uri_template matcher.
func templateRegex(template string) string {
	const segment = `[a-zA-Z0-9\-._~%!$&'()*+,;:@=]`
	var pattern strings.Builder
	for template != "" {
		switch {
		case strings.HasPrefix(template, "**"):
			pattern.WriteString(`(?:` + segment + `|/)*`)
			template = template[2:]
		case template[0] == '*':
			pattern.WriteString(segment + `+`)
			template = template[1:]
		case template[0] == '{':
			variable, rest, _ := strings.Cut(template[1:], "}")
			_, inner, named := strings.Cut(variable, "=")
			if !named {
				inner = "*"
			}
			pattern.WriteString(templateRegex(inner))
			template = rest
		default:
			pattern.WriteString(regexp.QuoteMeta(template[:1]))
			template = template[1:]
		}
	}
	return pattern.String()
}

// readHeader reads a header matcher. Names are compared in lower case.
func readHeader(h *routev3.HeaderMatcher, options Options, rule *Rule) {
	p := Predicate{Source: Header, Name: lowerASCII(h.GetName()), Invert: h.GetInvertMatch(), MissingAsEmpty: h.GetTreatMissingHeaderAsEmpty()}
	if p.Name == ":method" {
		p.Source, p.Name, p.MissingAsEmpty = Method, "", false // it is never missing
	} else if alteredHeaders[p.Name] || options.Underscores != AllowUnderscores && strings.Contains(p.Name, "_") {
		rule.unmodelled("header " + canonical(h))
		return
	}
	if !readHeaderTest(h, &p) {
		rule.unmodelled("header " + canonical(h))
		return
	}
	rule.Predicates = append(rule.Predicates, p)
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
	default:
		return false // range_match
	}
	return true
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

// readChance reads runtime_fraction. It is a condition on a random number unless it is always true.
func readChance(match *routev3.RouteMatch, rule *Rule) {
	fraction := match.GetRuntimeFraction()
	if fraction == nil {
		return
	}
	percent := fraction.GetDefaultValue()
	if fraction.GetRuntimeKey() == "" && percent.GetNumerator() >= denominator(percent) {
		return
	}
	rule.unmodelled("runtime_fraction " + canonical(fraction))
}

func denominator(p *typev3.FractionalPercent) uint32 {
	switch p.GetDenominator() {
	case typev3.FractionalPercent_TEN_THOUSAND:
		return 10_000
	case typev3.FractionalPercent_MILLION:
		return 1_000_000
	}
	return 100
}
