package xds

import (
	"regexp"
	"strconv"
	"strings"

	corsv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/cors/v3"
	matcherv3 "github.com/envoyproxy/go-control-plane/envoy/type/matcher/v3"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/routedelta/routedelta/render/model"
)

// corsPolicy is the CORS filter of a route. Envoy names the origin that asks, never "*", and does the same for "*" among methods and
// headers. A preflight of an origin that is not allowed is answered without the header that would allow it, and not sent to the backend:
// it might answer the question differently.
func corsPolicy(c *model.CORS) *corsv3.CorsPolicy {
	policy := &corsv3.CorsPolicy{
		AllowMethods:                 strings.Join(c.Methods, ", "),
		AllowHeaders:                 strings.Join(c.RequestHeaders, ", "),
		ExposeHeaders:                strings.Join(c.ExposeHeaders, ", "),
		MaxAge:                       strconv.Itoa(int(c.MaxAge)),
		AllowCredentials:             wrapperspb.Bool(c.Credentials),
		ForwardNotMatchingPreflights: wrapperspb.Bool(false),
	}
	for _, origin := range c.Origins {
		policy.AllowOriginStringMatch = append(policy.AllowOriginStringMatch, originMatcher(origin))
	}
	return policy
}

// originMatcher matches an origin. "*" alone is every one, to Envoy too. Within a host it is "a greedy match to the left, including any
// number of DNS labels" (HTTPCORSFilter.allowOrigins), and never a port.
func originMatcher(origin string) *matcherv3.StringMatcher {
	if origin == "*" || !strings.Contains(origin, "*") {
		return stringMatcher(model.ValueMatch{Value: origin})
	}
	return stringMatcher(model.ValueMatch{Regex: true, Value: strings.ReplaceAll(regexp.QuoteMeta(origin), `\*`, "[^/:]+")})
}
