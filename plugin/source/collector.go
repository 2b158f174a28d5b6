package source

import (
	"cmp"
	"context"
	"io/fs"
	"slices"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/render/manifest"
)

// Forms of a part, as the report has them.
const (
	formManifests     = "manifests"
	formKustomization = "kustomization"
	formFlux          = "flux"
	formCommand       = "command"
)

// collector is one Collect at work.
type collector struct {
	ctx     context.Context
	tree    fs.FS
	options Options
	Collected
}

// directory reads what a path holds, whatever it is.
func (c *collector) directory(name string) error {
	sources, found, err := manifest.WalkFS(c.ctx, c.tree, cmp.Or(name, "."), c.options.Limits)
	if err != nil {
		return err
	}
	c.Texts = append(c.Texts, sources...)
	c.Diagnostics = append(c.Diagnostics, found...)
	c.read(name, formManifests)
	return nil
}

// read notes a part that was read.
func (c *collector) read(name, form string) {
	c.Parts = append(c.Parts, report.Source{Path: cmp.Or(name, "."), Form: form})
}

// unread notes a part that was not, and why.
func (c *collector) unread(name, form, reason string) {
	c.Parts = append(c.Parts, report.Source{Path: cmp.Or(name, "."), Form: form, Unread: reason})
}

func (c *collector) sort() {
	slices.SortStableFunc(c.Parts, func(a, b report.Source) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Form, b.Form), cmp.Compare(a.Unread, b.Unread))
	})
	c.Parts = slices.Compact(c.Parts)
}
