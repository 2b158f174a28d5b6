package table

import (
	"regexp"
	"strconv"
	"strings"

	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	matcherv3 "github.com/envoyproxy/go-control-plane/envoy/type/matcher/v3"
)

// Templates say what becomes of a path, a host, a URL: "{path}", "{host}", "{path after /old}" stand for parts of the request,
// "{{" for a brace. Two rules that rewrite the same request to the same text have the same template in the usual cases: it
// names the part that is kept, not the matcher that found it.

func literal(text string) string { return strings.ReplaceAll(text, "{", "{{") }

// prefixTemplate is prefix_rewrite behind a path matcher. A regular expression matches the whole path, so all of it goes.
func prefixTemplate(path Path, replacement string) string {
	if path.Kind == PathRegex {
		return literal(replacement)
	}
	// "/old/" to "/new/" is "/old" to "/new" with the slash kept.
	prefix := path.Value
	if strings.HasSuffix(prefix, "/") && strings.HasSuffix(replacement, "/") {
		prefix, replacement = prefix[:len(prefix)-1], replacement[:len(replacement)-1]
	}
	if prefix == "" {
		return literal(replacement) + "{path}"
	}
	return literal(replacement) + "{path after " + literal(prefix) + "}"
}

// regexTemplate is regex_rewrite: every part of the path that the pattern finds is replaced. The two patterns that our own
// renderings write (the whole path; a prefix with the slash behind it) get the words of the manifest.
func regexTemplate(rewrite *matcherv3.RegexMatchAndSubstitute) string {
	pattern, substitution := rewrite.GetPattern().GetRegex(), rewrite.GetSubstitution()
	if text, ok := plainSubstitution(substitution); ok {
		if pattern == "^.*$" || pattern == "^/.*$" {
			return literal(text)
		}
		if quoted, found := strings.CutSuffix(strings.TrimPrefix(pattern, "^"), "/?"); found && text == "/" {
			if prefix, ok := unquotePattern(quoted); ok && pattern[0] == '^' {
				return "/{path after " + literal(prefix) + "/}"
			}
		}
	}
	return "s" + strconv.Quote(pattern) + strconv.Quote(substitution)
}

// plainSubstitution is the text of a substitution that names no group; a backslash in it is doubled.
func plainSubstitution(substitution string) (string, bool) {
	text := strings.ReplaceAll(substitution, `\\`, "\x00")
	if strings.Contains(text, `\`) {
		return "", false
	}
	return strings.ReplaceAll(text, "\x00", `\`), true
}

// unquotePattern undoes regexp.QuoteMeta.
func unquotePattern(pattern string) (string, bool) {
	var text strings.Builder
	for i := 0; i < len(pattern); i++ {
		if pattern[i] == '\\' && i+1 < len(pattern) {
			i++
		}
		text.WriteByte(pattern[i])
	}
	return text.String(), regexp.QuoteMeta(text.String()) == pattern
}

// redirectOutcome is a RedirectAction. The query is kept unless the template says otherwise.
func redirectOutcome(r *routev3.RedirectAction, path Path) Outcome {
	return Outcome{Kind: Redirected, Status: redirectStatus(r.GetResponseCode()), Location: locationTemplate(r, path)}
}

func redirectStatus(code routev3.RedirectAction_RedirectResponseCode) uint32 {
	switch code {
	case routev3.RedirectAction_FOUND:
		return 302
	case routev3.RedirectAction_SEE_OTHER:
		return 303
	case routev3.RedirectAction_TEMPORARY_REDIRECT:
		return 307
	case routev3.RedirectAction_PERMANENT_REDIRECT:
		return 308
	}
	return 301
}

func locationTemplate(r *routev3.RedirectAction, path Path) string {
	scheme := literal(r.GetSchemeRedirect())
	if r.GetHttpsRedirect() {
		scheme = "https"
	}
	host := literal(r.GetHostRedirect())
	location := ""
	if scheme != "" || host != "" || r.GetPortRedirect() != 0 {
		if scheme == "" {
			scheme = keptScheme
		}
		location = scheme + "://" + authorityTemplate(host, r.GetPortRedirect())
	}
	location += redirectedPath(r, path)
	if r.GetStripQuery() {
		location += "{no query}"
	}
	return location
}

// wholeHost is the host with its port, whichever that is. "{host}" is without it where it is the usual port of the scheme that a
// redirect leaves: https_redirect makes "http://a:80" to "https://a", require_tls to "https://a:80".
const wholeHost = "{host with port}"

// authorityTemplate: a host as sent keeps its port, a replaced host drops it, port_redirect is always written.
func authorityTemplate(host string, port uint32) string {
	switch {
	case port == 0 && host == "":
		return "{host}"
	case port == 0:
		return host
	case host == "":
		host = "{hostname}"
	}
	return host + ":" + strconv.FormatUint(uint64(port), 10)
}

func redirectedPath(r *routev3.RedirectAction, path Path) string {
	switch p := r.GetPathRewriteSpecifier().(type) {
	case *routev3.RedirectAction_PathRedirect:
		if p.PathRedirect != "" {
			return literal(p.PathRedirect)
		}
	case *routev3.RedirectAction_PrefixRewrite:
		if p.PrefixRewrite != "" {
			return prefixTemplate(path, p.PrefixRewrite)
		}
	case *routev3.RedirectAction_RegexRewrite:
		return regexTemplate(p.RegexRewrite)
	}
	return "{path}"
}
