package xds

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	endpointv3 "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/model"
)

// Endpoints says where addresses that are known at render time are written.
type Endpoints string

const (
	// EndpointsFiles writes one EDS file for each backend: an address that changes touches that file only.
	EndpointsFiles Endpoints = "files"
	// EndpointsInline writes them into the clusters: one file subscription for all.
	EndpointsInline Endpoints = "inline"
)

// Options of a rendering. The zero value means the defaults that each field states.
type Options struct {
	// ListenAddress of the listeners: "0.0.0.0" by default.
	ListenAddress string
	// AdminAddress and AdminPort of the admin interface: 127.0.0.1:19000 by default; AdminPort below 0 leaves it out.
	AdminAddress string
	AdminPort    int
	// Endpoints: EndpointsFiles by default. EndpointsInline is taken in its place where the files would pass
	// files.MaxSubscriptions.
	Endpoints Endpoints
}

func (o Options) withDefaults() Options {
	o.ListenAddress = cmp.Or(o.ListenAddress, "0.0.0.0")
	o.AdminAddress = cmp.Or(o.AdminAddress, "127.0.0.1")
	o.AdminPort = cmp.Or(o.AdminPort, 19000)
	o.Endpoints = cmp.Or(o.Endpoints, EndpointsFiles)
	return o
}

// Build makes the Envoy files of one Gateway. Equal gateways give equal sets. The diagnostics say where the options could
// not be kept.
func Build(gateway *model.Gateway, options Options) (*files.Set, diagnostic.List) {
	options = options.withDefaults()
	var diagnostics diagnostic.List
	backends := backendsOf(gateway)
	if n := subscriptions(gateway, backends); options.Endpoints == EndpointsFiles && n > files.MaxSubscriptions {
		options.Endpoints = EndpointsInline
		diagnostics = append(diagnostics, tooManyFiles(gateway, n))
	}
	set := &files.Set{
		Name:      gateway.Namespace + "-" + gateway.Name.Name,
		Bootstrap: bootstrap(gateway, options),
	}
	describer := newDescriber(gateway.Name)
	for _, listener := range gateway.Listeners {
		for _, chain := range listener.Chains {
			set.Routes = append(set.Routes, routeConfiguration(describer, listener, chain.Routes))
			for _, certificate := range chain.Certificates {
				set.Secrets = append(set.Secrets, secret(certificate))
			}
		}
	}
	for _, backend := range backends {
		set.Clusters = append(set.Clusters, cluster(describer, backend, options.Endpoints))
		if usesEndpointFile(backend, options.Endpoints) {
			set.Endpoints = append(set.Endpoints, loadAssignment(serviceName(backend), backend.Endpoints))
		}
	}
	sortSet(set)
	return set, diagnostics
}

// sortSet brings each type into the order of its names. Two variants of a backend share their endpoints, and two listeners
// may share a certificate: those stand once.
func sortSet(set *files.Set) {
	set.Routes = sortByName(set.Routes)
	set.Clusters = sortByName(set.Clusters)
	set.Secrets = sortByName(set.Secrets)
	slices.SortFunc(set.Endpoints, func(a, b *endpointv3.ClusterLoadAssignment) int {
		return cmp.Compare(a.ClusterName, b.ClusterName)
	})
	set.Endpoints = slices.CompactFunc(set.Endpoints, func(a, b *endpointv3.ClusterLoadAssignment) bool {
		return a.ClusterName == b.ClusterName
	})
}

func sortByName[T interface{ GetName() string }](resources []T) []T {
	slices.SortStableFunc(resources, func(a, b T) int { return cmp.Compare(a.GetName(), b.GetName()) })
	return slices.CompactFunc(resources, func(a, b T) bool { return a.GetName() == b.GetName() })
}

// backendsOf lists the backends that get a request, each cluster name once, sorted by it.
func backendsOf(gateway *model.Gateway) []*model.Backend {
	byName := map[string]*model.Backend{}
	for _, listener := range gateway.Listeners {
		for _, chain := range listener.Chains {
			for _, host := range chain.Routes.Hosts {
				for _, rule := range host.Rules {
					for _, weighted := range rule.Action.Backends {
						if weighted.Backend != nil && weighted.Weight > 0 {
							byName[clusterName(weighted.Backend)] = weighted.Backend
						}
					}
				}
			}
		}
	}
	backends := make([]*model.Backend, 0, len(byName))
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		backends = append(backends, byName[name])
	}
	return backends
}

// subscriptions counts the files that Envoy would watch with an EDS file for each backend of known address. The clusters'
// own file is one; a secret is one however many listeners use it.
func subscriptions(gateway *model.Gateway, backends []*model.Backend) int {
	count := 1
	secrets := map[model.Name]bool{}
	for _, listener := range gateway.Listeners {
		count += len(listener.Chains)
		for _, chain := range listener.Chains {
			for _, certificate := range chain.Certificates {
				secrets[certificate.Name] = true
			}
		}
	}
	for _, backend := range backends {
		if usesEndpointFile(backend, EndpointsFiles) {
			count++
		}
	}
	return count + len(secrets)
}

func tooManyFiles(gateway *model.Gateway, count int) diagnostic.Diagnostic {
	return diagnostic.Diagnostic{
		Code:     diagnostic.TooManyFiles,
		Severity: diagnostic.Info,
		Object:   diagnostic.Object{Kind: "Gateway", Namespace: gateway.Namespace, Name: gateway.Name.Name},
		Message:  fmt.Sprintf("endpoints are written into the clusters: EDS files would make %d files to watch, and above %d Envoy may abort", count, files.MaxSubscriptions),
		Hint:     "set endpoints: inline to choose this yourself; Envoy takes one inotify instance a file, and fs.inotify.max_user_instances is 128 by default",
	}
}
