package schema

import (
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// pathCharacters is what a path value may consist of (CEL rule of HTTPPathMatch).
var pathCharacters = regexp.MustCompile(`^(?:[-A-Za-z0-9/._~!$&'()*+,;=:@]|[%][0-9a-fA-F]{2})+$`)

// checkPath applies the CEL rules of HTTPPathMatch; the messages are theirs.
func checkPath(c *checker, at *field.Path, path *gatewayv1.HTTPPathMatch) {
	if !oneOf(c, at.Child("type"), *path.Type, gatewayv1.PathMatchExact, gatewayv1.PathMatchPathPrefix, gatewayv1.PathMatchRegularExpression) {
		return
	}
	at, value := at.Child("value"), *path.Value
	c.length(at, value, 0, 1024)
	if *path.Type == gatewayv1.PathMatchRegularExpression {
		c.regex(at, value)
		return
	}
	const types = " when type one of ['Exact', 'PathPrefix']"
	refuse := func(hint, message string) {
		c.refuse(diagnostic.BadPath, at, hint, "invalid value %q: %s", diagnostic.Clip(value), message)
	}
	switch {
	case !strings.HasPrefix(value, "/"):
		refuse("write /"+diagnostic.Clip(value), "value must be an absolute path and start with '/'"+types)
		return
	case strings.Contains(value, "?"):
		refuse("match the query with queryParams", "a path has no query")
		return
	}
	for _, part := range []string{"//", "/./", "/../", "%2f", "%2F", "#"} {
		if strings.Contains(value, part) {
			refuse("no request reaches a rule with such a path: requests are normalised first", "must not contain '"+part+"'"+types)
			return
		}
	}
	for _, end := range []string{"/..", "/."} {
		if strings.HasSuffix(value, end) {
			refuse("no request reaches a rule with such a path: requests are normalised first", "must not end with '"+end+"'"+types)
			return
		}
	}
	if !pathCharacters.MatchString(value) {
		refuse("write other characters as percent escapes of their UTF-8 bytes: %C3%A9 for é",
			"must only contain valid characters (matching "+pathCharacters.String()+")")
	}
}
