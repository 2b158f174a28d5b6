package source

import (
	"context"
	"io/fs"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/plugin/fetch"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

// Options say what of a tree is wanted, and how it becomes manifests.
type Options struct {
	// Path is what the caller named, from the root of the tree: a directory or a file; "" is all of it. What it refers to may stand
	// beside it.
	Path string
	// Sources of the configuration in force: that of the base commit or of the caller, never of a commit under review.
	Sources config.Sources
	// Remotes gives the addresses under which other systems know this repository; nil is none. Without any, what a cluster reads
	// is taken to be this repository where the path that it names is there. It is asked only if something depends on it.
	Remotes func() []string
	// Network is where bases and resources of kustomizations are brought from that are not in the tree. Nil: they are left out.
	Network *fetch.Network
	// Limits bound what is read, and what comes out.
	Limits manifest.Limits
}

// Collected is what a tree holds.
type Collected struct {
	// Texts in an order that depends on the tree only. Names and lines are paths from the root of the tree.
	Texts []manifest.Source
	// Parts that were read and that were not, sorted by path.
	Parts []report.Source
	// Unread are parts that were not read, by form and path, as far as a tree tells what they are made of.
	Unread []Unread
	// Pointers are the objects that point to other parts, in the order in which they were followed.
	Pointers []Pointer
	// UnreadBeyond: what is not read is larger than the digests in Unread may be of, so that its rest may be another one unseen.
	UnreadBeyond bool
	// Missing are references of kustomizations to what is not in the tree, for which kustomize fails.
	Missing []Missing
	// Kustomizations are the files of all those that were read.
	Kustomizations map[string]bool
	// Rendered are objects of the texts that point to others (HelmRelease, Application) of which all that they point to is in the texts.
	Rendered []diagnostic.Object
	// Diagnostics of collecting; reading the texts has its own.
	Diagnostics diagnostic.List
}

// Collect reads the tree. Names in it are slash paths from the root of the repository, not of the path that was named, since
// an overlay refers to its base by ../base. The error is for a path that is not there and for a cancelled context; what is wrong
// with one part is said of that part, and the others are read.
func Collect(ctx context.Context, tree fs.FS, options Options) (*Collected, error) {
	excluded := options.Sources.Exclude
	if len(excluded) > 0 {
		tree = without(tree, excluded)
	}
	c := newCollector(ctx, tree, options)
	for _, pattern := range excluded {
		c.unread(pattern, formManifests, "the configuration excludes it")
	}
	defer c.close()
	read := c.directory
	if len(options.Sources.RenderCommand) > 0 {
		read = c.command
	}
	if err := read(options.Path); err != nil {
		return nil, err
	}
	c.skippedCharts()
	c.withoutSourceFields()
	c.sort()
	return &c.Collected, nil
}
