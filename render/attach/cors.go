package attach

import (
	"slices"
	"strings"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/model"
)

// defaultMaxAge: "The default value of Access-Control-Max-Age response header is 5 (seconds)" (HTTPCORSFilter.maxAge).
const defaultMaxAge = 5

// cors reads a CORS filter.
func (r ruleReader) cors(spec *gatewayv1.HTTPCORSFilter, field string) *model.CORS {
	c := &model.CORS{
		Methods:        texts(spec.AllowMethods),
		RequestHeaders: texts(spec.AllowHeaders),
		ExposeHeaders:  texts(spec.ExposeHeaders),
		Credentials:    spec.AllowCredentials != nil && *spec.AllowCredentials,
		MaxAge:         spec.MaxAge,
	}
	if c.MaxAge == 0 {
		c.MaxAge = defaultMaxAge
	}
	for _, o := range spec.AllowOrigins {
		c.Origins = append(c.Origins, origin(string(o)))
	}
	if c.Credentials && slices.Contains(c.ExposeHeaders, "*") {
		// "the gateway cannot use the `*` in the Access-Control-Expose-Headers response header": to a browser it would be the name
		// of a header.
		c.ExposeHeaders = slices.DeleteFunc(c.ExposeHeaders, func(name string) bool { return name == "*" })
		r.warn(r.route.source, field+".exposeHeaders", diagnostic.Approximated,
			`"*" is left out of Access-Control-Expose-Headers: with credentials it would name a header and expose nothing`, "name the headers")
	}
	return c
}

// origin is an origin as browsers send it: in lower case, and without the port that is its scheme's own ("if not included, port 80 is
// assumed for http scheme origins, and port 443 is assumed for https").
func origin(text string) string {
	text = strings.ToLower(text)
	if rest, isHTTP := strings.CutPrefix(text, "http://"); isHTTP {
		return "http://" + strings.TrimSuffix(rest, ":80")
	}
	if rest, isHTTPS := strings.CutPrefix(text, "https://"); isHTTPS {
		return "https://" + strings.TrimSuffix(rest, ":443")
	}
	return text
}

func texts[T ~string](list []T) []string {
	var words []string
	for _, item := range list {
		words = append(words, string(item))
	}
	return words
}

// preflights are the rules that answer a browser's question whether it may send what the rules take: a request with the method
// OPTIONS, whatever method is asked for. A rule for another method would never see it.
//
// The other conditions stay. A preflight has the path and the query of the request, but none of the headers that a
// script adds, so a rule that asks for such a header answers no preflight.
func preflights(rules []model.Rule) []model.Rule {
	var added []model.Rule
	for _, rule := range rules {
		if rule.Match.Method == "" || rule.Match.Method == "OPTIONS" || !answersPreflights(rule.Action) {
			continue
		}
		asked := model.ValueMatch{Name: "access-control-request-method", Value: rule.Match.Method}
		rule.Match.Headers = appendFirst(appendFirst(slices.Clone(rule.Match.Headers), model.ValueMatch{Name: "origin", Regex: true, Value: ".+"}), asked)
		rule.Match.Method = "OPTIONS"
		rule.Origin.Preflight = true
		added = append(added, rule)
	}
	return added
}

func answersPreflights(a model.Action) bool {
	return a.CORS != nil || slices.ContainsFunc(a.Backends, func(b model.WeightedBackend) bool { return b.CORS != nil })
}
