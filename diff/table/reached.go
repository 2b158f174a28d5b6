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
	var compared twoTexts
	for _, cluster := range after.AllClusters() {
		was := gone[cluster.GetName()]
		delete(gone, cluster.GetName())
		switch {
		case was == nil:
			suspects[Identify(cluster)] = true
		case !compared.same(was, cluster) || !compared.same(assignedBefore.Of(was), assignedAfter.Of(cluster)):
			suspects[Identify(was)], suspects[Identify(cluster)] = true, true
		}
	}
	for _, cluster := range gone {
		suspects[Identify(cluster)] = true
	}
	return suspects
}

// twoTexts is the room for the bytes of two messages, for one pair after the other.
type twoTexts struct{ was, is []byte }

// same tells whether two messages are equal. Their bytes are compared: proto.Equal goes by reflection and takes longer.
// Equal messages have equal bytes within one program; where others do, the fields are compared later on.
func (t *twoTexts) same(a, b proto.Message) bool {
	write := proto.MarshalOptions{Deterministic: true, AllowPartial: true}
	var err error
	if t.was, err = write.MarshalAppend(t.was[:0], a); err != nil {
		return false
	}
	t.is, err = write.MarshalAppend(t.is[:0], b)
	return err == nil && bytes.Equal(t.was, t.is)
}
