package table

import (
	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	"google.golang.org/protobuf/proto"

	"github.com/routedelta/routedelta/render/files"
)

// ReachedOtherwise are the backends of which one set has a cluster that the other does not have in the same form, with the same
// endpoints. Reading messages field by field costs much more than comparing them, and nearly all are the same: only these are
// worth a Connection. Same tells whether two messages are equal.
func ReachedOtherwise(before, after *files.Set, same func(was, is proto.Message) bool) map[Backend]bool {
	suspects := map[Backend]bool{}
	gone := map[string]*clusterv3.Cluster{}
	for _, cluster := range before.AllClusters() {
		gone[cluster.GetName()] = cluster
	}
	assignedBefore, assignedAfter := ReadAssignments(before), ReadAssignments(after)
	for _, cluster := range after.AllClusters() {
		was := gone[cluster.GetName()]
		delete(gone, cluster.GetName())
		switch {
		case was == nil:
			suspects[Identify(cluster)] = true
		case !same(was, cluster) || usesEDS(was, cluster) && !same(assignedBefore.Of(was), assignedAfter.Of(cluster)):
			suspects[Identify(was)], suspects[Identify(cluster)] = true, true
		}
	}
	for _, cluster := range gone {
		suspects[Identify(cluster)] = true
	}
	return suspects
}

// usesEDS: the endpoints are not in the clusters themselves.
func usesEDS(was, is *clusterv3.Cluster) bool {
	return was.GetType() == clusterv3.Cluster_EDS || is.GetType() == clusterv3.Cluster_EDS
}
