package source

import (
	"bytes"
	"slices"

	"github.com/routedelta/routedelta/plugin/yamlnode"
	"github.com/routedelta/routedelta/render/manifest"
)

// rawObjects are the objects of a kind in the manifests of the whole tree, as they are written: what is asked for may be outside of
// the path that the caller named, and need not have been built yet. The tree is read for it once.
func (c *collector) rawObjects(of groupKind) []object {
	if c.raw == nil {
		c.raw = map[groupKind][]object{}
		everything, _, err := manifest.WalkFS(c.ctx, c.tree, ".", c.options.Limits)
		if err != nil {
			return nil // the path that was named is read all the same, and says what is wrong
		}
		for _, text := range everything {
			c.rawObjectsOf(text)
		}
	}
	return c.raw[of]
}

func (c *collector) rawObjectsOf(text manifest.Source) {
	holds := func(kind string) bool { return bytes.Contains(text.Data, []byte(kind)) }
	if !slices.ContainsFunc([]string{"ConfigMap", "GitRepository", "Secret"}, holds) {
		return
	}
	roots, _ := yamlnode.Documents(text.Data) // as far as it is YAML
	for _, root := range roots {
		if manifest.CheckBounds(root, manifest.Limits{}) != nil {
			continue
		}
		for _, o := range objectsOf(root, text.Name) {
			c.raw[o.groupKind()] = append(c.raw[o.groupKind()], o)
		}
	}
}
