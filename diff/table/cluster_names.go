package table

import (
	"fmt"
	"slices"
	"strings"

	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	"google.golang.org/protobuf/proto"

	"github.com/routedelta/routedelta/render/files"
)

// Clusters compares the clusters of two sets, and says which of them are one backend.
//
// A backend is where requests go. Where metadata or the pattern of a name tells of a Service, that is the backend. Of every other
// cluster the name is all there is, until a comparison shows that names mean nothing: makers of configuration count their clusters,
// or name them after routes. So it goes by what the clusters hold (see content), in three steps:
//
//  1. Where clusters of one content have the same names on both sides, each keeps its name: one backend for each. They send requests
//     to the same endpoints, yet whoever moves a route from one to another of them says so by name, and has a reason: each has
//     connections and limits of its own.
//  2. Where clusters of one content have other names on the other side, they are one backend together. Which of them became which no
//     file tells; that requests go to these endpoints, on both sides, and that shares of two of them add up, is true of all.
//  3. Every other cluster keeps its name: one backend, of which something else has changed. A name that is in step 2 on one side
//     only is two backends.
//
// A fourth thing goes by what the clusters say: where the one cluster of a backend speaks TLS on one side only, it is the same one, reached
// otherwise (see matchVariants).
//
// Names that a request chooses (cluster_header, plugins) are not for the files to change: where a route of either side leaves its cluster
// to the request, or a server may know of more clusters, step 2 is left out.
type Clusters struct {
	before, after *files.Set
	assigned      [2]Assignments
	changes       []clusterChange
	// Before and After are how the clusters of a side are known.
	Before, After Names
}

// Names are how clusters are known of which each cluster by itself says something else. The zero value has none.
type Names struct {
	// backends of clusters, and variants of backends, by the name of the cluster.
	backends map[string]Backend
	variants map[string]string
}

// text is how a cluster is to be called in a text that is compared.
func (n Names) text(cluster string) string {
	if b, ok := n.backends[cluster]; ok {
		return b.Cluster
	}
	return cluster
}

// Identify is the identity of a cluster's backend: the Service and port that its metadata or its name says, else its name.
func (n Names) Identify(cluster *clusterv3.Cluster) Backend { return n.identify(cluster).Backend }

func (n Names) identify(cluster *clusterv3.Cluster) clusterBackend {
	if b, ok := n.backends[cluster.GetName()]; ok {
		return clusterBackend{Backend: b}
	}
	found := identify(cluster)
	if variant, ok := n.variants[cluster.GetName()]; ok {
		found.variant = variant
	}
	return found
}

// clusterChange is a name under which the sets do not have the same cluster with the same endpoints. Nil is none.
type clusterChange struct{ was, is *clusterv3.Cluster }

// CompareClusters compares the clusters of two sets. Same tells whether two messages are equal: who has their digests knows it soon.
// Without it their fields are compared.
func CompareClusters(before, after *files.Set, same func(was, is proto.Message) bool) *Clusters {
	if same == nil {
		same = proto.Equal
	}
	c := &Clusters{before: before, after: after, assigned: [2]Assignments{ReadAssignments(before), ReadAssignments(after)}}
	c.compare(same)
	if slices.ContainsFunc(c.changes, clusterChange.namesBackend) && !hasForeignClusters(before) && !hasForeignClusters(after) {
		c.name()
	}
	c.matchVariants()
	return c
}

func (c *Clusters) compare(same func(was, is proto.Message) bool) {
	gone := map[string]*clusterv3.Cluster{}
	for _, cluster := range c.before.AllClusters() {
		gone[cluster.GetName()] = cluster
	}
	for _, cluster := range c.after.AllClusters() {
		was := gone[cluster.GetName()]
		delete(gone, cluster.GetName())
		if was == nil || !same(was, cluster) || usesEDS(was, cluster) && !same(c.assigned[0].Of(was), c.assigned[1].Of(cluster)) {
			c.changes = append(c.changes, clusterChange{was, cluster})
		}
	}
	for _, was := range gone {
		c.changes = append(c.changes, clusterChange{was, nil})
	}
}

// namesBackend tells whether one of the two clusters is known by its name only.
func (c clusterChange) namesBackend() bool {
	return c.was != nil && knownByName(c.was) || c.is != nil && knownByName(c.is)
}

func knownByName(cluster *clusterv3.Cluster) bool {
	return identify(cluster).Backend == Backend{Cluster: cluster.GetName()}
}

// sameContent are the names of the clusters of one content on both sides, sorted.
type sameContent [2][]string

// name is step 2: clusters whose content is on both sides under other names become one backend.
func (c *Clusters) name() {
	var groups []*sameContent
	byContent := map[string]*sameContent{}
	taken := map[string]bool{}
	for side, set := range []*files.Set{c.before, c.after} {
		for _, cluster := range uniqueClusters(set) {
			taken[cluster.GetName()] = true
			if !knownByName(cluster) {
				continue
			}
			sum, tells := content(cluster, c.assigned[side].Of(cluster))
			if !tells {
				continue
			}
			if byContent[sum] == nil {
				byContent[sum] = &sameContent{}
				groups = append(groups, byContent[sum])
			}
			byContent[sum][side] = append(byContent[sum][side], cluster.GetName())
		}
	}
	groups = slices.DeleteFunc(groups, func(g *sameContent) bool { return !g.renamed() })
	if len(groups) == 0 || requestsChoose(c.before) || requestsChoose(c.after) {
		return
	}
	c.Before.backends, c.After.backends = map[string]Backend{}, map[string]Backend{}
	for _, group := range groups {
		group.enter(c.Before.backends, c.After.backends, taken)
	}
}

// uniqueClusters are the clusters whose name is that of no other, by name.
func uniqueClusters(set *files.Set) []*clusterv3.Cluster {
	clusters := set.AllClusters()
	slices.SortStableFunc(clusters, func(a, b *clusterv3.Cluster) int { return strings.Compare(a.GetName(), b.GetName()) })
	var unique []*clusterv3.Cluster
	for i, cluster := range clusters {
		twice := i > 0 && clusters[i-1].GetName() == cluster.GetName() || i+1 < len(clusters) && clusters[i+1].GetName() == cluster.GetName()
		if !twice {
			unique = append(unique, cluster)
		}
	}
	return unique
}

// renamed: both sides have the content, and not under the same names.
func (g *sameContent) renamed() bool {
	return len(g[0]) > 0 && len(g[1]) > 0 && !slices.Equal(g[0], g[1])
}

// enter makes the clusters one backend, under a name that nothing else has.
func (g *sameContent) enter(before, after map[string]Backend, taken map[string]bool) {
	b := Backend{Cluster: fmt.Sprintf("%s (now %s)", joinNames(g[0]), joinNames(g[1]))}
	for taken[b.Cluster] {
		b.Cluster += "'"
	}
	taken[b.Cluster] = true
	for side, names := range []map[string]Backend{before, after} {
		for _, cluster := range g[side] {
			names[cluster] = b
		}
	}
}

// joinNames are the names of clusters that hold the same.
func joinNames(names []string) string {
	const few = 3
	if len(names) > few {
		return fmt.Sprintf("%s = %d more", strings.Join(names[:few-1], " = "), len(names)-few+1)
	}
	return strings.Join(names, " = ")
}
