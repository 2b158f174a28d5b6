package typed

import (
	"net/netip"

	"k8s.io/apimachinery/pkg/util/validation/field"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// hostnames refuses IP addresses, as the documentation of Hostname does ("IPs are not allowed"); its pattern lets them pass.
func (c *checker) hostnames(at *field.Path, names []gatewayv1.Hostname) {
	for i, name := range names {
		c.noAddress(at.Index(i), string(name))
	}
}

func (c *checker) preciseHostname(at *field.Path, name *gatewayv1.PreciseHostname) {
	if name != nil {
		c.noAddress(at, string(*name))
	}
}

func (c *checker) noAddress(at *field.Path, name string) {
	if _, err := netip.ParseAddr(name); err == nil {
		c.refuse(diagnostic.BadHostname, at, "name a host by its DNS name; to take any host, leave hostnames out",
			"invalid value %q: an IP address is no hostname", name)
	}
}
