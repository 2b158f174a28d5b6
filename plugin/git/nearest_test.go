package git

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func numbered(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

func TestNearestLines(t *testing.T) {
	f := newFixture(t)
	before := f.commit(map[string]string{
		"a.yaml": numbered("1", "2", "3", "4", "5", "6"), "gone.yaml": "x\n", "all.yaml": numbered("1", "2"), "bin.yaml": numbered("1", "2"), "$(x) y.yaml": numbered("1", "2"),
		".gitattributes": "bin.yaml -diff binary\n",
	})
	after := f.commit(map[string]string{
		"a.yaml": numbered("new", "1", "2", "four", "5", "6", "end"), "gone.yaml": "", "all.yaml": "", "bin.yaml": numbered("0", "1", "2"), "$(x) y.yaml": numbered("0", "1", "2"),
	})
	r := f.open()
	nearest := r.Nearest(f.resolve(r, before), f.resolve(r, after))
	for _, c := range []struct {
		file       string
		line, want int
	}{
		{"a.yaml", 1, 2}, {"a.yaml", 2, 3}, {"a.yaml", 3, 4}, {"a.yaml", 4, 4}, {"a.yaml", 5, 5}, {"a.yaml", 6, 6},
		{"gone.yaml", 1, 0}, {"nowhere.yaml", 1, 0}, {"a.yaml", 0, 0}, {"bin.yaml", 2, 3}, {"$(x) y.yaml", 1, 2},
	} {
		line, ok, err := nearest.LineBefore(t.Context(), c.file, c.line)
		must(t, err)
		if line != c.want || ok != (c.want > 0) {
			t.Errorf("%s:%d is at %d (%t), want %d", c.file, c.line, line, ok, c.want)
		}
	}
	for line, want := range map[int]bool{1: true, 7: true, 8: false, 0: false, -1: false} {
		if _, ok, err := nearest.Line(t.Context(), "a.yaml", line); err != nil || ok != want {
			t.Errorf("a.yaml has line %d: %t (%v), want %t", line, ok, err, want)
		}
	}
	if _, ok, err := nearest.Line(t.Context(), "../a.yaml", 1); ok || err != nil {
		t.Errorf("a file out of the tree has a line (%v)", err)
	}
}

// TestNearestOfWhatStays: a line that both files have exactly once, in the same order, is led to itself.
func TestNearestOfWhatStays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kept := rapid.SliceOfN(rapid.Bool(), 1, 12).Draw(t, "kept")
		added := rapid.SliceOfN(rapid.IntRange(0, 2), len(kept)+1, len(kept)+1).Draw(t, "added")
		var hunks []hunk
		now, where := 0, make([]int, len(kept)+1)
		for i := range kept {
			if added[i] > 0 {
				hunks = append(hunks, hunk{old: i, count: 0, now: now + 1, added: added[i]})
				now += added[i]
			}
			if kept[i] {
				now++
				where[i+1] = now
				continue
			}
			hunks = append(hunks, hunk{old: i + 1, count: 1, now: now, added: 0})
		}
		for line := 1; line <= len(kept); line++ {
			if got := moved(hunks, line); kept[line-1] && got != where[line] {
				t.Fatalf("line %d is led to %d, want %d: %v", line, got, where[line], fmt.Sprint(hunks))
			}
		}
	})
}
