package attach

import (
	"fmt"
	"net/netip"
	"slices"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// gatewayAddresses are what becomes of Gateway.spec.addresses.
type gatewayAddresses struct {
	granted []gatewayv1.GatewayStatusAddress
	// problem is the first address that cannot be granted, or nil.
	problem *unresolved
}

// readAddresses grants addresses. Which ones lead to the Envoy of a Gateway is known to whoever runs it (Options.Addresses); where
// nothing is said, what a Gateway asks for is granted as it stands, and one that asks for no certain address has none.
func (r *resolver) readAddresses(g *gateway) {
	usable, told := r.options.Addresses[g.Name]
	if len(g.spec.Addresses) == 0 && len(usable) > 0 {
		g.addresses.grant(typeOf(usable[0]), usable[0])
	}
	for i, asked := range g.spec.Addresses {
		field := fmt.Sprintf("spec.addresses[%d]", i)
		kind := gatewayv1.IPAddressType
		if asked.Type != nil {
			kind = *asked.Type
		}
		if kind != gatewayv1.IPAddressType && kind != gatewayv1.HostnameAddressType {
			r.refuseAddressType(g, kind, field)
			continue
		}
		value := asked.Value
		if value == "" {
			value = firstOf(usable, kind)
		}
		switch {
		case value == "" && (told || !r.assume()):
			r.refuseAddress(g, field, gatewayv1.GatewayReasonAddressNotAssigned, fmt.Sprintf("there is no address of type %s to assign", kind))
		case value == "":
		case told && !slices.Contains(usable, value):
			r.refuseAddress(g, field, gatewayv1.GatewayReasonAddressNotUsable, fmt.Sprintf("address %s is none that leads to this Gateway", value))
		case kind != typeOf(value):
			r.refuseAddress(g, field, gatewayv1.GatewayReasonAddressNotUsable, fmt.Sprintf("%s is no address of type %s", value, kind))
		default:
			g.addresses.grant(kind, value)
		}
	}
}

func (a *gatewayAddresses) grant(kind gatewayv1.AddressType, value string) {
	a.granted = append(a.granted, gatewayv1.GatewayStatusAddress{Type: &kind, Value: value})
}

func (r *resolver) refuseAddress(g *gateway, field string, reason gatewayv1.GatewayConditionReason, message string) {
	r.warn(g.source, field, diagnostic.AddressRefused, message, "ask for an address that leads to the Envoy of this Gateway")
	if g.addresses.problem == nil {
		g.addresses.problem = &unresolved{string(reason), message}
	}
}

// refuseAddressType: other types are another implementation's. A controller does not accept a Gateway with a type that it does not
// know; under assume it is whoever knows the type that serves the Gateway.
func (r *resolver) refuseAddressType(g *gateway, kind gatewayv1.AddressType, field string) {
	message := fmt.Sprintf("addresses of type %s are not known", kind)
	if r.assume() {
		r.remark(g.source, field, diagnostic.AddressRefused, message+": the address is left out")
		return
	}
	r.warn(g.source, field, diagnostic.AddressRefused, message+": the Gateway is not served", "")
	if g.refused == nil {
		g.refused = &unresolved{string(gatewayv1.GatewayReasonUnsupportedAddress), message}
	}
}

func typeOf(value string) gatewayv1.AddressType {
	if _, err := netip.ParseAddr(value); err != nil {
		return gatewayv1.HostnameAddressType
	}
	return gatewayv1.IPAddressType
}

func firstOf(usable []string, kind gatewayv1.AddressType) string {
	for _, value := range usable {
		if typeOf(value) == kind {
			return value
		}
	}
	return ""
}
