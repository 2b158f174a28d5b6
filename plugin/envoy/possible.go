package envoy

import (
	"context"
	"fmt"

	"github.com/routedelta/routedelta/render/files"
)

// refuseImpossible refuses what no replaced file can bring to a running Envoy.
func (c *change) refuseImpossible(ctx context.Context) error {
	if c.before == nil || c.options.Offline {
		running := c.options.Admin
		// Nothing is to be waited for.
		c.options.Admin = nil
		return c.refuseRunning(ctx, running)
	}
	if fields := files.RestartFor(c.before.set.Bootstrap, c.after.set.Bootstrap); len(fields) > 0 {
		return &RestartError{Fields: fields}
	}
	if watched := files.Subscriptions(files.KeepClusters(c.after.set, c.before.set)); c.options.MaxWatches > 0 && watched >= c.options.MaxWatches {
		return &WatchesError{Watched: watched, Most: c.options.MaxWatches}
	}
	bounded, cancel := context.WithTimeout(ctx, c.options.Patience)
	defer cancel()
	id, cluster, err := c.options.Admin.node(bounded)
	if err != nil {
		return err
	}
	if !c.runs(id, cluster) {
		return &ForeignError{Address: c.options.Admin.address, Node: id, Wanted: c.before.set.Bootstrap.GetNode().GetId()}
	}
	return checkMounted(c.live.dir, c.after)
}

// runs tells whether the Envoy of this node may be the one that runs in the directory.
func (c *change) runs(id, cluster string) bool {
	node := c.before.set.Bootstrap.GetNode()
	return (id == "" || id == node.GetId()) && (cluster == "" || cluster == node.GetCluster())
}

// refuseRunning refuses to replace files without waiting while an Envoy watches them.
func (c *change) refuseRunning(ctx context.Context, admin *Admin) error {
	if c.before == nil || admin == nil {
		return nil
	}
	bounded, cancel := context.WithTimeout(ctx, silence)
	defer cancel()
	if id, cluster, err := admin.node(bounded); err == nil && c.runs(id, cluster) {
		return fmt.Errorf("%w: it answers at %s", ErrRunning, admin.address)
	}
	return nil
}
