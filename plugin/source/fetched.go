package source

import (
	"context"
	"path"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// fetch brings what a kustomization names on the network, and gives the directory where it stands in the tree from now on.
func (c *collector) fetch(ctx context.Context, reference string, at diagnostic.Position) (string, error) {
	place, err := c.options.Network.Get(ctx, reference)
	if err != nil {
		return "", err
	}
	c.tree.mount(place.Name, place.Tree, at)
	c.read(path.Join(place.Name, place.Directory), formKustomization)
	return path.Join(place.Name, place.Directory), nil
}
