package review

import (
	"slices"

	"github.com/routedelta/routedelta/diff/report"
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
