// Package layout finds the clusters and environments that a repository holds, so that nobody has to write them down.
//
// In comes a tree; out go targets for a configuration, each with what was found in it, and the text of a configuration with comments that
// say why. Two things tell clusters apart: the names that people give their folders (clusters/*, overlays/*, two folders that both hold
// apps), and, whatever the names, that one object cannot stand twice in one cluster.
package layout

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Layout is what a tree holds.
type Layout struct {
	// Why says in a few words how the targets were told apart.
	Why     string
	Targets []Target
	// Beside are files with Gateway API objects that no target reads.
	Beside []string
}

// Target is one cluster or environment.
type Target struct {
	Name, Path string
	Content
}

// Content is what was read of a path.
type Content struct {
	Gateways, Routes int
	// Controllers are those that the GatewayClasses name, Variables those without a value, both sorted.
	Controllers, Variables []string
	// Unread counts the parts that were not read.
	Unread int
	// Broken are the files with an error, sorted, and Error is the first.
	Broken []string
	Error  string
	// twice: an object stands twice in it.
	twice bool
	// files that hold its Gateway API objects, sorted.
	files []string
}

func (c Content) empty() bool { return c.Gateways+c.Routes == 0 }

// Find looks for targets. A tree without Gateway API objects has none.
func Find(ctx context.Context, tree fs.FS) (*Layout, error) {
	l := &finder{ctx: ctx, tree: tree, seen: map[string]Content{}}
	all, err := l.look(".")
	if err != nil || all.empty() {
		return new(Layout), err
	}
	folders, err := foldersOf(ctx, tree)
	if err != nil {
		return nil, err
	}
	for _, arrangement := range arrangements(folders) {
		found, err := l.arranged(arrangement)
		if err != nil {
			return nil, err
		}
		if len(found) > 0 {
			return l.complete(arrangement.why, found, all), nil
		}
	}
	found, err := l.split(topmost(common(all.files)), maxDepth)
	if err != nil {
		return nil, err
	}
	why := "one folder holds all routes"
	if len(found) > 1 {
		why = "these folders hold the same objects, so they are of different clusters"
	}
	return l.complete(why, found, all), nil
}

// finder is one Find at work.
type finder struct {
	ctx  context.Context
	tree fs.FS
	// seen is what was read of each path.
	seen map[string]Content
}

// arranged reads the folders of an arrangement, and leaves out those without routes.
func (l *finder) arranged(a arrangement) ([]Target, error) {
	var found []Target
	for _, folder := range a.folders {
		content, err := l.look(folder)
		if err != nil {
			return nil, err
		}
		if content.Routes > 0 {
			found = append(found, Target{Path: folder, Content: content})
		}
	}
	return found, nil
}

// split gives a folder, or, while an object stands twice in it, the folders in it, each as far as it has routes.
func (l *finder) split(folder string, depth int) ([]Target, error) {
	content, err := l.look(folder)
	if err != nil {
		return nil, err
	}
	if content.Routes == 0 {
		return nil, nil
	}
	children := childrenOf(folder, content.files)
	if !content.twice || depth == 0 || len(children) == 0 {
		return []Target{{Path: folder, Content: content}}, nil
	}
	var found []Target
	for _, child := range children {
		below, err := l.split(child, depth-1)
		if err != nil {
			return nil, err
		}
		found = append(found, below...)
	}
	return found, nil
}

// complete names the targets, and finds what they leave out.
func (l *finder) complete(why string, targets []Target, all Content) *Layout {
	read := map[string]bool{}
	paths := make([]string, len(targets))
	for i, target := range targets {
		paths[i] = target.Path
		for _, file := range target.files {
			read[file] = true
		}
	}
	for i, name := range names(paths) {
		targets[i].Name = name
	}
	beside := slices.DeleteFunc(slices.Clone(all.files), func(file string) bool { return read[file] })
	return &Layout{Why: why, Targets: targets, Beside: beside}
}

// common is the deepest folder that holds all files.
func common(files []string) string {
	folder := path.Dir(files[0])
	for _, file := range files {
		for folder != "." && !strings.HasPrefix(file, folder+"/") {
			folder = path.Dir(folder)
		}
	}
	return folder
}

// topmost is the first folder of a path: a route that is added beside those that there are today belongs to them.
func topmost(folder string) string {
	first, _, _ := strings.Cut(folder, "/")
	return first
}

// childrenOf are the folders right below a folder that hold files.
func childrenOf(folder string, files []string) []string {
	var children []string
	for _, file := range files {
		below, inside := file, folder == "."
		if !inside {
			below, inside = strings.CutPrefix(file, folder+"/")
		}
		if child, _, deeper := strings.Cut(below, "/"); inside && deeper {
			children = append(children, path.Join(folder, child))
		}
	}
	slices.Sort(children)
	return slices.Compact(children)
}
