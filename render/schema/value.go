package schema

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// The patterns of the CRDs, under the names that the field documentation has for them.
var (
	dnsLabel      = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
	dnsSubdomain  = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)
	kindName      = regexp.MustCompile(`^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$`)
	headerName    = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+\\-.^_`|~]+$")
	durationValue = regexp.MustCompile(`^([0-9]{1,5}(h|m|s|ms)){1,4}$`)
)

// label checks the name of a namespace or a Service: a DNS label (RFC 1123).
func (c *checker) label(at *field.Path, value string) {
	c.name(at, value, dnsLabel, 63, "lower case letters, digits and '-', beginning and ending with a letter or digit")
}

// subdomain checks the name of an object or a section: a DNS subdomain (RFC 1123).
func (c *checker) subdomain(at *field.Path, value string) {
	c.name(at, value, dnsSubdomain, 253, "lower case letters, digits, '-' and '.', each part beginning and ending with a letter or digit")
}

// kindOf checks the name of a kind.
func (c *checker) kindOf(at *field.Path, value string) {
	c.name(at, value, kindName, 63, "letters, digits and '-', beginning with a letter")
}

// group checks the name of an API group; the core group is "".
func (c *checker) group(at *field.Path, value string) {
	if value == "" {
		return
	}
	hint := ""
	if strings.Contains(value, "/") {
		hint = "the group is the part of apiVersion before the slash"
	}
	if len(value) > 253 || !dnsSubdomain.MatchString(value) {
		c.refuse(diagnostic.BadName, at, hint, "invalid value %q: must be a group, such as gateway.networking.k8s.io", diagnostic.Clip(value))
	}
}

// headerName checks the name of a header or a query parameter. (The CRD has one pattern for both.)
func (c *checker) headerName(at *field.Path, value string) {
	c.name(at, value, headerName, 256, "letters, digits and !#$%&'*+-.^_`|~")
}

// objectName checks a reference by name, which the CRDs bound in length only.
func (c *checker) objectName(at *field.Path, value string) {
	switch {
	case value == "":
		c.missing(at)
	case len(value) > 253:
		c.refuse(diagnostic.BadName, at, "", "may not be longer than 253")
	}
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

// within checks a number against its bounds.
func (c *checker) within(at *field.Path, value, least, most int64) {
	if value < least || value > most {
		c.refuse(diagnostic.BadValue, at, "", "invalid value %d: should be between %d and %d", value, least, most)
	}
}

// oneOf checks a value against its enum.
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

// atMost warns of a list that is longer than the API server takes.
func (c *checker) atMost(at *field.Path, items, most int) {
	if items > most {
		c.warn(diagnostic.TooManyItems, at, "a cluster refuses this object: spread the items over several objects",
			"too many: %d: must have at most %d items", items, most)
	}
}

// length checks the length of a text in characters.
func (c *checker) length(at *field.Path, value string, least, most int) {
	switch n := utf8.RuneCountInString(value); {
	case n == 0 && least > 0:
		c.missing(at)
	case n > most:
		c.refuse(diagnostic.BadValue, at, "", "too long: may not be longer than %d", most)
	}
}

// duration checks a duration and gives it (GEP-2257: up to four numbers of at most five digits, each with its unit).
func (c *checker) duration(at *field.Path, value string) (time.Duration, bool) {
	if !durationValue.MatchString(value) {
		c.refuse(diagnostic.BadValue, at, "write it like 500ms, 10s or 1h30m: whole numbers with h, m, s or ms",
			"invalid value %q: should match '%s'", diagnostic.Clip(value), durationValue)
		return 0, false
	}
	parsed, err := time.ParseDuration(value)
	if err != nil {
		c.refuse(diagnostic.BadValue, at, "", "invalid value %q: not a duration", diagnostic.Clip(value))
		return 0, false
	}
	return parsed, true
}

// headerValue refuses characters that no header can carry: Envoy refuses the whole table for one.
func (c *checker) headerValue(at *field.Path, value string) {
	c.length(at, value, 1, 4096)
	if strings.ContainsFunc(value, func(r rune) bool { return r < 0x20 && r != '\t' || r == 0x7f }) {
		c.refuse(diagnostic.BadValue, at, "remove line breaks and control characters", "invalid value %q: a header cannot carry it", diagnostic.Clip(value))
	}
}
