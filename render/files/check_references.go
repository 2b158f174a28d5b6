package files

import (
	"maps"
	"slices"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	tcpproxyv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/tcp_proxy/v3"
	udpproxyv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/udp/udp_proxy/v3"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// checkReferences finds names that no resource has. Envoy takes nearly all of them and answers 503, or nothing at all.
func (c *checker) checkReferences() {
	for _, n := range c.current.nodes {
		for _, r := range referencesOf(n.message) {
			r.Field = at(n.path, r.Field)
			c.checkSource(r)
		}
		switch m := n.message.(type) {
		case *routev3.RouteAction:
			c.checkRouteClusters(n.path, m)
		case *tcpproxyv3.TcpProxy:
			c.checkForward(at(n.path, "cluster"), m.GetCluster())
			for _, share := range m.GetWeightedClusters().GetClusters() {
				c.checkForward(at(n.path, "weighted_clusters"), share.Name)
			}
		case *udpproxyv3.Route:
			c.checkForward(at(n.path, "cluster"), m.Cluster)
		case *udpproxyv3.UdpProxyConfig:
			c.checkForward(at(n.path, "cluster"), m.GetCluster())
		case *corev3.HttpUri:
			c.checkCluster(at(n.path, "cluster"), m.GetCluster())
		case *corev3.GrpcService_EnvoyGrpc:
			c.checkCluster(at(n.path, "cluster_name"), m.GetClusterName())
		case *corev3.ApiConfigSource:
			for _, name := range m.ClusterNames {
				c.checkCluster(at(n.path, "cluster_names"), name)
			}
		}
	}
}

// checkSource checks one reference to another file, and that the resource behind it is there.
func (c *checker) checkSource(r reference) {
	if r.Source == nil {
		c.checkStaticSource(r)
		return
	}
	if r.file() == "" || r.Kind == listenerKind || r.Kind == clusterKind {
		return
	}
	if !c.has(r.Kind, r.Name) {
		c.errorf(diagnostic.DeadReference, r.Field, "no %s is called %q%s", r.Kind, r.Name, c.hint(r.Kind, r.Name))
		return
	}
	if want := SourcePath(r.Kind.path(r.Name)); r.file() != want && FlatName(r.file()) != FlatName(want) {
		c.errorf(diagnostic.DeadReference, r.Field, "%s %q is looked for in %s, and its file is %s", r.Kind, r.Name, r.file(), want)
	}
}

// checkStaticSource: without a source a secret is a static one; endpoints and routes must say where they come from.
func (c *checker) checkStaticSource(r reference) {
	switch r.Kind {
	case secretKind:
		for _, secret := range c.set.Bootstrap.GetStaticResources().GetSecrets() {
			if secret.Name == r.Name {
				return
			}
		}
		c.errorf(diagnostic.DeadReference, r.Field, "no static Secret is called %q", r.Name)
	case endpointKind:
		c.errorf(diagnostic.DeadReference, r.Field, "an EDS cluster needs an eds_config: Envoy refuses it")
	}
}

func (c *checker) checkRouteClusters(path string, action *routev3.RouteAction) {
	invalidAnswers500 := action.GetClusterNotFoundResponseCode() == routev3.RouteAction_INTERNAL_SERVER_ERROR
	check := func(field, name string) {
		if name != InvalidBackend || !invalidAnswers500 {
			c.checkCluster(at(path, field), name)
		}
	}
	if _, ok := action.GetClusterSpecifier().(*routev3.RouteAction_Cluster); ok {
		check("cluster", action.GetCluster())
	}
	for _, share := range action.GetWeightedClusters().GetClusters() {
		if share.GetClusterHeader() == "" {
			check("weighted_clusters", share.GetName())
		}
	}
	for _, mirror := range action.GetRequestMirrorPolicies() {
		if mirror.GetClusterHeader() == "" {
			c.checkCluster(at(path, "request_mirror_policies"), mirror.GetCluster())
		}
	}
}

// checkForward: what goes to the cluster that never exists is closed, or dropped.
func (c *checker) checkForward(field, name string) {
	if name != InvalidBackend {
		c.checkCluster(field, name)
	}
}

// checkCluster: an empty name is left to the constraints.
func (c *checker) checkCluster(field, name string) {
	if name == "" || c.has(clusterKind, name) || c.clustersComeFromElsewhere() {
		return
	}
	c.errorf(diagnostic.DeadReference, field, "no Cluster is called %q%s", name, c.hint(clusterKind, name))
}

// clustersComeFromElsewhere: a control plane may have any cluster.
func (c *checker) clustersComeFromElsewhere() bool {
	if c.anyCluster {
		return true
	}
	cds := c.set.Bootstrap.GetDynamicResources().GetCdsConfig()
	return cds != nil && (reference{Source: cds}).file() == ""
}

// has tells whether a resource of that kind and name is among the files (for clusters, the static ones too).
func (c *checker) has(k kind, name string) bool { return c.names[k][name] > 0 }

// hint names the resource that was probably meant.
func (c *checker) hint(k kind, name string) string {
	near := diagnostic.Nearest(name, slices.Sorted(maps.Keys(c.names[k])))
	if near == "" {
		return ""
	}
	return "; is " + near + " meant?"
}
