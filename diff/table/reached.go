package table

import clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"

// ReachedOtherwise are the backends of which one set has a cluster that the other does not have in the same form, with the same
// endpoints. Reading messages field by field costs much more than comparing them, and nearly all are the same: only these are
// worth a Connection.
func (c *Clusters) ReachedOtherwise() map[Backend]bool {
	suspects := map[Backend]bool{}
	for _, change := range c.changes {
		if change.was != nil {
			suspects[c.Before.Identify(change.was)] = true
		}
		if change.is != nil {
			suspects[c.After.Identify(change.is)] = true
		}
	}
	return suspects
}

// usesEDS: the endpoints are not in the clusters themselves.
func usesEDS(was, is *clusterv3.Cluster) bool {
	return was.GetType() == clusterv3.Cluster_EDS || is.GetType() == clusterv3.Cluster_EDS
}
