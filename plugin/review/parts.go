package review

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/source"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// partsOfBoth are the parts of the trees that were read and that were not: what both sides have once, what one has with the side.
func partsOfBoth(earlier, later *input) []report.Source {
	before, after := earlier.partsFromRoot(), later.partsFromRoot()
	var all []report.Source
	for _, part := range before {
		if !slices.Contains(after, part) {
			part.Side = "before"
		}
		all = append(all, part)
	}
	for _, part := range after {
		if !slices.Contains(before, part) {
			part.Side = "after"
			all = append(all, part)
		}
	}
	return all
}

// readsBeside tells whether parts of the tree outside of a path were read: what the path refers to.
func (in *input) readsBeside(inside string) bool {
	return slices.ContainsFunc(in.parts, func(part report.Source) bool {
		return part.Path != inside && inside != "" && !strings.HasPrefix(part.Path, inside+"/")
	})
}

// readElsewhere are the parts that one side has not read, and the other has.
func readElsewhere(side, other *input) []report.Source {
	parts, read := side.partsFromRoot(), other.partsFromRoot()
	return slices.DeleteFunc(slices.Clone(parts), func(part report.Source) bool {
		isRead := func(o report.Source) bool { return o.Path == part.Path && o.Unread == "" }
		return part.Unread == "" || slices.ContainsFunc(parts, isRead) || !slices.ContainsFunc(read, isRead)
	})
}

// missedParts are those that could be read before the change and cannot now. A cluster keeps what it has when it cannot apply the new
// state, so that their routes are not lost, though they are in no file: nothing right can be said.
func missedParts(earlier, later *input) diagnostic.List {
	var missed diagnostic.List
	for _, part := range readElsewhere(later, earlier) {
		missed = append(missed, diagnostic.Diagnostic{
			Code: diagnostic.PartNotRead, Severity: diagnostic.Error, Position: diagnostic.Position{File: part.Path},
			Message: "it was read before the change, and cannot be read now: " + part.Unread,
			Hint:    "correct it; if it is meant to be rendered elsewhere from now on, give the output of what renders it",
		})
	}
	for _, p := range lost(earlier.pointers, later.pointers) {
		missed = append(missed, diagnostic.Diagnostic{
			Code: diagnostic.PartNotRead, Severity: diagnostic.Error, Position: p.Position, Object: p.Object,
			Message: "what it points to was read before the change, and cannot be read now: " + p.Unread,
			Hint:    "correct it; if it is meant to be rendered elsewhere from now on, give the output of what renders it",
		})
	}
	for _, m := range newlyMissing(earlier, later) {
		missed = append(missed, diagnostic.Diagnostic{
			Code: diagnostic.PartNotRead, Severity: diagnostic.Error, Position: m.Position,
			Message: fmt.Sprintf("%q is not in the tree since the change: kustomize fails for it", diagnostic.Clip(m.What)),
			Hint:    "add it, or take it out of the kustomization; what a cluster has stays as it is until then",
		})
	}
	return missed
}

// newlyMissing are the references of kustomizations that both sides have to what is not in the tree, but for those that the earlier side
// has as well.
func newlyMissing(earlier, later *input) []source.Missing {
	type reference struct{ file, what string }
	named, read := map[reference]bool{}, map[string]bool{}
	for _, m := range earlier.missing {
		named[reference{earlier.fromRoot(m.Position.File), m.What}] = true
	}
	for name := range earlier.kustomizations {
		read[earlier.fromRoot(name)] = true
	}
	return slices.DeleteFunc(slices.Clone(later.missing), func(m source.Missing) bool {
		file := later.fromRoot(m.Position.File)
		return !read[file] || named[reference{file, m.What}]
	})
}

// lost are the objects of one side that are not followed, and of which one of the same name is on the other.
func lost(there, here []source.Pointer) []source.Pointer {
	followed := map[diagnostic.Object]bool{}
	for _, p := range there {
		if _, known := followed[p.Object]; !known || p.Unread != "" {
			followed[p.Object] = p.Unread == ""
		}
	}
	return slices.DeleteFunc(slices.Clone(here), func(p source.Pointer) bool { return p.Unread == "" || !followed[p.Object] })
}

// readFirst are the parts that can be read since the change: what they are new with, they may have had before.
func readFirst(earlier, later *input) []report.Uncompared {
	var found []report.Uncompared
	for _, part := range readElsewhere(earlier, later) {
		found = append(found, report.Uncompared{
			Object: diagnostic.Object{Kind: part.Form, Name: part.Path}, Edit: "read for the first time", Side: "before", Reason: part.Unread,
			Position: diagnostic.Position{File: part.Path},
		})
	}
	for _, p := range lost(later.pointers, earlier.pointers) {
		found = append(found, report.Uncompared{
			Object: p.Object, Edit: "read for the first time", Side: "before", Reason: p.Unread, Position: lineOnly(p.Position),
		})
	}
	return found
}

// partKey names a part that is not read, and what asks for it.
type partKey struct {
	form, path string
	by         diagnostic.Object
}

func (in *input) unreadByKey() map[partKey]source.Unread {
	found := map[partKey]source.Unread{}
	for _, u := range in.unread {
		u.Path, u.Position.File = in.fromRoot(u.Path), in.fromRoot(u.Position.File)
		key := partKey{u.Form, u.Path, u.Object}
		if one, known := found[key]; known { // several clusters may read the same
			u.Digest = sha256.Sum256(append(one.Digest[:], u.Digest[:]...))
		}
		found[key] = u
	}
	return found
}

// unreadParts are the parts that neither side has read and that are not the same on both, but for those of objects of which that is
// said.
func unreadParts(earlier, later *input, said []report.Uncompared) []report.Uncompared {
	before, after := earlier.unreadByKey(), later.unreadByKey()
	var found []report.Uncompared
	if earlier.unreadBeyond || later.unreadBeyond {
		found = append(found, report.Uncompared{
			Object: diagnostic.Object{Kind: "manifests", Name: "."}, Edit: "not looked at whole", Side: "after",
			Reason: "what is not read of the tree is too large to be held against the other side",
		})
	}
	differs := func(u source.Unread, edit, side string) {
		isOf := func(one report.Uncompared) bool { return u.Object != diagnostic.Object{} && one.Object == u.Object }
		if !slices.ContainsFunc(said, isOf) && !read(earlier, u) && !read(later, u) {
			found = append(found, report.Uncompared{
				Object: whatIsUnread(u), Edit: edit, Side: side, Reason: u.Source.Unread, Position: lineOnly(u.Position),
			})
		}
	}
	for key, was := range before {
		if is, left := after[key]; !left {
			differs(was, "removed", "before")
		} else if was.Digest != is.Digest {
			differs(is, "changed", "after")
		}
	}
	for key, is := range after {
		if _, existed := before[key]; !existed {
			differs(is, "added", "after")
		}
	}
	return found
}

// whatIsUnread is the object that is not read, or the part, where that is another file than the object's.
func whatIsUnread(u source.Unread) diagnostic.Object {
	if u.Object != (diagnostic.Object{}) && u.Path == u.Position.File {
		return u.Object
	}
	return diagnostic.Object{Kind: u.Form, Name: u.Path}
}

// sameUnread tells whether what is not read is the same on both sides.
func sameUnread(earlier, later *input) bool {
	return len(unreadParts(earlier, later, nil))+len(lost(earlier.pointers, later.pointers))+len(lost(later.pointers, earlier.pointers)) == 0
}

// read tells whether a side has read a part that the other has not, which is said elsewhere.
func read(side *input, u source.Unread) bool {
	return u.Form == "helm" && slices.ContainsFunc(side.partsFromRoot(), func(part report.Source) bool { return part.Path == u.Path && part.Unread == "" })
}

// fromRoot is the name of a file as both of two directories know it.
func (in *input) fromRoot(name string) string {
	if in.source.Kind != Directory || in.repository != nil {
		return name
	}
	return renamed(name, filepath.ToSlash(cmp.Or(in.source.named, in.source.Path)), ".")
}

// partsFromRoot have the names that both sides know: two directories of any place are called by what is below them.
func (in *input) partsFromRoot() []report.Source {
	parts := slices.Clone(in.parts)
	if in.source.Kind == Directory && in.repository == nil {
		for i := range parts {
			parts[i].Path = in.fromRoot(parts[i].Path)
		}
	}
	return parts
}
