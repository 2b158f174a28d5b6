package schema

import (
	"net/netip"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// hostname checks a host name that may begin with a wildcard label (Hostname of the API: "IPs are not allowed").
func (c *checker) hostname(at *field.Path, value string) {
	c.preciseHostname(at, strings.TrimPrefix(value, "*."), value)
}

// preciseHostname checks a host name: name without its wildcard, value as written.
func (c *checker) preciseHostname(at *field.Path, name, value string) {
	bare, port, hasPort := strings.Cut(name, ":")
	switch {
	case value == "":
		c.missing(at)
	case len(value) > 253:
		c.refuse(diagnostic.BadHostname, at, "", "too long: may not be longer than 253")
	case isAddress(name):
		c.refuse(diagnostic.BadHostname, at, "name a host by its DNS name; to take any host, leave hostnames out",
			"invalid value %q: an IP address is no hostname", value)
	case hasPort && !strings.HasPrefix(port, "//") && (dnsSubdomain.MatchString(bare) || isAddress(bare)):
		c.refuse(diagnostic.BadHostname, at, "write "+strings.TrimSuffix(value, name)+bare+"; the port belongs to the listener or parentRef",
			"invalid value %q: a hostname has no port", diagnostic.Clip(value))
	case !dnsSubdomain.MatchString(name):
		c.refuse(diagnostic.BadHostname, at, hostnameHint(name), "invalid value %q: not a DNS name", diagnostic.Clip(value))
	}
}

// isAddress tells whether a text is an IP address, in brackets or not, with a port or not.
func isAddress(name string) bool {
	if _, err := netip.ParseAddrPort(name); err == nil {
		return true
	}
	_, err := netip.ParseAddr(strings.Trim(name, "[]"))
	return err == nil
}

// hostnameHint says what to do about a name that is not a DNS name.
func hostnameHint(name string) string {
	switch {
	case strings.Contains(name, "://"):
		return "leave the scheme and the path out"
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
