package review

import (
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/report"
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

// unreadOnOneSide are the parts that one side has read and the other has not: their routes would look lost or new.
func unreadOnOneSide(earlier, later *input) []report.Uncompared {
	var found []report.Uncompared
	for _, side := range []struct {
		name            string
		read, otherwise []report.Source
	}{
		{"before", later.partsFromRoot(), earlier.partsFromRoot()},
		{"after", earlier.partsFromRoot(), later.partsFromRoot()},
	} {
		for _, part := range side.otherwise {
			wasRead := func(other report.Source) bool { return other.Path == part.Path && other.Unread == "" }
			alsoRead := slices.ContainsFunc(side.otherwise, wasRead)
			if part.Unread == "" || alsoRead || !slices.ContainsFunc(side.read, wasRead) {
				continue
			}
			found = append(found, report.Uncompared{
				Object: diagnostic.Object{Kind: part.Form, Name: part.Path}, Edit: "not read on this side only", Side: side.name, Reason: part.Unread,
				Position: diagnostic.Position{File: part.Path},
			})
		}
	}
	return found
}

// partsFromRoot have the names that both sides know: two directories of any place are called by what is below them.
func (in *input) partsFromRoot() []report.Source {
	parts := slices.Clone(in.parts)
	if in.source.Kind == Directory && in.repository == nil {
		for i := range parts {
			parts[i].Path = renamed(parts[i].Path, in.source.Path, ".")
		}
	}
	return parts
}
