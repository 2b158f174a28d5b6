package table

import (
	"slices"
	"strings"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	compositev3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/composite/v3"
	managerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	"google.golang.org/protobuf/types/known/anypb"
)

const compositeKind = "composite.v3.Composite"

// handedTo are the filters that a route hands every request to, by way of the composite filter of the listener; false where that
// depends on the request, or is not known.
func handedTo(config *anypb.Any) ([]*anypb.Any, bool) {
	route, action := &compositev3.CompositePerRoute{}, &compositev3.ExecuteFilterAction{}
	if config.UnmarshalTo(route) != nil || len(route.GetMatcher().GetMatcherList().GetMatchers()) > 0 || route.GetMatcher().GetMatcherTree() != nil {
		return nil, false
	}
	if route.GetMatcher().GetOnNoMatch().GetAction().GetTypedConfig().UnmarshalTo(action) != nil || action.GetSamplePercent() != nil {
		return nil, false
	}
	handed := action.GetFilterChain().GetTypedConfig()
	if one := action.GetTypedConfig(); one != nil {
		handed = append([]*corev3.TypedExtensionConfig{one}, handed...)
	}
	var filters []*anypb.Any
	for _, filter := range handed {
		filters = append(filters, filter.GetTypedConfig())
	}
	return filters, len(filters) > 0
}

// addHanded lists the filters to which routes hand requests by way of a composite filter, where they may have a route chosen anew, and
// tells whether there are any.
func (o *Options) addHanded(manager *managerv3.HttpConnectionManager, config *routev3.RouteConfiguration) bool {
	found := false
	for _, filter := range manager.GetHttpFilters() {
		if !filter.GetDisabled() || !strings.HasSuffix(filter.GetTypedConfig().GetTypeUrl(), compositeKind) {
			continue // it is listed as a whole
		}
		for _, at := range configsOf(config, filter.GetName()) {
			if text := "filter " + filter.GetName() + " " + canonical(at); handsToRerouter(at) && !slices.Contains(o.Rerouters, text) {
				o.Rerouters, found = append(o.Rerouters, text), true
			}
		}
	}
	return found
}

func handsToRerouter(config *anypb.Any) bool {
	filters, known := handedTo(config)
	for _, filter := range filters {
		if reroutes(&managerv3.HttpFilter{ConfigType: &managerv3.HttpFilter_TypedConfig{TypedConfig: filter}}) {
			return true
		}
	}
	return !known
}

// configsOf are all configurations of a filter in a route configuration.
func configsOf(config *routev3.RouteConfiguration, name string) []*anypb.Any {
	var found []*anypb.Any
	add := func(of filterConfigs) {
		if one := of[name]; one != nil {
			found = append(found, one)
		}
	}
	add(config.GetTypedPerFilterConfig())
	for _, host := range config.GetVirtualHosts() {
		add(host.GetTypedPerFilterConfig())
		for _, route := range host.GetRoutes() {
			add(route.GetTypedPerFilterConfig())
			for _, share := range route.GetRoute().GetWeightedClusters().GetClusters() {
				add(share.GetTypedPerFilterConfig())
			}
		}
	}
	return found
}
