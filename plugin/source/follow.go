package source

import (
	"cmp"
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

// Bounds on objects that are followed, as each can make more: how many there are, and how many may stand between a file and one.
const (
	mostFollowed = 2000
	mostMakers   = 10
)

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
		o.by = c.following
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
		id := identity(o)
		if c.followed[id] || o.isMadeByItself() {
			continue
		}
		if over := c.overBounds(o); over != "" {
			c.followsNoMore(o, over)
			return nil
		}
		c.followed[id], c.met[meeting(o)] = true, true
		if err := c.followOne(o); err != nil {
			return err
		}
	}
	return nil
}

// followOne follows an object; what it makes is made by it.
func (c *collector) followOne(o object) error {
	before := c.following
	defer func() { c.following = before }()
	c.following = &o
	c.withoutFields(o, formOf(o))
	c.Pointers = append(c.Pointers, Pointer{Object: o.identified(), Position: o.at})
	return followers()[o.groupKind()].follow(c, o)
}

// formOf is what a part is that an object points to.
func formOf(o object) string {
	switch o.groupKind().group {
	case "argoproj.io":
		return formArgo
	case "helm.toolkit.fluxcd.io":
		return formHelm
	}
	return formFlux
}

// isMadeByItself tells whether an object of the same name has made this one: one that applies itself, with other values each time, would do
// so for ever.
func (o object) isMadeByItself() bool {
	for maker := o.by; maker != nil; maker = maker.by {
		if maker.groupKind() == o.groupKind() && maker.name() == o.name() {
			return true
		}
	}
	return false
}

// followsNoMore ends the following of objects. Behind it could be routes, so that it is an error.
func (c *collector) followsNoMore(o object, reason string) {
	c.unread(o.at.File, formFlux, reason)
	c.Diagnostics = append(c.Diagnostics, diagnostic.Diagnostic{
		Code: diagnostic.PartNotRead, Severity: diagnostic.Error, Position: o.at,
		Message: "what this and other objects point to is not followed: " + reason,
		Hint:    "give the parts of the repository as targets of their own",
	})
	c.queue = nil
}

// overBounds says why an object, and all behind it, is not followed; "" is no reason.
func (c *collector) overBounds(o object) string {
	makers := 0
	for maker := o.by; maker != nil; maker = maker.by {
		makers++
	}
	size := int64(0)
	for _, text := range c.Texts {
		size += int64(len(text.Data))
	}
	switch limit := cmp.Or(c.options.Limits.TotalBytes, 256<<20); {
	case len(c.followed) >= mostFollowed:
		return fmt.Sprintf("more than %d objects that point to others", mostFollowed)
	case makers > mostMakers:
		return fmt.Sprintf("more than %d objects that each make the next one", mostMakers)
	case size > limit:
		return fmt.Sprintf("what was read already is larger than %d bytes", limit)
	}
	return ""
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
