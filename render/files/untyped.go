package files

import (
	"strconv"
	"strings"

	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	endpointv3 "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	tlsv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/transport_sockets/tls/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// form is how a resource is known that does not say its type.
type form struct {
	kind    kind
	message proto.Message
	// marks are fields of which at least one stands in every resource of the kind, in their JSON names.
	marks []string
}

// forms are tried in this order. That no key is strange to the message keeps values of a Helm chart out that happen to have
// a `clusterName`.
func forms() []form {
	return []form{
		{routeKind, &routev3.RouteConfiguration{}, []string{"virtualHosts", "vhds"}},
		{listenerKind, &listenerv3.Listener{}, []string{"filterChains", "defaultFilterChain", "apiListener", "listenerFilters"}},
		{endpointKind, &endpointv3.ClusterLoadAssignment{}, []string{"clusterName"}},
		{clusterKind, &clusterv3.Cluster{}, []string{"connectTimeout", "loadAssignment", "edsClusterConfig", "clusterType", "lbPolicy", "dnsLookupFamily"}},
		{secretKind, &tlsv3.Secret{}, []string{"tlsCertificate", "validationContext", "sessionTicketKeys", "genericSecret"}},
	}
}

// untypedKind is the kind of a message without "@type", or "".
func untypedKind(keys map[string]*part) kind {
	for _, mark := range []string{"static_resources", "staticResources", "dynamic_resources", "dynamicResources"} {
		if keys[mark] != nil {
			return bootstrapKind
		}
	}
	for _, f := range forms() {
		fields := f.message.ProtoReflect().Descriptor().Fields()
		if marked(keys, fields, f.marks) && allFields(keys, fields) {
			return f.kind
		}
	}
	if isClusterType(keys["type"]) && allFields(keys, (&clusterv3.Cluster{}).ProtoReflect().Descriptor().Fields()) {
		return clusterKind
	}
	return ""
}

// isClusterType tells whether the value of "type" is one that a cluster has: a cluster without endpoints has nothing else.
func isClusterType(p *part) bool {
	if p == nil {
		return false
	}
	name, err := strconv.Unquote(string(p.text))
	_, known := clusterv3.Cluster_DiscoveryType_value[name]
	return err == nil && known
}

func marked(keys map[string]*part, fields protoreflect.FieldDescriptors, marks []string) bool {
	for _, mark := range marks {
		field := fields.ByJSONName(mark)
		if keys[mark] != nil || field != nil && keys[string(field.Name())] != nil {
			return true
		}
	}
	return false
}

func allFields(keys map[string]*part, fields protoreflect.FieldDescriptors) bool {
	for key := range keys {
		if fields.ByJSONName(key) == nil && fields.ByTextName(key) == nil && !strings.HasPrefix(key, "hidden_envoy_deprecated_") {
			return false
		}
	}
	return true
}
