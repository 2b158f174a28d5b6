package files

import (
	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	hcmv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	tlsv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/transport_sockets/tls/v3"
	"google.golang.org/protobuf/proto"
)

// kind is a type of resource that Envoy reads from files.
type kind string

const (
	listenerKind kind = "Listener"
	clusterKind  kind = "Cluster"
	routeKind    kind = "RouteConfiguration"
	endpointKind kind = "ClusterLoadAssignment"
	secretKind   kind = "Secret"
	// bootstrapKind is no discovery resource; diagnostics name it alike.
	bootstrapKind kind = "Bootstrap"
)

// path is the file of a resource of that kind and name.
func (k kind) path(name string) string {
	switch k {
	case listenerKind:
		return ListenersPath
	case clusterKind:
		return ClustersPath
	case routeKind:
		return RoutesPath(name)
	case endpointKind:
		return EndpointsPath(name)
	case secretKind:
		return SecretPath(name)
	}
	return BootstrapPath
}

// reference is a place that says where a resource comes from: by file, or (Source nil) from the static ones.
type reference struct {
	Kind kind
	// Name of the resource that is wanted; "" for all listeners or clusters.
	Name string
	// Field is the path of the place in the message that was walked.
	Field  string
	Source *corev3.ConfigSource
}

// file is the path that the reference names, or "".
func (r reference) file() string {
	if path := r.Source.GetPathConfigSource().GetPath(); path != "" {
		return path
	}
	return r.Source.GetPath() //nolint:staticcheck // the deprecated form is still obeyed
}

// setFile makes the reference name another path.
func (r reference) setFile(path string) {
	if source := r.Source.GetPathConfigSource(); source != nil {
		source.Path = path
		return
	}
	r.Source.ConfigSourceSpecifier = &corev3.ConfigSource_PathConfigSource{
		PathConfigSource: &corev3.PathConfigSource{Path: path},
	}
}

// eachReference calls visit for every reference in a message, and tells whether one was changed.
func eachReference(message proto.Message, visit func(reference) bool) bool {
	return walk(message, func(path string, m proto.Message) bool {
		changed := false
		for _, r := range referencesOf(m) {
			if path != "" {
				r.Field = path + "." + r.Field
			}
			if visit(r) {
				changed = true
			}
		}
		return changed
	})
}

// referencesOf lists the references that stand in a message itself, not in those below it.
func referencesOf(message proto.Message) []reference {
	switch m := message.(type) {
	case *bootstrapv3.Bootstrap_DynamicResources:
		var found []reference
		if m.LdsConfig != nil {
			found = append(found, reference{Kind: listenerKind, Field: "lds_config", Source: m.LdsConfig})
		}
		if m.CdsConfig != nil {
			found = append(found, reference{Kind: clusterKind, Field: "cds_config", Source: m.CdsConfig})
		}
		return found
	case *hcmv3.Rds:
		return []reference{{Kind: routeKind, Name: m.RouteConfigName, Field: "config_source", Source: m.ConfigSource}}
	case *clusterv3.Cluster:
		if m.GetType() == clusterv3.Cluster_EDS {
			return []reference{{
				Kind:   endpointKind,
				Name:   serviceName(m),
				Field:  "eds_cluster_config.eds_config",
				Source: m.GetEdsClusterConfig().GetEdsConfig(),
			}}
		}
	case *tlsv3.SdsSecretConfig:
		return []reference{{Kind: secretKind, Name: m.Name, Field: "sds_config", Source: m.SdsConfig}}
	}
	return nil
}

// serviceName is the name under which a cluster asks for its endpoints.
func serviceName(cluster *clusterv3.Cluster) string {
	if name := cluster.GetEdsClusterConfig().GetServiceName(); name != "" {
		return name
	}
	return cluster.GetName()
}
