package review

import (
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/routedelta/routedelta/plugin/config"
)

// TestReportOfTargets: the report of several targets, which the formats are shown by, is what their comparison says, and each target by
// itself is answered by the Envoys of its two sides as it says.
func TestReportOfTargets(t *testing.T) {
	archive, err := txtar.ParseFile(reportsDir + "targets.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, file := range archive.Files {
		write(t, filepath.Join(dir, file.Name), file.Data)
	}
	configured, err := config.Parse(archive.Files[0].Name, archive.Files[0].Data)
	if err != nil {
		t.Fatal(err)
	}
	before, after := Source{Path: "before"}, Source{Path: "after"}
	write(t, filepath.Join(dir, "before", ".git"), nil) // the root of each side: what a target refers to stands beside it
	write(t, filepath.Join(dir, "after", ".git"), nil)
	options := Options{Environment: Environment{Dir: dir}, Config: configured, Targets: configured.Spec.Targets}
	served := 0
	for _, target := range configured.Spec.Targets {
		one := options
		one.Targets = []config.Target{target}
		earlier, later, err := one.bothSides(t.Context(), before, after)
		if err != nil {
			continue // it is not decided, which the report says
		}
		found, compared, err := one.compare(t.Context(), earlier, later)
		if err != nil {
			t.Fatal(err)
		}
		change{found, compared, one}.start(t).Hold(t, found)
		served++
	}
	if served != len(configured.Spec.Targets)-1 {
		t.Errorf("%d targets of %d were served, want all but one", served, len(configured.Spec.Targets))
	}
	found, err := Compare(t.Context(), before, after, options)
	if err != nil {
		t.Fatal(err)
	}
	nameSides(found)
	holdReport(t, reportsDir+"targets.json", found)
}
