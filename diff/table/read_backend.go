package table

import (
	"strconv"
	"strings"

	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/routedelta/routedelta/render/files"
)

// backends knows what the clusters of a set stand for.
type backends struct {
	byCluster map[string]clusterBackend
	names     Names
	// open: clusters may come from a server as well, so that an unknown name is not a cluster that does not exist.
	open bool
}

// clusterBackend is a cluster's backend. Variant is what tells two clusters of one backend apart, such as a protocol.
type clusterBackend struct {
	Backend
	variant string
}

func readBackends(set *files.Set, names Names) backends {
	b := backends{byCluster: map[string]clusterBackend{}, names: names, open: hasForeignClusters(set)}
	for _, cluster := range set.Clusters {
		b.byCluster[cluster.GetName()] = names.identify(cluster)
	}
	for _, cluster := range set.Bootstrap.GetStaticResources().GetClusters() {
		b.byCluster[cluster.GetName()] = names.identify(cluster)
	}
	return b
}

// hasForeignClusters: the bootstrap asks a management server for clusters, and the set does not hold its answer.
func hasForeignClusters(set *files.Set) bool {
	source := set.Bootstrap.GetDynamicResources().GetCdsConfig()
	byFile := source.GetPathConfigSource() != nil || source.GetPath() != ""
	return source != nil && !byFile && len(set.Clusters) == 0
}

// lookup gives the backend of a cluster, or false for a cluster that does not exist.
func (b backends) lookup(cluster string) (clusterBackend, bool) {
	if found, ok := b.byCluster[cluster]; ok {
		return found, true
	}
	return nameBackend(cluster), b.open
}

// The kinds of backends that are chosen while Envoy runs.
const (
	headerKind = "header"
	pluginKind = "plugin"
)

// headerBackend is whatever cluster the client names: the same for two routes that ask the same header.
func headerBackend(name string) Backend {
	return Backend{Kind: headerKind, Cluster: "{header " + lowerASCII(name) + "}"}
}

// pluginBackend is whatever cluster a plugin chooses for the request. It is known by all that the plugin is told.
func pluginBackend(plugin *routev3.ClusterSpecifierPlugin) Backend {
	return Backend{Kind: pluginKind, Cluster: "{plugin " + canonical(plugin) + "}"}
}

// identify goes by what a cluster says of itself: the Service and port that its metadata or its name says, else its name. See Names.
func identify(cluster *clusterv3.Cluster) clusterBackend {
	if b, ok := metadataBackend(cluster.GetMetadata()); ok {
		return clusterBackend{Backend: b, variant: clusterVariant(cluster.GetName(), b)}
	}
	if b, ok := envoyGatewayBackend(cluster.GetMetadata()); ok {
		return clusterBackend{Backend: b}
	}
	return nameBackend(cluster.GetName())
}

// metadataBackend reads filter_metadata.routedelta, which our own renderings write.
func metadataBackend(m *corev3.Metadata) (Backend, bool) {
	fields := m.GetFilterMetadata()["routedelta"].GetFields()
	b := Backend{
		Kind:      strings.ToLower(fields["kind"].GetStringValue()),
		Namespace: fields["namespace"].GetStringValue(),
		Service:   fields["name"].GetStringValue(),
		Port:      portNumber(fields["port"]),
	}
	if b.Kind == "service" {
		b.Kind = ""
	}
	return b, b.Service != ""
}

func portNumber(v *structpb.Value) uint32 {
	number := v.GetNumberValue()
	if number < 0 || number > 65535 {
		return 0
	}
	return uint32(number)
}

// clusterVariant is what stands behind "<namespace>/<service>/<port>" in a name of our own renderings.
func clusterVariant(name string, b Backend) string {
	_, rest, found := strings.Cut(name, b.Namespace+"/"+b.Service+"/"+strconv.FormatUint(uint64(b.Port), 10))
	if !found {
		return ""
	}
	return rest
}

// envoyGatewayBackend reads filter_metadata.envoy-gateway.resources where it names what traffic goes to. (Its clusters of an
// HTTPRoute name the route; those keep their cluster name.)
func envoyGatewayBackend(m *corev3.Metadata) (Backend, bool) {
	resources := m.GetFilterMetadata()["envoy-gateway"].GetFields()["resources"].GetListValue().GetValues()
	if len(resources) != 1 {
		return Backend{}, false
	}
	fields := resources[0].GetStructValue().GetFields()
	b := Backend{Namespace: fields["namespace"].GetStringValue(), Service: fields["name"].GetStringValue()}
	switch kind := fields["kind"].GetStringValue(); kind {
	case "Service":
	case "ServiceImport", "Backend":
		b.Kind = strings.ToLower(kind)
	default:
		return Backend{}, false
	}
	if port, err := strconv.ParseUint(fields["sectionName"].GetStringValue(), 10, 16); err == nil {
		b.Port = uint32(port)
	}
	return b, b.Service != ""
}

// nameBackend reads the names of clusters of other makers that hold a Service and a port, and takes any other name as it is:
// Istio's outbound|80||orders.shop.svc.cluster.local and kgateway's kube_shop_orders_80.
func nameBackend(name string) clusterBackend {
	whole := clusterBackend{Backend: Backend{Cluster: name}}
	if parts := strings.Split(name, "|"); len(parts) == 4 && parts[0] == "outbound" {
		service, rest, _ := strings.Cut(parts[3], ".")
		namespace, kind, _ := strings.Cut(rest, ".")
		port, err := strconv.ParseUint(parts[1], 10, 16)
		if err != nil || !strings.HasPrefix(kind, "svc.") {
			return whole
		}
		return clusterBackend{Backend: Backend{Namespace: namespace, Service: service, Port: uint32(port)}, variant: parts[2]}
	}
	if parts := strings.Split(name, "_"); len(parts) == 4 && parts[0] == "kube" {
		if port, err := strconv.ParseUint(parts[3], 10, 16); err == nil {
			return clusterBackend{Backend: Backend{Namespace: parts[1], Service: parts[2], Port: uint32(port)}}
		}
	}
	return whole
}
