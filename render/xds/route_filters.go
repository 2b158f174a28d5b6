package xds

import (
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/routedelta/routedelta/render/model"
)

// routeFilters is what a rule configures of the filters of the listener (httpFilters); nil where it uses none.
func routeFilters(rule model.Rule) map[string]*anypb.Any {
	filters := map[string]*anypb.Any{}
	if rule.Action.CORS != nil {
		filters[corsFilter] = packed(corsPolicy(rule.Action.CORS))
	}
	if rule.Action.ExternalAuth != nil {
		filters[compositeFilter] = packed(externalAuth(rule.Action.ExternalAuth))
	}
	if rule.Action.Session != nil {
		filters[sessionFilter] = packed(session(rule.Action.Session))
	}
	if rule.Match.GRPC != nil && rule.Action.Direct == nil {
		// gRPC-Web reaches the same backends as gRPC. An empty configuration switches on what is off on the listener.
		filters[grpcWebFilter] = packed(&routev3.FilterConfig{Config: &anypb.Any{}})
	}
	if len(filters) == 0 {
		return nil
	}
	return filters
}

// shareFilters is what one backend among several configures. It stands in place of what the rule does.
func shareFilters(weighted model.WeightedBackend) map[string]*anypb.Any {
	filters := map[string]*anypb.Any{}
	if weighted.CORS != nil {
		filters[corsFilter] = packed(corsPolicy(weighted.CORS))
	}
	if weighted.ExternalAuth != nil {
		filters[compositeFilter] = packed(externalAuth(weighted.ExternalAuth))
	}
	if len(filters) == 0 {
		return nil
	}
	return filters
}
