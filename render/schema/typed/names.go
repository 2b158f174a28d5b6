package typed

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/routedelta/routedelta/render/diagnostic"
)

var (
	dnsLabel     = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
	dnsSubdomain = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)
)

// label checks the name of a namespace or a Service: a DNS label (RFC 1123).
func (c *checker) label(at *field.Path, value string) {
	c.name(at, value, dnsLabel, 63, "lower case letters, digits and '-', beginning and ending with a letter or digit")
}

// subdomain checks the name of an object: a DNS subdomain (RFC 1123).
func (c *checker) subdomain(at *field.Path, value string) {
	c.name(at, value, dnsSubdomain, 253, "lower case letters, digits, '-' and '.', each part beginning and ending with a letter or digit")
}

func (c *checker) name(at *field.Path, value string, pattern *regexp.Regexp, longest int, of string) {
	switch {
	case value == "":
		c.missing(at)
	case len(value) > longest:
		c.refuse(diagnostic.BadName, at, "", "may not be longer than %d", longest)
	case !pattern.MatchString(value):
		hint := "a name has only " + of
		if strings.Contains(value, "{{") {
			hint = "this looks like a template: render it first and give the result"
		}
		c.refuse(diagnostic.BadName, at, hint, "invalid value %q: should match '%s'", diagnostic.Clip(value), pattern)
	}
}

// missing reports a required field that has no value.
func (c *checker) missing(at *field.Path) {
	c.refuse(diagnostic.MissingValue, at, "", "required value")
}

// port checks a port number.
func (c *checker) port(at *field.Path, value int32) {
	if value < 1 || value > 65535 {
		c.refuse(diagnostic.BadValue, at, "", "invalid value %d: should be between 1 and 65535", value)
	}
}

// oneOf checks a value against the values that there are.
func oneOf[T ~string](c *checker, at *field.Path, value T, supported ...T) bool {
	if slices.Contains(supported, value) {
		return true
	}
	quoted := make([]string, len(supported))
	hint := ""
	for i, s := range supported {
		quoted[i] = fmt.Sprintf("%q", string(s))
		if strings.EqualFold(string(s), string(value)) {
			hint = fmt.Sprintf("upper and lower case matter: write %s", s)
		}
	}
	c.refuse(diagnostic.BadValue, at, hint, "unsupported value: %q: supported values: %s", diagnostic.Clip(string(value)), strings.Join(quoted, ", "))
	return false
}
