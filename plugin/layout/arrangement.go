package layout

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// maxDepth is how deep folders of clusters are looked for.
const maxDepth = 6

// arrangement is one way in which a tree may hold several clusters.
type arrangement struct {
	why     string
	folders []string
}

// group is a folder with a folder for each cluster in it.
type group struct {
	names []string
	// least is how many of these there must be: one cluster under clusters/ is a cluster, one overlay is just a folder.
	least int
	why   string
}

func groups() []group {
	return []group{
		{[]string{"clusters", "cluster"}, 1, "a folder for each cluster"},
		{[]string{"environments", "envs", "stages"}, 2, "a folder for each environment"},
		{[]string{"overlays"}, 2, "an overlay for each environment"},
	}
}

// groupFolders are the names of all groups.
func groupFolders() []string {
	var names []string
	for _, g := range groups() {
		names = append(names, g.names...)
	}
	return names
}

// arrangements are those that the names of folders speak for, the likeliest first.
func arrangements(folders []string) []arrangement {
	var found []arrangement
	for _, named := range groups() {
		if below := belowNamed(folders, named.names); len(below) >= named.least {
			found = append(found, arrangement{named.why, below})
		}
	}
	if both := withApps(folders); len(both) > 1 {
		found = append(found, arrangement{"each of these folders has its own apps", both})
	}
	return found
}

// belowNamed are the folders right below one of these names, of the shallowest that there are.
func belowNamed(folders, names []string) []string {
	var below []string
	depth := maxDepth
	for _, folder := range folders {
		parent := path.Dir(folder)
		d := strings.Count(parent, "/")
		if !slices.Contains(names, path.Base(parent)) || d > depth {
			continue
		}
		if d < depth {
			below, depth = nil, d
		}
		below = append(below, folder)
	}
	return below
}

// withApps are the siblings that each have a folder apps (kubernetes/main/apps, kubernetes/edge/apps), of the shallowest that there are.
func withApps(folders []string) []string {
	byParent := map[string][]string{}
	var parents []string
	for _, folder := range folders {
		if owner := path.Dir(folder); path.Base(folder) == "apps" && owner != "." {
			parent := path.Dir(owner)
			if byParent[parent] == nil {
				parents = append(parents, parent)
			}
			byParent[parent] = append(byParent[parent], owner)
		}
	}
	slices.SortStableFunc(parents, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
	for _, parent := range parents {
		if len(byParent[parent]) > 1 {
			return byParent[parent]
		}
	}
	return nil
}

// foldersOf are the folders of a tree that may hold manifests, sorted.
func foldersOf(ctx context.Context, tree fs.FS) ([]string, error) {
	var folders []string
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case name == "." && err == nil:
			return nil
		case err != nil || !entry.IsDir():
			return nil // what cannot be listed is said where it is read
		case strings.HasPrefix(entry.Name(), ".") || strings.Count(name, "/") > maxDepth:
			return fs.SkipDir
		}
		folders = append(folders, name)
		return nil
	})
	return folders, err
}
