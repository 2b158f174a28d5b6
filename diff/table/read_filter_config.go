package table

import (
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	corsv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/cors/v3"
	sessionv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/stateful_session/v3"
	managerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
)

// filterConfigs are configurations by the names of filters, as routes have them.
type filterConfigs = map[string]*anypb.Any

// idle tells whether a filter does nothing by itself, so that a chain with it is like one without.
func idle(filter *managerv3.HttpFilter) bool {
	if filter.GetIsOptional() {
		return false
	}
	switch text := canonical(filter.GetTypedConfig()); text {
	case "envoy.extensions.filters.http.router.v3.Router {}":
		return !filter.GetDisabled() // every chain ends with it
	case "envoy.extensions.filters.http.cors.v3.Cors {}", "envoy.extensions.filters.http.stateful_session.v3.StatefulSession {}":
		return true // a route says what for
	case "envoy.extensions.filters.http.grpc_web.v3.GrpcWeb {}", "envoy.extensions.filters.http.composite.v3.Composite {}":
		return filter.GetDisabled() // a route switches it on
	}
	return false
}

// plainFilterTreatment is the configuration of a filter for a route in a reader's words, where there are some.
func plainFilterTreatment(name string, config *anypb.Any) (Treatment, bool) {
	cors, session, switched := &corsv3.CorsPolicy{}, &sessionv3.StatefulSessionPerRoute{}, &routev3.FilterConfig{}
	found := Treatment{}
	switch {
	case config.MessageIs(cors) && config.UnmarshalTo(cors) == nil:
		found = Treatment{Name: "cors", Value: corsText(cors)}
	case config.MessageIs(session) && config.UnmarshalTo(session) == nil:
		found = Treatment{Name: "session", Value: sessionText(session)}
	case config.MessageIs(switched) && config.UnmarshalTo(switched) == nil && proto.Equal(switched, &routev3.FilterConfig{Config: &anypb.Any{}}):
		found = Treatment{Name: "filter " + name, Value: "switched on"}
	}
	return found, found.Value != ""
}
