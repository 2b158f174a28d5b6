package files

import (
	"regexp"
	"strings"

	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	hcmv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// checkMatches finds matches that Envoy loads and that no request meets.
func (c *checker) checkMatches(path string, table *routev3.RouteConfiguration, managers []manager) {
	normalised := len(managers) > 0
	for _, m := range managers {
		normalised = normalised && m.GetNormalizePath().GetValue()
	}
	for i, host := range table.GetVirtualHosts() {
		for j, route := range host.GetRoutes() {
			field := at(path, indexed("virtual_hosts", i)+"."+indexed("routes", j)+".match")
			c.checkPath(field, route.GetMatch(), normalised, escapedSlashesGo(managers))
			c.checkQuery(field, route.GetMatch())
		}
	}
}

// escapedSlashesGo tells whether every manager removes "%2F" and "%5C" from paths before they are compared.
func escapedSlashesGo(managers []manager) bool {
	for _, m := range managers {
		switch m.GetPathWithEscapedSlashesAction() {
		case hcmv3.HttpConnectionManager_KEEP_UNCHANGED, hcmv3.HttpConnectionManager_IMPLEMENTATION_SPECIFIC_DEFAULT:
			return false
		}
	}
	return len(managers) > 0
}

var (
	unreserved    = regexp.MustCompile(`%(?i:2[de]|3[0-9]|[46][1-9a-f]|[57][0-9a]|5f|7e)`)
	escapedSlash  = regexp.MustCompile(`%(?i:2f|5c)`)
	dotSegment    = regexp.MustCompile(`/\.\.?(/|$)`)
	alwaysEscaped = "\"<>^`{|}\\"
)

// checkPath: a path never holds a query, and behind normalize_path no dot segment and no escape of a letter.
func (c *checker) checkPath(field string, match *routev3.RouteMatch, normalised, slashesGone bool) {
	specifier, value := "path", match.GetPath()
	switch match.GetPathSpecifier().(type) {
	case *routev3.RouteMatch_Path:
	case *routev3.RouteMatch_Prefix:
		specifier, value = "prefix", match.GetPrefix()
		if value == "" {
			return
		}
	case *routev3.RouteMatch_PathSeparatedPrefix:
		specifier, value = "path_separated_prefix", match.GetPathSeparatedPrefix()
	default:
		return
	}
	if why := deadPath(value, normalised, slashesGone); why != "" {
		c.warnf(diagnostic.DeadMatch, at(field, specifier), "no request has the path %q: %s", value, why)
	}
}

// deadPath says why no path at the router equals or starts with a text, or "".
func deadPath(value string, normalised, slashesGone bool) string {
	switch {
	case !strings.HasPrefix(value, "/"):
		return "a path starts with a slash"
	case strings.ContainsAny(value, "?#"):
		return "the query is no part of it"
	case !normalised:
		return ""
	case dotSegment.MatchString(value):
		return "dot segments are resolved before (normalize_path)"
	case unreserved.MatchString(value):
		return "an escaped letter, digit or one of -._~ is decoded before (normalize_path)"
	case strings.ContainsAny(value, alwaysEscaped) || !ascii(value):
		return "such a byte is escaped before (normalize_path)"
	case slashesGone && escapedSlash.MatchString(value):
		return "an escaped slash never comes here (path_with_escaped_slashes_action)"
	}
	return ""
}

func ascii(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}

// checkQuery: Envoy decodes nothing in a query, and no client can send these bytes in one.
func (c *checker) checkQuery(field string, match *routev3.RouteMatch) {
	for i, parameter := range match.GetQueryParameters() {
		value := parameter.GetStringMatch().GetExact()
		if strings.ContainsAny(value, "&# \t\r\n") {
			c.warnf(diagnostic.DeadMatch, at(field, indexed("query_parameters", i)), "no request has the query value %q: write it as it is sent, with %%20 for a blank", value)
		}
	}
}
