package fleet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	"google.golang.org/protobuf/proto"

	"github.com/routedelta/routedelta/render/files"
)

// steps are the kinds of files in the order in which a running Envoy can lose no request over them: what is named comes before
// what names it. Clusters come twice, first with those that the old routes still name and last without.
var steps = [...]string{"sds/", "eds/", files.ClustersPath, "rds/", files.ListenersPath}

// errBootstrap is the error for what no file can change in a running Envoy.
var errBootstrap = errors.New("the bootstrap has changed, which takes a new Envoy")

// update replaces the files of a running Envoy.
func (e *envoy) update(ctx context.Context, set *files.Set, secret secretReader) error {
	if !proto.Equal(e.set.Bootstrap, set.Bootstrap) {
		return errBootstrap
	}
	if err := e.mount(ctx, set, secret); err != nil {
		return err
	}
	wanted, err := files.Encode(set, files.Options{})
	if err != nil {
		return err
	}
	both, err := files.Encode(withClustersOf(set, e.set), files.Options{})
	if err != nil {
		return err
	}
	for _, step := range steps {
		if err := e.replace(ctx, step, both); err != nil {
			return err
		}
	}
	if err := e.replace(ctx, files.ClustersPath, wanted); err != nil {
		return err
	}
	e.set = set
	return e.removeStale(wanted)
}

// withClustersOf is a set that has the clusters of another too, where it has none of that name.
func withClustersOf(set, other *files.Set) *files.Set {
	both := *set
	both.Clusters = slices.Clone(set.Clusters)
	for _, old := range other.Clusters {
		if !slices.ContainsFunc(set.Clusters, func(c *clusterv3.Cluster) bool { return c.Name == old.Name }) {
			both.Clusters = append(both.Clusters, old)
		}
	}
	slices.SortFunc(both.Clusters, func(a, b *clusterv3.Cluster) int { return strings.Compare(a.Name, b.Name) })
	return &both
}

// replace renames the files of one step into their places, where they differ from those that are there, and waits until Envoy
// has taken them.
func (e *envoy) replace(ctx context.Context, step string, all []files.File) error {
	var changed []files.File
	for _, file := range all {
		if !strings.HasPrefix(file.Path, step) {
			continue
		}
		have, err := os.ReadFile(e.path(file.Path))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			// Nobody subscribes to it yet; what will names it in a later step, which waits for it.
			if err := e.write(file); err != nil {
				return err
			}
		case err != nil:
			return err
		case !bytes.Equal(have, file.Data):
			changed = append(changed, file)
		}
	}
	if changed == nil {
		return nil
	}
	before, err := e.stats(ctx)
	if err != nil {
		return err
	}
	for _, file := range changed {
		if err := e.write(file); err != nil {
			return err
		}
	}
	return e.wait(ctx, "replacing "+names(changed), taken(e, changed, before))
}

func names(changed []files.File) string {
	var paths []string
	for _, file := range changed {
		paths = append(paths, file.Path)
	}
	return strings.Join(paths, ", ")
}

func (e *envoy) path(file string) string {
	return filepath.Join(e.directory(), filepath.FromSlash(file))
}

// write puts a file in its place in one step, the only one that Envoy sees. Its temporary name stands in another directory, so
// that no watcher meets it.
func (e *envoy) write(file files.File) error {
	temporary := filepath.Join(e.root, "next")
	if err := os.WriteFile(temporary, file.Data, 0o644); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(e.path(file.Path)), 0o755); err != nil {
		return err
	}
	return os.Rename(temporary, e.path(file.Path))
}

// removeStale deletes the files that nothing names any more.
func (e *envoy) removeStale(wanted []files.File) error {
	keep := map[string]bool{}
	for _, file := range wanted {
		keep[e.path(file.Path)] = true
	}
	for _, pattern := range []string{"rds/*", "eds/*", "sds/*"} {
		found, err := filepath.Glob(e.path(pattern))
		if err != nil {
			return err
		}
		for _, path := range found {
			if keep[path] {
				continue
			}
			if err := os.Remove(path); err != nil {
				return fmt.Errorf("removing a stale file: %w", err)
			}
		}
	}
	return nil
}
