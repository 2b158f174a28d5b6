package diff_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/routedelta/routedelta/diff"
	"github.com/routedelta/routedelta/diff/format"
)

// TestTwoCauses: a canary is removed and the rule behind it gets another backend. What the canary took goes to that backend only by
// both edits, and the reader is told so.
func TestTwoCauses(t *testing.T) {
	const rest = `{name: rest, match: {prefix: /}, route: {cluster: web}}]`
	got, err := diff.Compare(t.Context(), foreignRoutes(t, `[
		{name: canary, match: {prefix: /orders, headers: [{name: x-env, string_match: {exact: canary}}]}, route: {cluster: orders-canary}},
		{name: orders, match: {prefix: /orders}, route: {cluster: orders}}, `+rest),
		foreignRoutes(t, `[{name: orders, match: {prefix: /orders}, route: {cluster: orders-v2}}, `+rest), diff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got.Report.Before.Source, got.Report.After.Source = "before", "after"
	var text bytes.Buffer
	if err := format.Text(&text, got.Report, format.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	golden(t, filepath.Join("testdata", "two-causes.txt"), text.String())
	golden(t, filepath.Join("testdata", "two-causes.md"), format.Markdown(got.Report, format.MarkdownOptions{}))
}
