package table

import (
	"strings"

	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"

	"github.com/routedelta/routedelta/render/files"
)

// encrypted ends the names of our own clusters for backends that are spoken to by TLS.
const encrypted = "/tls"

// matchVariants takes the cluster of a backend for the same one on both sides where TLS came or went and nothing else tells it apart:
// each side has one such cluster. What differs is how the backend is reached, and that is said of it once. Where a side has both, routes
// choose between them, and the names stay.
func (c *Clusters) matchVariants() {
	var clusters [2]map[clusterBackend][]*clusterv3.Cluster
	if !c.tlsCameOrWent() {
		return
	}
	for side, set := range []*files.Set{c.before, c.after} {
		clusters[side] = byPlainVariant(set)
	}
	c.Before.variants, c.After.variants = map[string]string{}, map[string]string{}
	for key, was := range clusters[0] {
		is := clusters[1][key]
		if len(was) == 1 && len(is) == 1 && was[0].GetName() != is[0].GetName() {
			c.Before.variants[was[0].GetName()], c.After.variants[is[0].GetName()] = key.variant, key.variant
		}
	}
}

// tlsCameOrWent tells whether there is anything to match.
func (c *Clusters) tlsCameOrWent() bool {
	for _, change := range c.changes {
		for _, cluster := range []*clusterv3.Cluster{change.was, change.is} {
			if cluster != nil && (change.was == nil || change.is == nil) && strings.HasSuffix(identify(cluster).variant, encrypted) {
				return true
			}
		}
	}
	return false
}

// byPlainVariant sorts the clusters of a set by what they would be without TLS.
func byPlainVariant(set *files.Set) map[clusterBackend][]*clusterv3.Cluster {
	found := map[clusterBackend][]*clusterv3.Cluster{}
	for _, cluster := range set.AllClusters() {
		if key := identify(cluster); key.Service != "" {
			key.variant = strings.TrimSuffix(key.variant, encrypted)
			found[key] = append(found[key], cluster)
		}
	}
	return found
}
