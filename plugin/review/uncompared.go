package review

import (
	"cmp"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

// uncompared are the objects that differ between the sides and are in no rendering, although they may decide what becomes of a
// request. Without them "no request changes" would say more than is known.
func uncompared(earlier, later *input) []report.Uncompared {
	if earlier.objects == nil || later.objects == nil {
		return nil // a rendering tells nothing of what its manifests held beside
	}
	unread := manifest.Unread(earlier.objects, later.objects)
	before, after := byName(earlier.notRendered(unread[0])), byName(later.notRendered(unread[1]))
	var found []report.Uncompared
	for key, was := range before {
		if is, left := after[key]; !left {
			found = append(found, difference(was[0], "removed", "before"))
		} else if !slices.EqualFunc(was, is, sameContent) {
			found = append(found, difference(is[0], "changed", "after"))
		}
	}
	for key, is := range after {
		if _, existed := before[key]; !existed {
			found = append(found, difference(is[0], "added", "after"))
		}
	}
	found = append(found, meshRoutes(earlier.objects, later.objects)...)
	found = append(found, listeners(states(earlier.diagnosed(), later.diagnosed()))...)
	found = append(found, readFirst(earlier, later)...)
	found = append(found, unreadParts(earlier, later, found)...)
	found = append(found, whoServes(earlier, later)...)
	slices.SortFunc(found, func(a, b report.Uncompared) int {
		return cmp.Or(
			cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name),
			cmp.Compare(a.Position.File, b.Position.File), cmp.Compare(a.Position.Line, b.Position.Line), cmp.Compare(a.Reason, b.Reason),
		)
	})
	return found
}

// notRendered leaves out the objects of which all that they point to is in the input too.
func (in *input) notRendered(list []manifest.Other) []manifest.Other {
	return slices.DeleteFunc(slices.Clone(list), func(o manifest.Other) bool { return slices.Contains(in.rendered, o.Object) })
}

func difference(object manifest.Other, edit, side string) report.Uncompared {
	position := object.Position
	position.Column = 0
	return report.Uncompared{Object: object.Object, Edit: edit, Position: position, Side: side, Reason: "this kind is not rendered"}
}

func sameContent(a, b manifest.Other) bool { return a.Digest == b.Digest }

// objectKey names an object over versions of its kind.
type objectKey struct {
	group string
	diagnostic.Object
}

// byName sorts objects. One name may stand for several of them: an input with the overlays of several clusters holds a release
// once for each.
func byName(list []manifest.Other) map[objectKey][]manifest.Other {
	found := map[objectKey][]manifest.Other{}
	for _, other := range list {
		group, _, _ := strings.Cut(other.APIVersion, "/")
		key := objectKey{group, other.Object}
		found[key] = append(found[key], other)
	}
	return found
}

// listeners are those that are not rendered and that the change adds, takes away or alters. Other settings that are not rendered go
// along with their rules, in the metadata of routes, and are compared there.
func listeners(list []report.Diagnostic) []report.Uncompared {
	list = slices.DeleteFunc(list, func(d report.Diagnostic) bool {
		return d.Code != diagnostic.ListenerUnsupported || d.State == "unchanged"
	})
	state := map[fieldOf]string{}
	for _, d := range list {
		at := fieldOf{d.Object, d.Field}
		if state[at] != "" && state[at] != d.State {
			state[at] = "changed"
			continue
		}
		state[at] = d.State
	}
	var found []report.Uncompared
	for _, d := range list {
		one := report.Uncompared{Object: d.Object, Edit: "listener added", Position: lineOnly(d.Position), Side: "after", Reason: d.Message}
		switch changed := state[fieldOf{d.Object, d.Field}] == "changed"; {
		case changed && d.State == "fixed":
			continue // the later side tells it
		case changed:
			one.Edit = "listener changed"
		case d.State == "fixed":
			one.Edit, one.Side = "listener removed", "before"
		}
		found = append(found, one)
	}
	return found
}

// fieldOf is a field of an object.
type fieldOf struct {
	diagnostic.Object
	field string
}
