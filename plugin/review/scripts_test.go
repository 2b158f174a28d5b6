package review

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/routedelta/routedelta/plugin/config"
)

// TestScriptsByCurl: every command that stands in what a script of the command line wants to see is one that was run here: those of its
// own two sides, or of the README's example. (Those of TestExampleByCurl are run there.)
func TestScriptsByCurl(t *testing.T) {
	names, err := filepath.Glob("../../testdata/script/*.txtar")
	if err != nil || len(names) < 10 {
		t.Fatalf("%d scripts: %v", len(names), err)
	}
	example := commandsOf(compareSides(t, "../../testdata/example", new(config.Config)).found)
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		wanted := wantedCommands(archive)
		if len(wanted) == 0 {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			run := example
			for _, sides := range targetsOf(t, archive) {
				c := compareArchive(t, sides)
				c.start(t).Hold(t, c.found)
				run = slices.Concat(run, commandsOf(c.found))
			}
			for _, line := range wanted {
				if !slices.Contains(run, line) {
					t.Errorf("no Envoy was asked by\n%s", line)
				}
			}
		})
	}
}

// wantedCommands are the commands of classes in the files of a script. A finding of check gives its command behind other words.
func wantedCommands(archive *txtar.Archive) []string {
	var commands []string
	for _, file := range archive.Files {
		for line := range strings.Lines(string(file.Data)) {
			if line = strings.TrimSpace(line); strings.HasPrefix(line, "curl -i ") {
				commands = append(commands, line)
			}
		}
	}
	return commands
}

// targetsOf are the two sides of a script, or those of each target that its configuration names.
func targetsOf(t *testing.T, archive *txtar.Archive) []*txtar.Archive {
	t.Helper()
	var sides []*txtar.Archive
	for _, file := range archive.Files {
		if file.Name != "before/"+config.FileName {
			continue
		}
		configured, err := config.Parse(file.Name, file.Data)
		if err != nil {
			t.Fatal(err)
		}
		for _, target := range configured.Spec.Targets {
			sides = append(sides, belowPath(archive, target.Path+"/"))
		}
	}
	if sides == nil && slices.ContainsFunc(archive.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, "before/") }) {
		sides = append(sides, archive)
	}
	return sides
}

// belowPath is what an archive has of a path on each side.
func belowPath(archive *txtar.Archive, path string) *txtar.Archive {
	below := new(txtar.Archive)
	for _, file := range archive.Files {
		side, name, _ := strings.Cut(file.Name, "/")
		if strings.HasPrefix(name, path) {
			below.Files = append(below.Files, txtar.File{Name: side + "/" + name, Data: file.Data})
		}
	}
	return below
}

// TestGoldensAreKnown: what people are shown as a golden file stands in a folder whose tests run its commands. A new folder fails here
// until it does.
func TestGoldensAreKnown(t *testing.T) {
	run := map[string]string{
		"testdata/diffs":       "TestDiffs",
		"testdata/script":      "TestScriptsByCurl",
		"diff/format/testdata": "TestReportsAreOfEnvoys",
		"diff/testdata":        "TestCompare and others of package diff",
		".":                    "TestExampleByCurl: the README",
		"docs":                 "none: prose",
	}
	root := "../.."
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && path != root {
			return filepath.SkipDir
		}
		if !entry.Type().IsRegular() || filepath.Ext(path) == ".go" {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(data), "curl -i http") || strings.IndexByte(string(data), 0) >= 0 {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		if run[filepath.ToSlash(folder)] == "" {
			t.Errorf("no test runs the commands in %s", path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
