package table

import (
	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	"google.golang.org/protobuf/proto"

	"github.com/routedelta/routedelta/render/files"
)

// ReachedOtherwise are the backends of which one set has a cluster that the other does not have in the same form, with the same
// endpoints. Reading messages field by field costs much more than comparing them, and nearly all are the same: only these are
// worth a Connection.
func ReachedOtherwise(before, after *files.Set) map[Backend]bool {
	suspects := map[Backend]bool{}
	addSuspects(suspects, before, after)
	addSuspects(suspects, after, before)
	return suspects
}

// addSuspects notes the backends of clusters that the other set does not have in the same form.
func addSuspects(suspects map[Backend]bool, set, other *files.Set) {
	counterpart := map[string]*clusterv3.Cluster{}
	for _, cluster := range other.AllClusters() {
		counterpart[cluster.GetName()] = cluster
	}
	assigned, otherAssigned := ReadAssignments(set), ReadAssignments(other)
	for _, cluster := range set.AllClusters() {
		same := counterpart[cluster.GetName()]
		if same == nil || !proto.Equal(cluster, same) || !proto.Equal(assigned.Of(cluster), otherAssigned.Of(same)) {
			suspects[Identify(cluster)] = true
		}
	}
}
