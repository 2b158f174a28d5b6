//go:build corpus

package render_test

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// difference is a fact of a status in which their controller and we do not agree. "" is that one does not say it.
type difference struct {
	group, input string
	fact
	theirs, ours string
	// refused: the API server refuses the object.
	refused bool
	// found are all diagnostics of the input.
	found diagnostic.List
}

// about tells whether a diagnostic is about the object of the difference.
func (d difference) about(found diagnostic.Diagnostic) bool {
	return found.Object.Kind == d.kind && found.Object.Namespace+"/"+found.Object.Name == d.object
}

// says tells whether there is a diagnostic of a code about the object.
func (d difference) says(code diagnostic.Code) bool {
	return slices.ContainsFunc(d.found, func(f diagnostic.Diagnostic) bool { return f.Code == code && d.about(f) })
}

// inputRefuses tells whether an object of one of some kinds is refused in the same input.
func (d difference) inputRefuses(kinds ...string) bool {
	return slices.ContainsFunc(d.found, func(f diagnostic.Diagnostic) bool {
		return f.Severity == diagnostic.Error && slices.Contains(kinds, f.Object.Kind)
	})
}

// TestCorpusStatuses compares the statuses that other people's controllers write with ours, condition by condition: types, statuses and
// reasons, the counts of attached routes, the supported kinds. Every difference is one of a kind that is listed with its reason.
func TestCorpusStatuses(t *testing.T) {
	equal, compared := 0, 0
	counts := make([]int, len(differences))
	for _, input := range corpus(t) {
		if input.Want == "" {
			continue
		}
		compared++
		group, name, _ := strings.Cut(input.Name, "/")
		ours, found := ourFacts(t, input)
		theirs := wantedFacts(t, input)
		all := maps.Clone(ours)
		maps.Copy(all, theirs)
		for _, key := range slices.SortedFunc(maps.Keys(all), func(a, b fact) int { return cmp.Compare(a.String(), b.String()) }) {
			if ours[key] == theirs[key] {
				equal++
				continue
			}
			d := difference{group: group, input: name, fact: key, theirs: theirs[key], ours: ours[key], found: found}
			d.refused = slices.ContainsFunc(found, func(f diagnostic.Diagnostic) bool { return f.Severity == diagnostic.Error && d.about(f) })
			kind := slices.IndexFunc(differences, func(k kindOfDifference) bool { return k.is(d) })
			if kind < 0 {
				t.Errorf("unexplained: %s: %s: theirs %q, ours %q", input.Name, key, d.theirs, d.ours)
				continue
			}
			counts[kind]++
		}
	}
	t.Logf("%d inputs: %d facts are equal", compared, equal)
	for i, kind := range differences {
		t.Logf("%5d %s: %s", counts[i], kind.verdict, kind.why)
		if counts[i] == 0 {
			t.Errorf("no difference is of the kind %q any more", kind.why)
		}
	}
}
