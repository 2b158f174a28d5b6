package table

import (
	"bytes"

	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	"google.golang.org/protobuf/proto"

	"github.com/routedelta/routedelta/render/files"
)

// ReachedOtherwise are the backends of which one set has a cluster that the other does not have in the same form, with the same
// endpoints. Reading messages field by field costs much more than comparing them, and nearly all are the same: only these are
// worth a Connection.
func ReachedOtherwise(before, after *files.Set) map[Backend]bool {
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
		case !same(was, cluster) || !same(assignedBefore.Of(was), assignedAfter.Of(cluster)):
			suspects[Identify(was)], suspects[Identify(cluster)] = true, true
		}
	}
	for _, cluster := range gone {
		suspects[Identify(cluster)] = true
	}
	return suspects
}

// same tells whether two messages are equal. Their bytes are compared: proto.Equal goes by reflection and takes longer.
// Equal messages have equal bytes within one program; where others do, the fields are compared later on.
func same(a, b proto.Message) bool {
	write := proto.MarshalOptions{Deterministic: true, AllowPartial: true}
	was, err := write.Marshal(a)
	if err != nil {
		return false
	}
	is, err := write.Marshal(b)
	return err == nil && bytes.Equal(was, is)
}
