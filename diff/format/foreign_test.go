package format_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/routedelta/routedelta/diff/format"
	"github.com/routedelta/routedelta/diff/report"
)

// TestForeignReports: a report that somebody else made, with anything missing, empty or out of bounds, is refused or set in words. None
// makes the program panic, or a comment longer than it may be.
func TestForeignReports(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no reports", err)
	}
	rapid.Check(t, func(t *rapid.T) {
		data, err := os.ReadFile(rapid.SampledFrom(files).Draw(t, "file"))
		if err != nil {
			t.Fatal(err)
		}
		var tree any
		if err := json.Unmarshal(data, &tree); err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 12).Draw(t, "edits") {
			tree = edited(t, tree)
		}
		text, err := json.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		found, err := report.DecodeForeign(text)
		if err != nil {
			return
		}
		for _, limit := range []int{0, 3000, 200} {
			if n := utf8.RuneCountInString(format.Markdown(found, format.MarkdownOptions{Limit: limit})); limit > 0 && n > limit {
				t.Fatalf("%d characters, want at most %d", n, limit)
			}
		}
		var page strings.Builder
		if err := format.Text(&page, found, format.TextOptions{}); err != nil {
			t.Fatal(err)
		}
	})
}

// edited is a value with one place in it changed.
func edited(t *rapid.T, tree any) any {
	switch value := tree.(type) {
	case map[string]any:
		if len(value) > 0 && rapid.IntRange(0, 9).Draw(t, "deeper") > 0 {
			key := rapid.SampledFrom(slices.Sorted(maps.Keys(value))).Draw(t, "member")
			if key == "version" {
				return value
			}
			if rapid.IntRange(0, 9).Draw(t, "removed") == 0 {
				delete(value, key)
			} else {
				value[key] = edited(t, value[key])
			}
			return value
		}
		return rapid.SampledFrom([]any{nil, map[string]any{}}).Draw(t, "object")
	case []any:
		if len(value) > 0 && rapid.IntRange(0, 9).Draw(t, "deeper") > 0 {
			i := rapid.IntRange(0, len(value)-1).Draw(t, "item")
			value[i] = edited(t, value[i])
			return value
		}
		return rapid.SampledFrom([]any{nil, []any{}, []any{map[string]any{}}}).Draw(t, "list")
	case float64:
		return rapid.SampledFrom([]any{0, 1, -1, 1 << 31, 1 << 62, nil}).Draw(t, "number")
	case string:
		return rapid.SampledFrom([]any{"", "\x00", strings.Repeat("ü", 100_000), value + "`", "a/../../b", "*", "lost", nil}).Draw(t, "text")
	case bool:
		return !value
	}
	return rapid.SampledFrom([]any{nil, 0, "", []any{}, map[string]any{}}).Draw(t, "value")
}
