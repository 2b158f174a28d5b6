package review

import (
	"context"
	"io/fs"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/plugin/git"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// inHistory finds out how objects are called in the files that hold them, which is what history knows: kustomize has given some another
// namespace or name. It also gives, for each of these names, the objects that were made of it. One that is not found in its file is
// left out.
func (in *input) inHistory(ctx context.Context, objects []git.ObjectAt) ([]git.ObjectAt, map[diagnostic.Object][]diagnostic.Object, error) {
	tree, err := in.repository.Tree(ctx, in.commit, git.Limits{})
	if err != nil {
		return nil, nil, err
	}
	defer tree.Close()
	held := map[string][]diagnostic.Object{}
	names := identify(ctx)
	var asked []git.ObjectAt
	made := map[diagnostic.Object][]diagnostic.Object{}
	for _, o := range objects {
		if _, known := held[o.File]; !known {
			data, err := fs.ReadFile(tree, o.File)
			if err != nil {
				data = nil // a program has printed it: no file of the commit holds it
			}
			held[o.File] = names(o.File, data)
		}
		name, found := writtenAs(o.Object, held[o.File])
		if !found {
			continue
		}
		if len(made[name]) == 0 {
			asked = append(asked, git.ObjectAt{Object: name, File: o.File})
		}
		made[name] = append(made[name], o.Object)
	}
	return asked, made, nil
}

// writtenAs finds an object among those of its file: by its name, or else by one that its own may be made of.
func writtenAs(object diagnostic.Object, held []diagnostic.Object) (diagnostic.Object, bool) {
	if slices.Contains(held, object) {
		return object, true
	}
	for _, same := range []func(name string) bool{
		func(name string) bool { return name == object.Name },
		func(name string) bool { return strings.Contains(object.Name, name) },
	} {
		for _, other := range held {
			if other.Kind == object.Kind && same(other.Name) {
				return other, true
			}
		}
	}
	return diagnostic.Object{}, false
}
