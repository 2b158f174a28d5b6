package format_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/routedelta/routedelta/diff/format"
)

// tierOf tells by what a comment has in how much detail it is written.
func tierOf(text string) string {
	has := func(s string) bool { return strings.Contains(text, s) }
	switch {
	case has("What wins now"):
		return "full"
	case has("Try it"):
		return "short"
	case has("|---|"):
		return "table"
	case strings.Count(text, "\n- ") > 3:
		return "list"
	case has("\n- "):
		return "three rows"
	case has("…and "):
		return "counts"
	}
	return "headline"
}

// TestTiers: with less and less room every level of detail is reached, in order, each whole and within its limit, and none
// takes away what the one before it had at its top.
func TestTiers(t *testing.T) {
	r := judged(t, "shop.example")
	r.Classes = slices.Concat(r.Classes, r.Classes, r.Classes)
	r.Count()
	write := func(limit int) string {
		return format.Markdown(r, format.MarkdownOptions{Limit: limit, MoreText: "the summary of the job", MoreURL: "https://github.com/acme/gitops/actions/runs/1"})
	}
	var seen []string
	for limit := utf8.RuneCountInString(write(0)) + 1; limit > 200; limit -= 10 {
		text := write(limit)
		if n := utf8.RuneCountInString(text); n > limit {
			t.Errorf("%d characters at %d", n, limit)
		}
		checkWhole(t, text)
		checkTables(t, text)
		if tier := tierOf(text); len(seen) == 0 || seen[len(seen)-1] != tier {
			seen = append(seen, tier)
		}
		if !strings.HasPrefix(text, "### routedelta · "+format.Headline(r)+"\n") || !strings.Contains(text, "The policy forbids this change: 3 violations") {
			t.Errorf("at %d the answer is lost:\n%s", limit, text)
		}
	}
	if want := []string{"full", "short", "table", "list", "three rows", "counts", "headline"}; !slices.Equal(seen, want) {
		t.Errorf("levels of detail %q, want %q", seen, want)
	}
}

// checkTables holds that every row of a table has as many cells as its head.
func checkTables(t *testing.T, text string) {
	t.Helper()
	cells := 0
	for line := range strings.SplitSeq(text, "\n") {
		n := len(unescapedPipe.FindAllString(line, -1))
		switch {
		case !strings.HasPrefix(line, "|"):
			cells = 0
		case cells == 0:
			cells = n
		case n != cells:
			t.Errorf("%d cells under %d: %q", n, cells, line)
		}
	}
}

// TestSummaryFits: what a job's summary may be at most, GitHub counts in bytes.
func TestSummaryFits(t *testing.T) {
	r := renamed(t, "forty", strings.Repeat("ﷺ", 30))
	for range 6 {
		r.Classes = slices.Concat(r.Classes, r.Classes)
	}
	r.Count()
	const limit = 1<<20/4 - 1
	text := format.Markdown(r, format.MarkdownOptions{Limit: limit, Rows: 100})
	if len(text) >= 1<<20 || len(text) < 20_000 {
		t.Errorf("%d bytes", len(text))
	}
	checkWhole(t, text)
	checkTables(t, text)
}
