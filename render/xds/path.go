package xds

import (
	"regexp"
	"strings"

	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	matcherv3 "github.com/envoyproxy/go-control-plane/envoy/type/matcher/v3"

	"github.com/routedelta/routedelta/render/model"
)

// setRewrite changes host and path on the way to a backend.
func setRewrite(action *routev3.RouteAction, rule model.Rule) {
	rewrite := rule.Action.Rewrite
	if rewrite.Hostname != "" && !rewritesByBackend(rule.Action) {
		action.HostRewriteSpecifier = &routev3.RouteAction_HostRewriteLiteral{HostRewriteLiteral: rewrite.Hostname}
	}
	if rewrite.Path == nil {
		return
	}
	if !rewrite.Path.Prefix {
		action.RegexRewrite = substitute("^.*$", absolute(rewrite.Path.Value))
		return
	}
	prefix, stripped := prefixChange(rule.Match.PathValue, rewrite.Path.Value)
	action.PrefixRewrite, action.RegexRewrite = prefix, stripped
}

// prefixChange replaces the prefix that a rule matches, on segment borders, as the table of HTTPPathModifier says. Either
// result is set. Envoy's prefix_rewrite replaces text: it would leave "//bar" of "/foo/bar" with the replacement "/", and an
// empty replacement is no replacement at all (envoyproxy/envoy#26055); a regular expression takes the slash along.
func prefixChange(match, replacement string) (string, *matcherv3.RegexMatchAndSubstitute) {
	replacement = absolute(strings.TrimRight(replacement, "/"))
	switch {
	case match == "" || match == "/":
		// The prefix is the one slash in front: it comes back behind the replacement.
		return strings.TrimSuffix(replacement, "/") + "/", nil
	case replacement == "/":
		return "", substitute("^"+regexp.QuoteMeta(match)+"/?", "/")
	}
	return replacement, nil
}

// substitute replaces what a pattern finds in the path; the query stays. A backslash in the text is a group in Envoy's eyes.
func substitute(pattern, text string) *matcherv3.RegexMatchAndSubstitute {
	return &matcherv3.RegexMatchAndSubstitute{
		Pattern:      &matcherv3.RegexMatcher{Regex: pattern},
		Substitution: strings.ReplaceAll(text, `\`, `\\`),
	}
}

// absolute puts the slash in front without which a path is no path.
func absolute(path string) string {
	if strings.HasPrefix(path, "/") {
		return path
	}
	return "/" + path
}
