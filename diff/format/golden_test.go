package format_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routedelta/routedelta/diff/format"
	"github.com/routedelta/routedelta/diff/report"
)

var update = flag.Bool("update", false, "write the golden files anew")

// hostileSuffix stands behind every name of the report "hostile".
const hostileSuffix = "x```y|z<script>alert(1)</script>\n\n# h\n@everyone #123 \u202egnp.exe </details> <!-- --> `a` **b** ]( \\| \x1b[31m " +
	"http://evil.example www.evil.example a@evil.example"

// reports are all reports of testdata by name. Those with classes are made from two sides each by a test of package review, which runs
// their commands too; only "hostile", whose names no Envoy takes, is made here.
func reports(t testing.TB) map[string]*report.Report {
	t.Helper()
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no reports in testdata: %v", err)
	}
	found := map[string]*report.Report{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r, err := report.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		found[strings.TrimSuffix(filepath.Base(file), ".json")] = r
	}
	found["hostile"] = renamed(t, "several", hostileSuffix)
	found["policy"] = judged(t, "shop.example")
	return found
}

// golden compares with a file of testdata, or writes it.
func golden(t *testing.T, file, got string) {
	t.Helper()
	file = filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

func TestFormats(t *testing.T) {
	for name, r := range reports(t) {
		t.Run(name, func(t *testing.T) {
			var text bytes.Buffer
			if err := format.Text(&text, r, format.TextOptions{}); err != nil {
				t.Fatal(err)
			}
			golden(t, name+".txt", text.String())
			golden(t, name+".md", format.Markdown(r, format.MarkdownOptions{MoreText: "job summary"}))
		})
	}
}

// TestJSONIsStable holds that a report read and written again is the same file.
func TestJSONIsStable(t *testing.T) {
	for name, r := range reports(t) {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			if err := format.JSON(&out, r); err != nil {
				t.Fatal(err)
			}
			golden(t, name+".json", out.String())
		})
	}
}
