package diff_test

import (
	"path/filepath"
	"testing"

	"github.com/routedelta/routedelta/diff/format"
)

// TestTwoCauses: a canary is removed and the rule behind it gets another backend. What the canary took goes to that backend only by
// both edits, and the reader is told so.
func TestTwoCauses(t *testing.T) {
	const rest = `{name: rest, match: {prefix: /}, route: {cluster: web}}]`
	got := compareAll(t, foreignRoutes(t, `[
		{name: canary, match: {prefix: /orders, headers: [{name: x-env, string_match: {exact: canary}}]}, route: {cluster: orders-canary}},
		{name: orders, match: {prefix: /orders}, route: {cluster: orders}}, `+rest),
		foreignRoutes(t, `[{name: orders, match: {prefix: /orders}, route: {cluster: orders-v2}}, `+rest))
	holdGolden(t, "two-causes", got)
	golden(t, filepath.Join("testdata", "two-causes.md"), format.Markdown(got.Report, format.MarkdownOptions{}))
}
