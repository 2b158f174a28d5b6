package xds

import (
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/routedelta/routedelta/render/model"
)

// filterConfigs is what a rule or a backend configures of filters, by their names; nil for most, which use none.
type filterConfigs map[string]*anypb.Any

func (f *filterConfigs) set(filter string, config proto.Message) {
	if *f == nil {
		*f = filterConfigs{}
	}
	(*f)[filter] = packed(config)
}

// routeFilters is what a rule configures of the filters of the listener (httpFilters).
func routeFilters(rule model.Rule) filterConfigs {
	var filters filterConfigs
	if rule.Action.CORS != nil {
		filters.set(corsFilter, corsPolicy(rule.Action.CORS))
	}
	if rule.Action.ExternalAuth != nil {
		filters.set(compositeFilter, externalAuth(rule.Action.ExternalAuth))
	}
	if rule.Action.Session != nil {
		filters.set(sessionFilter, session(rule.Action.Session))
	}
	if rule.Match.GRPC != nil && rule.Action.Direct == nil {
		// gRPC-Web reaches the same backends as gRPC. An empty configuration switches on what is off on the listener.
		filters.set(grpcWebFilter, &routev3.FilterConfig{Config: &anypb.Any{}})
	}
	return filters
}

// shareFilters is what one backend among several configures. It stands in place of what the rule does.
func shareFilters(weighted model.WeightedBackend) filterConfigs {
	var filters filterConfigs
	if weighted.CORS != nil {
		filters.set(corsFilter, corsPolicy(weighted.CORS))
	}
	if weighted.ExternalAuth != nil {
		filters.set(compositeFilter, externalAuth(weighted.ExternalAuth))
	}
	return filters
}
