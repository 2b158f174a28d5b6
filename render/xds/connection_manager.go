package xds

import (
	routerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/router/v3"
	hcmv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/routedelta/routedelta/render/files"
)

// connectionManager reads requests and hands them to the route configuration of that name.
//
// Its options are chosen so that a route is predictable from the manifests: paths are normalised before they are compared
// (else "//x", "/a/../x" and "/%78" pass by a rule for /x), and an escaped slash is sent back to the client in its plain form.
func connectionManager(routes string) *hcmv3.HttpConnectionManager {
	return &hcmv3.HttpConnectionManager{
		CodecType:  hcmv3.HttpConnectionManager_AUTO,
		StatPrefix: routes,
		RouteSpecifier: &hcmv3.HttpConnectionManager_Rds{Rds: &hcmv3.Rds{
			ConfigSource:    fileSource(files.RoutesPath(routes)),
			RouteConfigName: routes,
		}},
		HttpFilters: append(httpFilters(), httpFilter("envoy.filters.http.router", &routerv3.Router{})),
		// Envoy's default writes "server: envoy" over the backend's own header and over what a ResponseHeaderModifier sets.
		ServerHeaderTransformation: hcmv3.HttpConnectionManager_PASS_THROUGH,
		// The socket is the edge: what a client says of itself in X-Forwarded-* and X-Envoy-* is not believed.
		UseRemoteAddress: wrapperspb.Bool(true),
		// WebSockets need no word in Gateway API; Envoy answers 403 to each of them unless they are let through here.
		UpgradeConfigs:               []*hcmv3.HttpConnectionManager_UpgradeConfig{{UpgradeType: "websocket"}},
		NormalizePath:                wrapperspb.Bool(true),
		MergeSlashes:                 true,
		PathWithEscapedSlashesAction: hcmv3.HttpConnectionManager_UNESCAPE_AND_REDIRECT,
	}
}
