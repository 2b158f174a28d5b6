package xds

import (
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"

	"github.com/routedelta/routedelta/render/model"
)

// routeConfiguration is one route table: what one RDS file holds.
func routeConfiguration(d *describer, l model.Listener, table model.RouteTable) *routev3.RouteConfiguration {
	configuration := &routev3.RouteConfiguration{
		Name: table.Name,
		// A hostname of Gateway API never has a port, and "shop.example:8080" is a request for shop.example.
		IgnorePortInHostMatching: true,
	}
	for _, host := range table.Hosts {
		configuration.VirtualHosts = append(configuration.VirtualHosts, virtualHost(d, l, host))
	}
	return configuration
}

func virtualHost(d *describer, l model.Listener, host model.Host) *routev3.VirtualHost {
	made := &routev3.VirtualHost{
		Name:     host.Hostname,
		Domains:  []string{host.Hostname},
		Metadata: d.host,
	}
	made.Routes = make([]*routev3.Route, 0, len(host.Rules))
	for _, rule := range host.Rules {
		made.Routes = append(made.Routes, route(d, l, host.Hostname, rule))
	}
	return made
}

// route is one rule. Its name is the manifest's own, so several matches of one rule, and unnamed rules of one route, share
// it: Envoy does not care, and a number in it would change with every rule that is inserted above.
func route(d *describer, l model.Listener, hostname string, rule model.Rule) *routev3.Route {
	made := &routev3.Route{
		Name:                    rule.Origin.Name.String(),
		Match:                   routeMatch(rule.Match),
		Metadata:                d.rule(rule),
		RequestHeadersToAdd:     headersToAdd(rule.Action.RequestHeaders),
		RequestHeadersToRemove:  rule.Action.RequestHeaders.Remove,
		ResponseHeadersToAdd:    headersToAdd(rule.Action.ResponseHeaders),
		ResponseHeadersToRemove: rule.Action.ResponseHeaders.Remove,
		TypedPerFilterConfig:    routeFilters(rule),
	}
	if rule.Origin.RuleName != "" {
		made.Name += "/" + rule.Origin.RuleName
	}
	switch {
	case rule.Action.Redirect != nil:
		made.Action = &routev3.Route_Redirect{Redirect: redirect(l, hostname, rule)}
	case rule.Action.Direct != nil:
		made.Action = &routev3.Route_DirectResponse{DirectResponse: &routev3.DirectResponseAction{Status: rule.Action.Direct.Status}}
	default:
		made.Action = &routev3.Route_Route{Route: forward(rule)}
	}
	return made
}
