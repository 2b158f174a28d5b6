package review

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/config"
)

// reportsDir holds the reports that the formats are shown by.
const reportsDir = "../../diff/format/testdata/"

// TestReportsAreOfEnvoys: every report with a class is what the comparison of two sides says, which stand beside it or are made here,
// and each of its commands is answered by the Envoys of these sides as it says. A report with a class that nobody can serve fails.
func TestReportsAreOfEnvoys(t *testing.T) {
	names, err := filepath.Glob(reportsDir + "*.json")
	if err != nil || len(names) < 10 {
		t.Fatalf("%d reports in %s: %v", len(names), reportsDir, err)
	}
	for _, name := range names {
		if filepath.Base(name) == "targets.json" {
			continue // TestReportOfTargets
		}
		t.Run(strings.TrimSuffix(filepath.Base(name), ".json"), func(t *testing.T) {
			t.Parallel()
			committed := readReport(t, name)
			switch c, made := reportSides(t, strings.TrimSuffix(name, ".json")); {
			case made:
				nameSides(c.found)
				holdReport(t, name, c.found)
				c.start(t).Hold(t, c.found)
			case slices.Contains([]string{"hostile.json", "policy.json"}, filepath.Base(name)):
				// No Envoy takes such names, and none knows a policy. It is another report with these, and its commands stay as they are.
				if of := readReport(t, reportsDir+"several.json"); !slices.Equal(commandsOf(committed), commandsOf(of)) {
					t.Errorf("it is not the report \"several\" with something more: commands %q, want %q", commandsOf(committed), commandsOf(of))
				}
			case len(committed.Classes) > 0:
				t.Errorf("%d classes, and no two sides that an Envoy can serve", len(committed.Classes))
			}
		})
	}
}

// reportSides compares the two sides that a report is about.
func reportSides(t *testing.T, name string) (c change, made bool) {
	t.Helper()
	if filepath.Base(name) == "forty" {
		dir := t.TempDir()
		before, after := releaseDay()
		write(t, filepath.Join(dir, "before", "routes.yaml"), []byte(before))
		write(t, filepath.Join(dir, "after", "routes.yaml"), []byte(after))
		return compareSides(t, dir, new(config.Config)), true
	}
	archive, err := txtar.ParseFile(name + ".txtar")
	if os.IsNotExist(err) {
		return change{}, false
	}
	if err != nil {
		t.Fatal(err)
	}
	return compareArchive(t, archive), true
}

// nameSides calls the sides as those of a pull request are called, so that the formats have something to link to.
func nameSides(r *report.Report) {
	const repository = "https://github.com/acme/gitops/blob/"
	r.Tool = "v0.1.0"
	r.Before.Source, r.Before.Revision, r.Before.Label = "git:main", "41c0a9e2f0c1d7f5a6b0", "main@41c0a9e"
	r.After.Source, r.After.Revision, r.After.Label = "git:HEAD", "8f3c2d1e0c1d7f5a6b00", "feature/canary@8f3c2d1"
	r.Before.BlobURL, r.After.BlobURL = repository+r.Before.Revision, repository+r.After.Revision
	// The digests depend on the version of Envoy's API.
	r.Before.Digest, r.After.Digest = "0f1e2d3c", "4b5a6978"
}

func readReport(t *testing.T, name string) *report.Report {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := report.Decode(file)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return r
}

func holdReport(t *testing.T, name string, found *report.Report) {
	t.Helper()
	var text bytes.Buffer
	if err := report.Encode(&text, found); err != nil {
		t.Fatal(err)
	}
	if *update {
		write(t, name, text.Bytes())
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if difference := cmp.Diff(string(want), text.String()); difference != "" {
		t.Errorf("%s is not what the comparison says (-want +got):\n%s", name, difference)
	}
}

func commandsOf(r *report.Report) []string {
	var lines []string
	for _, c := range r.Classes {
		for _, w := range c.Witnesses {
			lines = append(lines, w.Curl)
		}
	}
	return lines
}
