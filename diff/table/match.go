package table

import "strings"

// matches tells whether the conditions of a rule that are modelled hold.
func (e *Evaluator) matches(rule *Rule, a *arrival) bool {
	return e.takesTarget(rule, a) && e.allHold(rule.Predicates, a) && e.allHold(rule.Derived, a)
}

func (e *Evaluator) allHold(predicates []Predicate, a *arrival) bool {
	for _, p := range predicates {
		if !e.holds(p, a) {
			return false
		}
	}
	return true
}

// takesTarget compares what the request asks for: a path, or with CONNECT none. Rules for paths do not look at such a request, not
// even those that any path would do for; options of a virtual host, which Envoy looks at before its routes, do
// (envoy source/common/router/config_impl.cc, VirtualHostImpl::getRouteFromRoutes, and experiment).
func (e *Evaluator) takesTarget(rule *Rule, a *arrival) bool {
	if a.method == connectMethod {
		return rule.Connect || rule.Index < 0
	}
	return !rule.Connect && e.pathMatches(rule.Path, a.matched)
}

// pathMatches compares the path without its query.
func (e *Evaluator) pathMatches(p Path, path string) bool {
	if p.Kind == PathRegex {
		return e.fullMatch(p.Value, path)
	}
	want := p.Value
	if p.IgnoreCase {
		want, path = lowerASCII(want), lowerASCII(path)
	}
	rest, found := strings.CutPrefix(path, want)
	switch p.Kind {
	case PathExact:
		return found && rest == ""
	case PathSegments:
		return found && (rest == "" || rest[0] == '/')
	}
	return found
}

// holds tells whether a predicate holds. Absent and present values differ (envoy.config.route.v3.HeaderMatcher):
//   - Present asks whether there is a value; MissingAsEmpty makes one of a missing header; Invert negates.
//   - Any other test fails on a missing value, inverted or not, unless MissingAsEmpty puts the empty value there.
//   - A header with several values passes when one of them does; Invert negates that.
//   - An inverted test of a cookie holds for a missing one (envoy.config.route.v3.CookieMatcher).
//
// A regular expression that is not understood is taken to hold: doubt then says so.
func (e *Evaluator) holds(p Predicate, a *arrival) bool {
	if p.Test == Regex && e.regexes[p.Value] == nil {
		return true
	}
	values := a.values(p)
	if len(values) == 0 && p.MissingAsEmpty {
		values = []string{""}
	}
	if p.Test == Present {
		return len(values) > 0 != p.Invert
	}
	if len(values) == 0 {
		return p.Source == Cookie && p.Invert
	}
	for _, value := range values {
		if e.passes(p, value) {
			return !p.Invert
		}
	}
	return p.Invert
}

func (e *Evaluator) passes(p Predicate, value string) bool {
	switch p.Test {
	case Regex:
		return e.fullMatch(p.Value, value)
	case Range:
		return inRange(p.Value, value)
	}
	want := p.Value
	if p.IgnoreCase {
		want, value = lowerASCII(want), lowerASCII(value)
	}
	switch p.Test {
	case Exact:
		return value == want
	case Prefix:
		return strings.HasPrefix(value, want)
	case Suffix:
		return strings.HasSuffix(value, want)
	}
	return strings.Contains(value, want)
}
