package source

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/yamlnode"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// follower knows the objects of a kind that point to other parts of the tree.
type follower struct {
	// claims are the directories of this tree that an object says it applies; what belongs to them is not read by itself.
	claims func(*collector, object) []string
	// follow reads what an object points to. What cannot be read is told; the error is for a cancelled context.
	follow func(*collector, object) error
}

// pointing are the groups of the kinds that point, as texts that have to be in a manifest of one.
var pointing = []string{"kustomize.toolkit.fluxcd.io", "helm.toolkit.fluxcd.io", "argoproj.io"}

// followers by kind.
func followers() map[groupKind]*follower {
	return map[groupKind]*follower{
		{"kustomize.toolkit.fluxcd.io", "Kustomization"}: {(*collector).fluxClaims, (*collector).followFlux},
		{"helm.toolkit.fluxcd.io", "HelmRelease"}:        {(*collector).claimsNothing, (*collector).followHelmRelease},
		{"argoproj.io", "Application"}:                   {(*collector).argoClaims, (*collector).followArgo},
		{"argoproj.io", "ApplicationSet"}:                {(*collector).argoSetClaims, (*collector).followArgoSet},
	}
}

// mostFollowed bounds the objects that are followed: each can make more.
const mostFollowed = 2000

// seen notes of an object, as it would be applied, whether it points somewhere or holds values of variables.
func (c *collector) seen(data []byte, places []diagnostic.Position) {
	text := string(data)
	isPointer := slices.ContainsFunc(pointing, func(group string) bool { return strings.Contains(text, group) })
	if !isPointer && !strings.Contains(text, "ConfigMap") {
		return
	}
	roots, _ := yamlnode.Documents(data) // it was written here
	for _, root := range roots {
		for _, o := range objectsOf(root, "") {
			if len(places) > 0 {
				o.at, o.lines = places[0], places
			}
			c.register(o)
		}
	}
}

// register queues an object that points somewhere, and keeps one that holds values.
func (c *collector) register(o object) {
	switch {
	case followers()[o.groupKind()] != nil:
		c.queue = append(c.queue, o)
	case o.groupKind() == groupKind{"", "ConfigMap"}:
		c.configMaps = append(c.configMaps, o)
	}
}

// identity tells objects apart: those of two clusters may have the same name. One that applies itself into another namespace is the same.
func identity(o object) string {
	spec := yamlnode.Get(o.node, "spec")
	if spec == nil {
		spec = new(yaml.Node)
	}
	text, _ := yaml.Marshal(spec) // it was parsed
	return fmt.Sprintf("%v %s %x", o.groupKind(), o.name(), sha256.Sum256(text))
}

// followAll follows what is queued, and what comes of it. Objects that others depend on come first.
func (c *collector) followAll() error {
	for len(c.queue) > 0 {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		o := c.nextPointer()
		if id := identity(o); c.followed[id] {
			continue
		} else if len(c.followed) >= mostFollowed {
			c.unread(o.at.File, formFlux, fmt.Sprintf("more than %d objects that point to others", mostFollowed))
			c.queue = nil
			return nil
		} else {
			c.followed[id] = true
		}
		c.met[meeting(o)] = true
		if err := followers()[o.groupKind()].follow(c, o); err != nil {
			return err
		}
	}
	return nil
}

// nextPointer takes the first of the queue that depends on no other in it, or else the first.
func (c *collector) nextPointer() object {
	waiting := map[string]bool{}
	for _, o := range c.queue {
		waiting[o.name()] = true
	}
	next := max(0, slices.IndexFunc(c.queue, func(o object) bool {
		on := yamlnode.Get(o.node, "spec", "dependsOn")
		return on == nil || !slices.ContainsFunc(on.Content, func(d *yaml.Node) bool { return waiting[yamlnode.Text(d, "name")] })
	}))
	o := c.queue[next]
	c.queue = slices.Delete(c.queue, next, next+1)
	return o
}

// meeting tells by what is the same in a manifest and in the object that is made of it, whether the object was met.
func meeting(o object) string {
	return fmt.Sprintf("%v %s %s", o.groupKind(), o.name(), yamlnode.Text(o.node, "spec", "path"))
}

// followRest follows the pointers of the manifests that nothing has led to: those that apply themselves, as Flux does for the cluster
// that it runs in. The shortest path first: it holds the others.
func (c *collector) followRest(s *scan) error {
	rest := slices.Clone(s.pointers)
	slices.SortStableFunc(rest, func(a, b object) int {
		return len(yamlnode.Text(a.node, "spec", "path")) - len(yamlnode.Text(b.node, "spec", "path"))
	})
	for _, o := range rest {
		if c.met[meeting(o)] {
			continue
		}
		c.queue = append(c.queue, o)
		if err := c.followAll(); err != nil {
			return err
		}
	}
	return nil
}
