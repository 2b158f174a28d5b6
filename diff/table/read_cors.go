package table

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	corsv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/cors/v3"
	matcherv3 "github.com/envoyproxy/go-control-plane/envoy/type/matcher/v3"
	"google.golang.org/protobuf/proto"
)

// answersPreflights tells whether a route takes CORS preflights alone and its CORS filter answers each of them: its backends get none.
// (The preflights among the requests of a route that takes others too are answered as well: what is said of such a route holds for the
// rest.)
func (r *routeReader) answersPreflights(host inheritance, route *routev3.Route) bool {
	if !takesPreflightsAlone(route.GetMatch()) || slices.ContainsFunc(route.GetRoute().GetWeightedClusters().GetClusters(), overridesFilters) {
		return false
	}
	policy := &corsv3.CorsPolicy{}
	for _, name := range r.filters {
		for _, level := range []interface{ GetTypedPerFilterConfig() filterConfigs }{route, host, r.config} {
			config := level.GetTypedPerFilterConfig()[name]
			if config == nil {
				continue
			}
			if config.UnmarshalTo(policy) == nil {
				return answersEach(policy)
			}
			break // of another kind
		}
	}
	return false
}

func overridesFilters(c *routev3.WeightedCluster_ClusterWeight) bool {
	return len(c.GetTypedPerFilterConfig()) > 0
}

// answersEach: an origin that is not allowed is answered too, unless its preflights are forwarded.
func answersEach(policy *corsv3.CorsPolicy) bool {
	if policy.GetFilterEnabled() != nil || policy.GetShadowEnabled() != nil {
		return false
	}
	forwards := policy.GetForwardNotMatchingPreflights() == nil || policy.GetForwardNotMatchingPreflights().GetValue()
	return !forwards || slices.ContainsFunc(policy.GetAllowOriginStringMatch(), func(m *matcherv3.StringMatcher) bool { return m.GetExact() == "*" })
}

// takesPreflightsAlone: a preflight is an OPTIONS request with an origin that asks for a method (Fetch, "CORS-preflight request").
func takesPreflightsAlone(match *routev3.RouteMatch) bool {
	asks := map[string]bool{}
	for _, header := range match.GetHeaders() {
		text := header.GetStringMatch()
		switch {
		case header.GetInvertMatch() || header.GetTreatMissingHeaderAsEmpty():
		case header.GetName() == ":method":
			asks[":method"] = asks[":method"] || text.GetExact() == "OPTIONS" && !text.GetIgnoreCase()
		default:
			asks[lowerASCII(header.GetName())] = asks[lowerASCII(header.GetName())] || text.GetExact() != "" || text.GetSafeRegex().GetRegex() == ".+"
		}
	}
	return asks[":method"] && asks["origin"] && asks["access-control-request-method"]
}

// corsText is a CORS policy in a reader's words, "" where it says more than they do.
func corsText(policy *corsv3.CorsPolicy) string {
	rest := proto.CloneOf(policy)
	words := []string{"for nobody"}
	if len(policy.GetAllowOriginStringMatch()) > 0 {
		var origins []string
		for _, origin := range policy.GetAllowOriginStringMatch() {
			text, plain := originText(origin)
			if !plain {
				return ""
			}
			origins = append(origins, text)
		}
		slices.Sort(origins) // one of them is enough
		words[0] = "for " + strings.Join(origins, " ")
	}
	for _, part := range []struct{ name, value string }{
		{"methods", listText(policy.GetAllowMethods())}, {"headers", listText(policy.GetAllowHeaders())},
		{"exposing", listText(policy.GetExposeHeaders())}, {"kept seconds", policy.GetMaxAge()},
	} {
		if part.value != "" {
			words = append(words, part.name+" "+part.value)
		}
	}
	if policy.GetAllowCredentials().GetValue() {
		words = append(words, "with credentials")
	}
	if policy.GetForwardNotMatchingPreflights() == nil || policy.GetForwardNotMatchingPreflights().GetValue() {
		words = append(words, "other preflights forwarded")
	}
	rest.AllowOriginStringMatch, rest.AllowMethods, rest.AllowHeaders, rest.ExposeHeaders, rest.MaxAge = nil, "", "", "", ""
	rest.AllowCredentials, rest.ForwardNotMatchingPreflights = nil, nil
	if proto.Size(rest) > 0 {
		return ""
	}
	return strings.Join(words, "; ")
}

func originText(m *matcherv3.StringMatcher) (text string, plain bool) {
	switch {
	case m.GetIgnoreCase():
		return "", false
	case m.GetExact() == "*":
		return "*", true
	case m.GetExact() != "":
		return plainOrigin(m.GetExact()), true
	case m.GetSafeRegex() != nil:
		return patternOrigin(m.GetSafeRegex().GetRegex()), true
	}
	return "", false
}

// plainOrigin is an origin as it is; one that holds a "*" is quoted, since it stands for nothing there.
func plainOrigin(origin string) string {
	if strings.Contains(origin, "*") {
		return strconv.QuoteToASCII(origin)
	}
	return plainWord(origin)
}

// wildcardLabels is what stands in an expression for the "*" of an origin.
const wildcardLabels = "[^/:]+"

// patternOrigin writes the expression of an origin with a "*" as that origin, and any other one as it is.
func patternOrigin(pattern string) string {
	origin := strings.ReplaceAll(strings.ReplaceAll(pattern, wildcardLabels, "*"), `\.`, ".")
	if strings.ReplaceAll(regexp.QuoteMeta(origin), `\*`, wildcardLabels) == pattern && plainWord(origin) == origin {
		return origin
	}
	return "~" + strconv.QuoteToASCII(pattern)
}

// listText is the list in a header's value. Its order says nothing to a browser.
func listText(value string) string {
	items := strings.Split(value, ",")
	for i := range items {
		items[i] = strings.TrimSpace(items[i])
	}
	slices.Sort(items)
	return strings.Join(slices.Compact(items), ", ")
}
