package table

import (
	"net/http"
	"strings"

	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// upgrade is an entry of upgrade_configs, of a connection manager or of a route.
type upgrade interface {
	GetUpgradeType() string
	GetEnabled() *wrapperspb.BoolValue
}

// letsThrough tells whether an entry is about CONNECT and allows it. Envoy compares the type without regard to case.
func letsThrough[U upgrade](u U) bool {
	return strings.EqualFold(u.GetUpgradeType(), connectMethod) && (u.GetEnabled() == nil || u.GetEnabled().GetValue())
}

// tunnelsBy tells whether CONNECT is let through to what a route for it does. What a route that forwards says wins over the connection
// manager (envoy source/extensions/filters/network/http_connection_manager/config.cc, createUpgradeFilterChain).
func (r *routeReader) tunnelsBy(route *routev3.Route) bool {
	for _, u := range route.GetRoute().GetUpgradeConfigs() {
		if strings.EqualFold(u.GetUpgradeType(), connectMethod) {
			return letsThrough(u)
		}
	}
	return r.tunnels
}

// refuseTunnel makes 403 of what a rule for CONNECT does. Envoy has chosen the route by then, without any of its filters, so nothing is
// known where one of these may have the route chosen anew.
func (r *routeReader) refuseTunnel(rule *Rule) {
	rule.Outcome = Outcome{Kind: Answered, Status: http.StatusForbidden}
	if r.metadata {
		rule.unmodelled("connect_matcher beside filters that choose routes")
	}
}
