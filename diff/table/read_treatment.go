package table

import (
	"slices"
	"strings"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/anypb"
)

// Fields that are read by name, or that change nothing for a request. Every other field that is set becomes a treatment of
// its own, so that no change of one is lost.
var (
	readRouteFields = namesOf(`name match route redirect direct_response filter_action non_forwarding_action metadata
		typed_per_filter_config request_headers_to_add request_headers_to_remove response_headers_to_add
		response_headers_to_remove stat_prefix route_specifiers`)
	readHostFields = namesOf(`name domains routes matcher require_tls virtual_clusters metadata typed_per_filter_config
		request_headers_to_add request_headers_to_remove response_headers_to_add response_headers_to_remove
		retry_policy hedge_policy request_mirror_policies cors route_specifiers
		per_request_buffer_limit_bytes request_body_buffer_limit`)
	readActionFields = namesOf(`cluster weighted_clusters cluster_header cluster_specifier_plugin
		inline_cluster_specifier_plugin cluster_not_found_response_code prefix_rewrite regex_rewrite path_rewrite
		host_rewrite_literal host_rewrite_header auto_host_rewrite host_rewrite_path_regex timeout idle_timeout
		retry_policy hedge_policy request_mirror_policies cors`)
	readClusterFields = namesOf(`name cluster_header weight typed_per_filter_config request_headers_to_add
		request_headers_to_remove response_headers_to_add response_headers_to_remove host_rewrite_literal`)
)

// otherFields are the fields of a message that nobody reads by name.
func otherFields(message proto.Message, read nameSet) []Treatment {
	var list []Treatment
	m := message.ProtoReflect()
	// Most messages have none: nothing is listed and sorted for these.
	var others []protoreflect.FieldDescriptor
	m.Range(func(field protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
		if !read[string(field.Name())] {
			others = append(others, field)
		}
		return true
	})
	slices.SortFunc(others, compareNumbers)
	for _, field := range others {
		list = append(list, fieldTreatment(field, m.Get(field)))
	}
	if unknown := m.GetUnknown(); len(unknown) > 0 {
		list = append(list, Treatment{Name: "unknown fields", Value: shorten(string(unknown))})
	}
	return list
}

func fieldTreatment(field protoreflect.FieldDescriptor, value protoreflect.Value) Treatment {
	return Treatment{Name: strings.ReplaceAll(string(field.Name()), "_", " "), Value: canonicalField(field, value)}
}

// routeTreatment is what Route and VirtualHost say beside action and headers.
func (r *routeReader) routeTreatment(host inheritance, route *routev3.Route) []Treatment {
	list := append(otherFields(route, readRouteFields), host.treatment...)
	if route.GetPerRequestBufferLimitBytes() == nil && route.GetRequestBodyBufferLimit() == nil {
		list = append(list, host.buffers...)
	}
	list = append(list, foreignMetadata(route.GetMetadata())...)
	list = append(list, unrendered(route.GetMetadata())...)
	return append(list, r.filterTreatment(route.GetTypedPerFilterConfig(), host.GetTypedPerFilterConfig(), r.config.GetTypedPerFilterConfig())...)
}

// foreignMetadata is what filters may read. What makers of configuration write about the origin of a route is no treatment.
func foreignMetadata(m *corev3.Metadata) []Treatment {
	var list []Treatment
	for key, value := range m.GetFilterMetadata() {
		if key != "routedelta" && key != "envoy-gateway" && key != "istio" {
			list = append(list, Treatment{Name: "metadata " + key, Value: canonical(value)})
		}
	}
	for key, value := range m.GetTypedFilterMetadata() {
		list = append(list, Treatment{Name: "typed metadata " + key, Value: canonical(value)})
	}
	slices.SortFunc(list, compareTreatments)
	return list
}

// unrendered is what our own renderings say of a route that its manifest asks for and Envoy is not told: whatever makes the
// real configuration treats these requests otherwise, so a request that comes under it or leaves it changes.
func unrendered(m *corev3.Metadata) []Treatment {
	var list []Treatment
	for _, value := range m.GetFilterMetadata()["routedelta"].GetFields()["unrendered"].GetListValue().GetValues() {
		fields := value.GetStructValue().GetFields()
		list = append(list, Treatment{Name: "unrendered " + fields["part"].GetStringValue(), Value: shorten(fields["value"].GetStringValue())})
	}
	return list
}

// filterTreatment is the configuration of filters for a route, the most specific first. A filter that is not in the chain
// does nothing, whatever a route says of it.
func (r *routeReader) filterTreatment(levels ...map[string]*anypb.Any) []Treatment {
	var list []Treatment
	for _, name := range r.filters {
		var configs []*anypb.Any
		for _, level := range levels {
			if config := level[name]; config != nil {
				configs = append(configs, config)
			}
		}
		if configs != nil {
			list = append(list, r.configTreatment(name, configs))
		}
	}
	return list
}

// configTreatment is the configuration of one filter, in plain words where one level alone has it and there are words for it.
func (r *routeReader) configTreatment(name string, configs []*anypb.Any) Treatment {
	if len(configs) == 1 {
		if plain, ok := plainFilterTreatment(name, configs[0]); ok {
			return plain
		}
		if servers, ok := r.authText(configs[0]); ok {
			return Treatment{Name: "authentication", Value: servers}
		}
	}
	texts := make([]string, len(configs))
	for i, config := range configs {
		texts[i] = canonical(rename(r.backends.names, config))
	}
	return Treatment{Name: "filter " + name + " here", Value: strings.Join(texts, ", over ")}
}

// actionTreatment is how a request travels to its backend.
func (r *routeReader) actionTreatment(host inheritance, action *routev3.RouteAction, path Path) []Treatment {
	list := []Treatment{{Name: "timeout", Value: timeoutText(action)}}
	if idle := action.GetIdleTimeout(); idle != nil {
		list = append(list, Treatment{Name: "own idle timeout", Value: durationText(idle)}) // else it is the listener's
	}
	list = append(list, rewriteTreatment(action, path)...)
	list = append(list, retryTreatment(firstSet(action.GetRetryPolicy(), host.GetRetryPolicy()))...)
	if hedge := firstSet(action.GetHedgePolicy(), host.GetHedgePolicy()); hedge != nil {
		list = append(list, Treatment{Name: "hedge", Value: canonical(hedge)})
	}
	if cors := firstSet(action.GetCors(), host.GetCors()); cors != nil {
		list = append(list, Treatment{Name: "cors", Value: canonical(cors)})
	}
	list = append(list, r.mirrorTreatment(host, action)...)
	return append(list, otherFields(action, readActionFields)...)
}

// firstSet is the more specific of two policies: it replaces the other whole.
func firstSet[M interface {
	comparable
	proto.Message
}](specific, inherited M) M {
	var none M
	if specific != none {
		return specific
	}
	return inherited
}

// timeoutText: Envoy's default for a route is 15 s, and 0 is no limit.
func timeoutText(action *routev3.RouteAction) string {
	if action.GetTimeout() == nil {
		return "15s"
	}
	return durationText(action.GetTimeout())
}

func rewriteTreatment(action *routev3.RouteAction, path Path) []Treatment {
	var list []Treatment
	switch {
	case action.GetPrefixRewrite() != "":
		list = append(list, Treatment{Name: "rewrite path", Value: prefixTemplate(path, action.GetPrefixRewrite())})
	case action.GetRegexRewrite() != nil:
		list = append(list, Treatment{Name: "rewrite path", Value: regexTemplate(action.GetRegexRewrite())})
	case action.GetPathRewrite() != "":
		list = append(list, Treatment{Name: "rewrite path", Value: "format " + action.GetPathRewrite()})
	}
	switch h := action.GetHostRewriteSpecifier().(type) {
	case *routev3.RouteAction_HostRewriteLiteral:
		list = append(list, Treatment{Name: "rewrite host", Value: literal(h.HostRewriteLiteral)})
	case *routev3.RouteAction_HostRewriteHeader:
		list = append(list, Treatment{Name: "rewrite host", Value: "{header " + lowerASCII(h.HostRewriteHeader) + "}"})
	case *routev3.RouteAction_AutoHostRewrite:
		if h.AutoHostRewrite.GetValue() {
			list = append(list, Treatment{Name: "rewrite host", Value: "{name of the endpoint}"})
		}
	case *routev3.RouteAction_HostRewritePathRegex:
		list = append(list, Treatment{Name: "rewrite host", Value: "{path} " + regexTemplate(h.HostRewritePathRegex)})
	}
	return list
}

// mirrorTreatment: the mirrors of a route replace those of its virtual host, these those of the route configuration. A mirror to
// a cluster that does not exist does nothing.
func (r *routeReader) mirrorTreatment(host inheritance, action *routev3.RouteAction) []Treatment {
	policies := action.GetRequestMirrorPolicies()
	if len(policies) == 0 {
		policies = host.GetRequestMirrorPolicies()
	}
	if len(policies) == 0 {
		policies = r.config.GetRequestMirrorPolicies()
	}
	var list []Treatment
	for _, policy := range policies {
		target := "{header " + lowerASCII(policy.GetClusterHeader()) + "}"
		if name := policy.GetCluster(); name != "" {
			found, exists := r.backends.lookup(name)
			if !exists {
				continue
			}
			target = strings.TrimPrefix(found.Namespace+"/"+found.Backend.String(), "/")
		}
		list = append(list, Treatment{Name: "mirror", Value: r.mirrorText(policy, target)})
	}
	return list
}

func (r *routeReader) mirrorText(policy *routev3.RouteAction_RequestMirrorPolicy, target string) string {
	text := target
	if f := policy.GetRuntimeFraction(); f != nil {
		text = r.runtime.chanceText(f) + " " + text
	}
	rest := proto.CloneOf(policy)
	rest.Cluster, rest.ClusterHeader, rest.RuntimeFraction = "", "", nil
	if rest.GetDisableShadowHostSuffixAppend() || rest.GetHostRewriteLiteral() != "" {
		rest.DisableShadowHostSuffixAppend = false // the host is the request's, or the one that is named
	} else {
		text += ", host with -shadow"
	}
	if more := canonical(rest); more != "{}" {
		text += " " + more
	}
	return text
}

// clusterTreatment is what is done for the share of one weighted cluster. The header changes of a lone cluster are counted to
// its route.
func (r *routeReader) clusterTreatment(c *routev3.WeightedCluster_ClusterWeight, alone bool) []Treatment {
	list := otherFields(c, readClusterFields)
	if host := c.GetHostRewriteLiteral(); host != "" {
		list = append(list, Treatment{Name: "rewrite host", Value: literal(host)})
	}
	list = append(list, r.filterTreatment(c.GetTypedPerFilterConfig())...)
	if alone {
		return list
	}
	headers := headerTreatment([]mutations{c})
	if r.config.GetMostSpecificHeaderMutationsWins() {
		for i := range headers {
			headers[i].Value += " (after those of the route)"
		}
	}
	return append(list, headers...)
}
