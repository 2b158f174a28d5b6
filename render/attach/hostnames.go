package attach

import "strings"

// anyHostname is the hostname of a listener or a route that names none.
const anyHostname = "*"

// covers tells whether every name that narrow stands for is one that wide stands for. "*.example.com" is a suffix match: it
// covers "foo.example.com" and "foo.bar.example.com", but not "example.com" (HTTPRouteSpec.hostnames).
func covers(wide, narrow string) bool {
	if wide == anyHostname || wide == narrow {
		return true
	}
	suffix, wildcard := strings.CutPrefix(wide, "*")
	return wildcard && len(narrow) > len(suffix) && strings.HasSuffix(narrow, suffix)
}

// intersect is the hostname that a listener and a route share: the narrower of the two, if the wider one covers it.
func intersect(listener, route string) (string, bool) {
	switch {
	case covers(listener, route):
		return route, true
	case covers(route, listener):
		return listener, true
	}
	return "", false
}

// moreSpecific tells which of two hostnames that cover one name is chosen: "exact matches MUST be processed before wildcard
// matches", and of two wildcards the one with more labels, which is the longer one as both end the same name
// (GatewaySpec.listeners).
func moreSpecific(a, b string) bool {
	wildA, wildB := strings.HasPrefix(a, "*"), strings.HasPrefix(b, "*")
	if wildA != wildB {
		return wildB
	}
	return len(a) > len(b)
}
