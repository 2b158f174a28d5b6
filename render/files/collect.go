package files

import (
	"errors"
	"fmt"
	"strings"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	endpointv3 "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	tlsv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/transport_sockets/tls/v3"
	discoveryv3 "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
)

// collector makes a set of the documents of one Envoy, in any order.
type collector struct {
	set *Set
	// static are the resources that a dump says are of the bootstrap. They count only where the bootstrap itself is not there.
	static *Set
}

func newCollector(name string) *collector {
	return &collector{set: &Set{Name: name}, static: &Set{}}
}

// document adds one document. The error names its file and line.
func (c *collector) document(d document) error {
	message := d.message()
	if err := decodeJSON(d.text, message); err != nil {
		broken := decodeError(d.file, err)
		if broken.Line > 0 {
			broken.Line += d.line - 1
		}
		return broken
	}
	var err error
	if packed, ok := message.(*anypb.Any); ok {
		err = c.packed(packed, 0)
	} else {
		err = c.message(message, 0)
	}
	if err != nil {
		return &DecodeError{File: d.file, Line: d.line, Reason: err.Error()}
	}
	return nil
}

// message is an empty one of the document's type.
func (d document) message() proto.Message {
	switch d.kind {
	case bootstrapKind:
		return &bootstrapv3.Bootstrap{}
	case listenerKind:
		return &listenerv3.Listener{}
	case clusterKind:
		return &clusterv3.Cluster{}
	case routeKind:
		return &routev3.RouteConfiguration{}
	case endpointKind:
		return &endpointv3.ClusterLoadAssignment{}
	case secretKind:
		return &tlsv3.Secret{}
	}
	return &anypb.Any{}
}

// packed adds what an Any holds. Types that nobody knows are no resources: a dump has sections of other people's too.
func (c *collector) packed(packed *anypb.Any, depth int) error {
	if packed.GetTypeUrl() == "" {
		return nil
	}
	message, err := packed.UnmarshalNew()
	if err != nil {
		return fmt.Errorf("%s cannot be unpacked", packed.MessageName())
	}
	if depth >= maxDepth {
		return errDepth
	}
	return c.message(message, depth+1)
}

// message adds one message: a resource, or one that holds resources.
func (c *collector) message(message proto.Message, depth int) error {
	switch m := message.(type) {
	case *bootstrapv3.Bootstrap:
		if c.set.Bootstrap != nil {
			return errors.New("this is the second bootstrap: want the files of one Envoy")
		}
		c.set.Bootstrap = m
	case *discoveryv3.DiscoveryResponse:
		return c.all(m.GetResources(), depth)
	case *discoveryv3.DeltaDiscoveryResponse:
		for _, resource := range m.GetResources() {
			if err := c.packed(resource.GetResource(), depth); err != nil {
				return err
			}
		}
	case *discoveryv3.Resource:
		return c.packed(m.GetResource(), depth)
	case *listenerv3.ListenerCollection:
		for _, entry := range m.GetEntries() {
			if err := c.packed(entry.GetInlineEntry().GetResource(), depth); err != nil {
				return err
			}
		}
	default:
		if c.set.add(message) {
			return nil
		}
		return c.section(message, depth)
	}
	return nil
}

func (c *collector) all(list []*anypb.Any, depth int) error {
	for _, packed := range list {
		if err := c.packed(packed, depth); err != nil {
			return err
		}
	}
	return nil
}

// add puts a resource where it belongs, and tells whether it is one.
func (s *Set) add(message proto.Message) bool {
	switch m := message.(type) {
	case *listenerv3.Listener:
		s.Listeners = append(s.Listeners, m)
	case *clusterv3.Cluster:
		s.Clusters = append(s.Clusters, m)
	case *routev3.RouteConfiguration:
		s.Routes = append(s.Routes, m)
	case *endpointv3.ClusterLoadAssignment:
		s.Endpoints = append(s.Endpoints, m)
	case *tlsv3.Secret:
		s.Secrets = append(s.Secrets, m)
	default:
		return false
	}
	return true
}

// finish makes the set whole once everything is in it.
func (c *collector) finish() *Set {
	set := c.set
	withoutBootstrap := set.Bootstrap == nil
	if withoutBootstrap {
		set.Bootstrap = &bootstrapv3.Bootstrap{}
		if len(c.static.Listeners)+len(c.static.Clusters)+len(c.static.Secrets) > 0 {
			set.Bootstrap.StaticResources = &bootstrapv3.Bootstrap_StaticResources{
				Listeners: c.static.Listeners, Clusters: c.static.Clusters, Secrets: c.static.Secrets,
			}
		}
	}
	if len(set.AllListeners()) == 0 {
		// With listeners a static table stands inside its connection manager, and here once more.
		set.Routes = append(set.Routes, c.static.Routes...)
	}
	if withoutBootstrap && len(set.AllClusters()) == 0 {
		set.leaveClustersOpen()
	}
	set.keepUsedEndpoints()
	set.layOut()
	set.sort()
	return set
}

// leaveClustersOpen says that a server knows clusters, where neither a bootstrap nor a cluster is among the documents: a list of
// routes alone does not mean that each of them answers 500 for a cluster that does not exist. A bootstrap says by itself where
// clusters come from, and Envoy does not start with one that names a server which the bootstrap does not have.
func (s *Set) leaveClustersOpen() {
	s.Bootstrap.DynamicResources = &bootstrapv3.Bootstrap_DynamicResources{
		CdsConfig: &corev3.ConfigSource{ConfigSourceSpecifier: &corev3.ConfigSource_Ads{Ads: &corev3.AggregatedConfigSource{}}},
	}
}

// keepUsedEndpoints drops the endpoints that no cluster asks for: a dump lists those of clusters by DNS too, as they were
// resolved at that moment.
func (s *Set) keepUsedEndpoints() {
	clusters := s.AllClusters()
	if len(clusters) == 0 {
		return
	}
	wanted := map[string]bool{}
	for _, cluster := range clusters {
		if cluster.GetType() == clusterv3.Cluster_EDS {
			wanted[serviceName(cluster)] = true
		}
	}
	var kept []*endpointv3.ClusterLoadAssignment
	for _, assignment := range s.Endpoints {
		if wanted[assignment.GetClusterName()] {
			kept = append(kept, assignment)
		}
	}
	s.Endpoints = kept
}

// layOut takes the secrets out, and makes references to files name them by our layout.
func (s *Set) layOut() {
	name := func(r reference) bool {
		if r.file() == "" {
			return false
		}
		r.setFile(SourcePath(r.Kind.path(r.Name)))
		return true
	}
	tidy := func(message proto.Message) {
		redact(message)
		eachReference(message, name)
	}
	tidy(s.Bootstrap)
	tidyAll(s.Listeners, tidy)
	tidyAll(s.Clusters, tidy)
	tidyAll(s.Secrets, tidy)
	tidyAll(s.Routes, redact)
}

func tidyAll[M proto.Message](messages []M, tidy func(proto.Message)) {
	for _, m := range messages {
		tidy(m)
	}
}

// nodeName is the name of the set that a node belongs to: our own renderings start Envoy as <namespace>/<gateway>.
func nodeName(bootstrap *bootstrapv3.Bootstrap) string {
	namespace, name, ok := strings.Cut(bootstrap.GetNode().GetId(), "/")
	if !ok || namespace == "" || name == "" || strings.Contains(name, "/") {
		return ""
	}
	return namespace + "-" + name
}
