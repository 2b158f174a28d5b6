package table

import (
	"reflect"
	"slices"
	"strings"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	managerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// modelledManagerFields are read into Options or the Scope, or decide nothing about a request. Every other field is a treatment.
var modelledManagerFields = namesOf(`stat_prefix codec_type rds route_config scoped_routes http_filters access_log
	access_log_options access_log_flush_interval flush_access_log_on_new_request normalize_path merge_slashes
	path_with_escaped_slashes_action strip_any_host_port strip_matching_host_port strip_trailing_host_dot
	use_remote_address xff_num_trusted_hops common_http_protocol_options`)

// modelledProtocolFields of common_http_protocol_options are read into Options.
var modelledProtocolFields = namesOf(`headers_with_underscores_action`)

// unmodelledManagerFields change what reaches the router, in ways that this package does not know.
var unmodelledManagerFields = namesOf(`scheme_header_transformation forward_proto_config typed_header_validation_config
	path_normalization_options`)

// readOptions reads what decides which requests reach the router of a listener.
func readOptions(listener *listenerv3.Listener, manager *managerv3.HttpConnectionManager) Options {
	o := Options{
		NormalizePath:    manager.GetNormalizePath().GetValue(),
		MergeSlashes:     manager.GetMergeSlashes(),
		StripAnyHostPort: manager.GetStripAnyHostPort(),
		StripTrailingDot: manager.GetStripTrailingHostDot(),
		// With trusted hops the client's X-Forwarded-Proto is believed all the same.
		UseRemoteAddress: manager.GetUseRemoteAddress().GetValue() && manager.GetXffNumTrustedHops() == 0,
	}
	switch manager.GetPathWithEscapedSlashesAction() {
	case managerv3.HttpConnectionManager_REJECT_REQUEST:
		o.EscapedSlashes = RejectEscapedSlashes
	case managerv3.HttpConnectionManager_UNESCAPE_AND_FORWARD:
		o.EscapedSlashes = ForwardEscapedSlashes
	case managerv3.HttpConnectionManager_UNESCAPE_AND_REDIRECT:
		o.EscapedSlashes = RedirectEscapedSlashes
	}
	switch manager.GetCommonHttpProtocolOptions().GetHeadersWithUnderscoresAction() {
	case corev3.HttpProtocolOptions_REJECT_REQUEST:
		o.Underscores = RejectUnderscores
	case corev3.HttpProtocolOptions_DROP_HEADER:
		o.Underscores = DropUnderscores
	}
	m := manager.ProtoReflect()
	for _, field := range setFields(m) {
		if unmodelledManagerFields[string(field.Name())] {
			o.unmodelled(field, m.Get(field))
		}
	}
	if manager.GetStripMatchingHostPort() {
		o.addMatchingPort(listener)
	}
	o.addRerouters(manager)
	return o
}

// addMatchingPort reads strip_matching_host_port: Envoy takes off the port of the address that the connection was made to.
// That is the listener's, unless a filter of the listener says otherwise.
func (o *Options) addMatchingPort(listener *listenerv3.Listener) {
	port := listener.GetAddress().GetSocketAddress().GetPortValue()
	onePort := port != 0 && plainListenerFilters(listener)
	for _, more := range listener.GetAdditionalAddresses() {
		onePort = onePort && more.GetAddress().GetSocketAddress().GetPortValue() == port
	}
	if !onePort {
		o.Unmodelled = append(o.Unmodelled, "strip_matching_host_port of a listener that has not one port")
		return
	}
	o.StripHostPort = port
}

// addRerouters lists what may change a request, or have its route chosen anew, with its content.
func (o *Options) addRerouters(manager *managerv3.HttpConnectionManager) {
	for _, mutation := range manager.GetEarlyHeaderMutationExtensions() {
		o.Rerouters = append(o.Rerouters, "early header mutation "+canonical(mutation))
	}
	for _, filter := range manager.GetHttpFilters() {
		if reroutes(filter) {
			o.Rerouters = append(o.Rerouters, "filter "+filter.GetName()+" "+canonical(filter))
		}
	}
}

func (o *Options) unmodelled(field protoreflect.FieldDescriptor, value protoreflect.Value) {
	o.Unmodelled = append(o.Unmodelled, string(field.Name())+" "+canonicalField(field, value))
}

// unmodelledRouteFields of a RouteConfiguration.
var unmodelledRouteFields = namesOf(`vhds vhost_header internal_only_headers
	route_specifiers`)

// addRouteOptions adds the options of the route configuration.
func (o *Options) addRouteOptions(config *routev3.RouteConfiguration) {
	o.IgnoreHostPort = config.GetIgnorePortInHostMatching()
	o.IgnorePathParameters = config.GetIgnorePathParametersInPathMatching()
	m := config.ProtoReflect()
	_, internal := internalOnlyHeaders(config)
	for _, field := range setFields(m) {
		if field.Name() == "internal_only_headers" && !internal {
			continue
		}
		if unmodelledRouteFields[string(field.Name())] {
			o.unmodelled(field, m.Get(field))
		}
	}
}

// addRuntime adds features of Envoy that are switched by the bootstrap's runtime: they change rules that hold otherwise, such as
// that each value of a header is matched by itself.
func (o *Options) addRuntime(bootstrap *bootstrapv3.Bootstrap) {
	for _, layer := range bootstrap.GetLayeredRuntime().GetLayers() {
		for key, value := range layer.GetStaticLayer().GetFields() {
			if strings.HasPrefix(key, "envoy.reloadable_features.") || strings.HasPrefix(key, "envoy.restart_features.") || strings.HasPrefix(key, "http_connection_manager.") {
				o.Unmodelled = append(o.Unmodelled, "runtime "+key+" "+canonical(value))
			}
		}
	}
	slices.Sort(o.Unmodelled)
}

// Equal tells whether two sets of options let the same requests through in the same way.
func (o Options) Equal(other Options) bool {
	return reflect.DeepEqual(o.sorted(), other.sorted())
}

// sorted leaves no difference between lists without entries.
func (o Options) sorted() Options {
	o.Unmodelled, o.Rerouters = append([]string{}, o.Unmodelled...), append([]string{}, o.Rerouters...)
	slices.Sort(o.Unmodelled)
	slices.Sort(o.Rerouters)
	return o
}
