package format_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/routedelta/routedelta/diff/format"
	"github.com/routedelta/routedelta/diff/report"
)

func text(t *testing.T, r *report.Report, options format.TextOptions) string {
	t.Helper()
	var out bytes.Buffer
	if err := format.Text(&out, r, options); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestColorChangesNothingElse: without its colours the text is the text without colour.
func TestColorChangesNothingElse(t *testing.T) {
	for name, r := range reports(t) {
		plain := text(t, r, format.TextOptions{})
		if strings.Contains(plain, "\x1b") {
			t.Errorf("%s has colour that nobody asked for", name)
		}
		colored := text(t, r, format.TextOptions{Color: true})
		for _, code := range []string{"\x1b[1;31m", "\x1b[33m", "\x1b[32m", "\x1b[34m", "\x1b[0m"} {
			colored = strings.ReplaceAll(colored, code, "")
		}
		if colored != plain {
			t.Errorf("%s differs without its colours:\n%s\n%s", name, plain, colored)
		}
	}
}

// TestChangesStandInOneColumn: in a wide terminal beside the requests, in a narrow one below them.
func TestChangesStandInOneColumn(t *testing.T) {
	r := reports(t)["forty"]
	column := -1
	for _, line := range strings.Split(text(t, r, format.TextOptions{}), "\n") {
		if !strings.Contains(line, " -> ") || !strings.HasPrefix(line, "moves") {
			continue
		}
		change := strings.LastIndex(line[:strings.Index(line, " -> ")], "  ") + len("  ")
		at := utf8.RuneCountInString(line[:change])
		if column >= 0 && at != column {
			t.Errorf("column %d, want %d: %s", at, column, line)
		}
		column = at
	}
	if column < 0 {
		t.Fatal("no changes printed")
	}
	for _, line := range strings.Split(text(t, r, format.TextOptions{Width: 40}), "\n") {
		if strings.HasPrefix(line, "moves") && strings.Contains(line, " -> ") {
			t.Errorf("wider than the terminal: %s", line)
		}
	}
}
