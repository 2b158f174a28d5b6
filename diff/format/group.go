package format

import (
	"cmp"
	"slices"

	"github.com/routedelta/routedelta/diff/report"
)

// group is what one row of a table shows: the worst class of an edit, and how many more there are by the same edit.
type group struct {
	report.Class
	more int
}

// groups are the classes as rows: one each while they fit, else one for each edit: by its worst class, then those with most
// classes first.
func groups(classes []report.Class, rows int) []group {
	if len(classes) <= rows {
		single := make([]group, len(classes))
		for i, c := range classes {
			single[i] = group{Class: c}
		}
		return single
	}
	var grouped []group
	at := map[report.Cause]int{}
	for _, c := range classes {
		cause, known := edit(c)
		if i, seen := at[cause]; known && seen {
			grouped[i].more++
			continue
		}
		if known {
			at[cause] = len(grouped)
		}
		grouped = append(grouped, group{Class: c})
	}
	slices.SortStableFunc(grouped, func(a, b group) int {
		return cmp.Or(cmp.Compare(a.Severity.Rank(), b.Severity.Rank()), cmp.Compare(b.more, a.more))
	})
	return grouped
}

// edit is the first cause, if it says anything that tells one edit from another.
func edit(c report.Class) (report.Cause, bool) {
	if len(c.Causes) == 0 {
		return report.Cause{}, false
	}
	first := c.Causes[0]
	return first, first.Name != "" || first.Position.File != ""
}
