package report

import (
	"iter"
	"strings"

	"github.com/routedelta/routedelta/diff/class"
)

// GRPCPhrase says which methods a term of paths holds, as a GRPCRoute writes them: a path is /service/method.
func GRPCPhrase(t class.Term) Phrase {
	service, method, whole := "", "", false
	switch value, rooted := strings.CutPrefix(t.Value, "/"); {
	case !rooted:
	case t.Kind == class.TermExact:
		service, method, whole = strings.Cut(value, "/")
		whole = whole && !strings.Contains(method, "/")
	case t.Kind == class.TermRegex:
		service, method, whole = cutPattern(value)
	case t.Kind == class.TermSegments, t.Kind == class.TermPrefix && strings.HasSuffix(value, "/"):
		service = strings.TrimSuffix(value, "/")
		whole = service != "" && !strings.Contains(service, "/")
	}
	switch {
	case !whole:
		return PathPhrase(t)
	case method == "":
		return Phrase{Word: "service", Literal: service}
	case service == "":
		return Phrase{Word: "method", Literal: method, After: "of any service"}
	}
	return Phrase{Word: "gRPC", Literal: service + "/" + method}
}

// anyName is what stands for any service, or any method, in the expression of a path.
const anyName = "[^/]+"

// cutPattern reads the expression that is made of the names of a service and a method: each is a name, an expression of its own in a
// group, or any name.
func cutPattern(pattern string) (service, method string, whole bool) {
	service, method, whole = cutAtSlash(pattern)
	if !whole {
		return "", "", false
	}
	service, plain := patternName(service)
	method, alsoPlain := patternName(method)
	return service, method, plain && alsoPlain && service+method != ""
}

// cutAtSlash cuts at the slash that is in no group and in no set of characters.
func cutAtSlash(pattern string) (before, after string, found bool) {
	for i, depth := range outside(pattern) {
		if pattern[i] == '/' && depth == 0 {
			return pattern[:i], pattern[i+1:], true
		}
	}
	return "", "", false
}

// isGroup tells whether an expression closes no group that it has not opened.
func isGroup(inner string) bool {
	for i, depth := range outside(inner) {
		if depth == 0 && inner[i] == ')' {
			return false
		}
	}
	return true
}

// outside yields each byte of an expression that is no literal and in no set of characters, with the number of groups around it.
func outside(pattern string) iter.Seq2[int, int] {
	return func(yield func(at, depth int) bool) {
		depth, set := 0, false
		for i := 0; i < len(pattern); i++ {
			c := pattern[i]
			switch {
			case c == '\\':
				i++
				continue
			case set:
				set = c != ']'
				continue
			case c == '[':
				set = true
			}
			if !yield(i, depth) {
				return
			}
			switch c {
			case '(':
				depth++
			case ')':
				depth--
			}
		}
	}
}

// patternName is a name of the manifest, "~" before an expression, "" for any name; false for what is none of these.
func patternName(pattern string) (string, bool) {
	if pattern == anyName {
		return "", true
	}
	inner, grouped := strings.CutPrefix(pattern, "(?:")
	if inner, closed := strings.CutSuffix(inner, ")"); grouped && closed && isGroup(inner) {
		return "~" + inner, true
	}
	return strings.ReplaceAll(pattern, `\.`, "."), !strings.ContainsAny(strings.ReplaceAll(pattern, `\.`, ""), `\[](){}|*+?^$`)
}

// GRPCRoute is the kind of the routes for gRPC.
const GRPCRoute = "GRPCRoute"

// IsGRPC tells whether a class is of GRPCRoutes alone: then its paths are methods of gRPC.
func (c *Class) IsGRPC() bool {
	for _, cause := range c.Causes {
		if cause.Kind != GRPCRoute {
			return false
		}
	}
	return len(c.Causes) > 0
}
