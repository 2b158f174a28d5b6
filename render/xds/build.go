package xds

import (
	"cmp"
	"fmt"
	"iter"
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

// Listeners says where the listeners are written.
type Listeners string

const (
	// ListenersBootstrap writes them into the bootstrap: Envoy starts with them, and needs a restart to have others.
	ListenersBootstrap Listeners = "bootstrap"
	// ListenersFile writes them into a file that Envoy watches: a listener may come and go.
	ListenersFile Listeners = "file"
)

// Keys says where the files of certificates and keys are.
type Keys string

const (
	// KeysMounted are in a volume that whoever installs the rendering mounts.
	KeysMounted Keys = "mounted"
	// KeysWritten are written with the rendering.
	KeysWritten Keys = "written"
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
	// Listeners: ListenersBootstrap by default.
	Listeners Listeners
	// Keys: KeysMounted by default.
	Keys Keys
}

func (o Options) withDefaults() Options {
	o.ListenAddress = cmp.Or(o.ListenAddress, "0.0.0.0")
	o.AdminAddress = cmp.Or(o.AdminAddress, "127.0.0.1")
	o.AdminPort = cmp.Or(o.AdminPort, 19000)
	o.Endpoints = cmp.Or(o.Endpoints, EndpointsFiles)
	o.Listeners = cmp.Or(o.Listeners, ListenersBootstrap)
	o.Keys = cmp.Or(o.Keys, KeysMounted)
	return o
}

// Build makes the Envoy files of one Gateway. Equal gateways give equal sets. The diagnostics say where the options could
// not be kept.
func Build(gateway *model.Gateway, options Options) (*files.Set, diagnostic.List) {
	options = options.withDefaults()
	var diagnostics diagnostic.List
	backends := backendsOf(gateway)
	if n := subscriptions(gateway, backends, options); options.Endpoints == EndpointsFiles && n > files.MaxSubscriptions {
		options.Endpoints = EndpointsInline
		diagnostics = append(diagnostics, tooManyFiles(gateway, n))
	}
	describer := newDescriber(gateway.Name)
	set := &files.Set{
		Name:      gateway.Namespace + "-" + gateway.Name.Name,
		Bootstrap: bootstrap(describer, gateway, options),
	}
	if options.Listeners == ListenersFile {
		set.Listeners = listeners(describer, gateway, options.ListenAddress)
	}
	for chain, listener := range chainsOf(gateway) {
		if chain.Forward == nil {
			set.Routes = append(set.Routes, routeConfiguration(describer, listener, chain.Routes))
		}
	}
	for _, certificate := range certificatesOf(gateway, backends) {
		set.Secrets = append(set.Secrets, secret(certificate, options.Keys))
	}
	for _, backend := range backends {
		set.Clusters = append(set.Clusters, cluster(describer, backend, options.Endpoints, gateway.ClientCertificate))
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
	set.Listeners = sortByName(set.Listeners)
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

// backendsOf lists the backends that get anything, copies of requests and questions about them included, each cluster name once, sorted by it.
func backendsOf(gateway *model.Gateway) []*model.Backend {
	byName := map[string]*model.Backend{}
	ask := func(auth *model.ExternalAuth) {
		if auth != nil {
			byName[clusterName(auth.Backend)] = auth.Backend
		}
	}
	add := func(shares []model.WeightedBackend) {
		for _, weighted := range shares {
			if weighted.Backend != nil && weighted.Weight > 0 {
				byName[clusterName(weighted.Backend)] = weighted.Backend
				ask(weighted.ExternalAuth)
			}
		}
	}
	for chain := range chainsOf(gateway) {
		if chain.Forward != nil {
			add(chain.Forward.Backends)
		}
		for _, host := range chain.Routes.Hosts {
			for _, rule := range host.Rules {
				add(rule.Action.Backends)
				ask(rule.Action.ExternalAuth)
				for _, mirror := range rule.Action.Mirrors {
					byName[clusterName(mirror.Backend)] = mirror.Backend
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

// chainsOf are the filter chains of all listeners, each with its listener.
func chainsOf(gateway *model.Gateway) iter.Seq2[model.FilterChain, model.Listener] {
	return func(yield func(model.FilterChain, model.Listener) bool) {
		for _, listener := range gateway.Listeners {
			for _, chain := range listener.Chains {
				if !yield(chain, listener) {
					return
				}
			}
		}
	}
}

// certificatesOf are the certificates that listeners end TLS with, and the one that backends are shown.
func certificatesOf(gateway *model.Gateway, backends []*model.Backend) []model.Certificate {
	var certificates []model.Certificate
	for chain := range chainsOf(gateway) {
		certificates = append(certificates, chain.Certificates...)
	}
	if client := gateway.ClientCertificate; client != nil && slices.ContainsFunc(backends, func(b *model.Backend) bool { return b.TLS != nil }) {
		certificates = append(certificates, *client)
	}
	return certificates
}

// subscriptions counts the files that Envoy would watch with an EDS file for each backend of known address. The clusters'
// own file is one, and so is the listeners'; a secret is one however many listeners use it.
func subscriptions(gateway *model.Gateway, backends []*model.Backend, options Options) int {
	count := 1
	if options.Listeners == ListenersFile {
		count++
	}
	for chain := range chainsOf(gateway) {
		if chain.Forward == nil {
			count++
		}
	}
	secrets := map[model.Name]bool{}
	for _, certificate := range certificatesOf(gateway, backends) {
		secrets[certificate.Name] = true
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
