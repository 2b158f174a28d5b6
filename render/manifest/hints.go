package manifest

import (
	"net/netip"
	"strings"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// valueHint says what to do about a value that the API server refuses, where more can be said than it says itself.
func valueHint(code diagnostic.Code, field, value, message string) string {
	if strings.Contains(value, "{{") {
		return "this looks like a template: render it first and give the result"
	}
	switch code {
	case diagnostic.BadHostname:
		return hostnameHint(value)
	case diagnostic.BadPath:
		return pathHint(message)
	case diagnostic.BadName:
		if field == "group" && strings.Contains(value, "/") {
			return "the group is the part of apiVersion before the slash"
		}
	case diagnostic.BadValue:
		return badValueHint(value, message)
	}
	return ""
}

// hostnameHint says what to do about a name that is not a DNS name.
func hostnameHint(name string) string {
	bare, port, hasPort := strings.Cut(strings.TrimPrefix(name, "*."), ":")
	_, notAnAddress := netip.ParseAddr(strings.Trim(name, "[]"))
	switch {
	case notAnAddress == nil:
		return "name a host by its DNS name; to take any host, leave hostnames out"
	case strings.Contains(name, "://"):
		return "leave the scheme and the path out"
	case hasPort && port != "" && strings.Trim(port, "0123456789") == "":
		return "write " + name[:len(name)-len(port)-1-len(bare)] + bare + "; the port belongs to the listener or parentRef"
	case strings.Contains(name, "/"):
		return "leave the path out: it belongs to matches"
	case name != strings.ToLower(name):
		return "write it in lower case"
	case strings.Contains(name, "*"):
		return "a wildcard is one whole label at the front: *.example.com"
	case strings.HasSuffix(name, "."):
		return "leave the dot at the end out"
	case strings.Contains(name, "_"):
		return "'_' is not allowed in host names"
	}
	return "a host name has lower case letters, digits and '-', in parts with '.' between them"
}

// pathHint says what to do about a path.
func pathHint(message string) string {
	switch {
	case strings.Contains(message, "must be an absolute path"):
		return "begin it with /"
	case strings.Contains(message, "must not contain"), strings.Contains(message, "must not end with"):
		return "no request reaches a rule with such a path: requests are normalised first"
	case strings.Contains(message, "valid characters"):
		return "write other characters as percent escapes of their UTF-8 bytes, %C3%A9 for é; a query is matched with queryParams"
	case strings.Contains(message, "exactly one PathPrefix match"):
		return "split the rule: one PathPrefix match each"
	}
	return ""
}

// badValueHint says what to do about a value outside of its set or range.
func badValueHint(value, message string) string {
	if _, supported, found := strings.Cut(message, "supported values: "); found {
		for one := range strings.SplitSeq(supported, ", ") {
			if one = strings.Trim(one, `"`); one != value && strings.EqualFold(one, value) {
				return "upper and lower case matter: write " + one
			}
		}
	}
	if strings.Contains(message, "(h|m|s|ms)") {
		return durationHint
	}
	return ""
}

const durationHint = "write it like 500ms, 10s or 1h30m: whole numbers with h, m, s or ms"
