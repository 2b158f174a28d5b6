package table

import (
	"regexp"
	"strings"

	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	uritemplatev3 "github.com/envoyproxy/go-control-plane/envoy/extensions/path/match/uri_template/v3"
)

// anyPath is the path condition of a rule whose path matcher is not modelled.
var anyPath = Path{Kind: PathPrefix, Value: ""}

func (s *surroundings) readPath(match *routev3.RouteMatch, rule *Rule) {
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
		// Alone among path matchers, a template sees the parameters that ignore_path_parameters_in_path_matching cuts off.
		seesOther := s.options.IgnorePathParameters
		if !seesOther && p.PathMatchPolicy.GetTypedConfig().UnmarshalTo(template) == nil && len(template.PathTemplate) <= maxTemplate {
			rule.setPathRegex(templateRegex(template.PathTemplate))
			return
		}
		rule.Path = anyPath
		rule.unmodelled("path_match_policy " + canonical(p.PathMatchPolicy))
	case *routev3.RouteMatch_ConnectMatcher_:
		// Only CONNECT requests (and extended CONNECT for UDP), which have no path. The matcher says nothing more.
		rule.Path, rule.Connect = anyPath, true
		rule.Predicates = append(rule.Predicates, Predicate{Source: Method, Test: Exact, Value: connectMethod})
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
