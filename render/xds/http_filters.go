package xds

import (
	compositev3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/composite/v3"
	corsv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/cors/v3"
	grpcwebv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/grpc_web/v3"
	sessionv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/stateful_session/v3"
	hcmv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	"google.golang.org/protobuf/proto"
)

// The filters by the names under which routes configure them.
const (
	corsFilter      = "envoy.filters.http.cors"
	compositeFilter = "envoy.filters.http.composite"
	grpcWebFilter   = "envoy.filters.http.grpc_web"
	sessionFilter   = "envoy.filters.http.stateful_session"
)

// httpFilters are the filters in front of the router. They stand on every listener, whether a route uses them or not: a change of the
// list drains all connections of the listener (and where listeners stand in the bootstrap, only a restart brings it), and a route that
// is edited must not do that. None of them does anything until a route says so: CORS and sessions have no policy of their own, the
// composite filter has no filter to hand a request to, and gRPC-Web, which would translate every request of its content type, is
// switched off.
//
// CORS comes first: it answers a preflight, which browsers send without credentials, before anybody is asked whether it is allowed.
func httpFilters() []*hcmv3.HttpFilter {
	composite := httpFilter(compositeFilter, &compositev3.Composite{})
	grpcWeb := httpFilter(grpcWebFilter, &grpcwebv3.GrpcWeb{})
	composite.Disabled, grpcWeb.Disabled = true, true
	return []*hcmv3.HttpFilter{
		httpFilter(corsFilter, &corsv3.Cors{}),
		composite,
		grpcWeb,
		httpFilter(sessionFilter, &sessionv3.StatefulSession{}),
	}
}

func httpFilter(name string, config proto.Message) *hcmv3.HttpFilter {
	return &hcmv3.HttpFilter{Name: name, ConfigType: &hcmv3.HttpFilter_TypedConfig{TypedConfig: packed(config)}}
}
