package envoy

import (
	"context"
	"fmt"

	"github.com/routedelta/routedelta/render/files"
)

// KeepClustersFrom gives renderings the clusters that the routes of an earlier rendering use, Gateway by Gateway. It is for a volume whose
// files all change at once, where nobody can install the clusters of both sides in between: while Envoy reads the files, one after
// the other, it then has every cluster that either routes name. What the earlier rendering itself had only kept is not kept on.
func KeepClustersFrom(ctx context.Context, dir string, sets []*files.Set) ([]*files.Set, error) {
	loaded, err := files.Load(ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("reading the clusters to keep: %w", err)
	}
	earlier := map[string]*files.Set{}
	for _, set := range loaded {
		earlier[set.Name] = set
	}
	var kept []*files.Set
	for _, set := range sets {
		if old := earlier[set.Name]; old != nil {
			set = files.KeepClusters(set, files.InUse(old))
		}
		kept = append(kept, set)
	}
	return kept, nil
}
