package manifest_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
)

var update = flag.Bool("update", false, "write what is found into testdata/refused")

// reader shares definitions, which take longer to compile than a test takes.
var reader = manifest.NewReader(manifest.Limits{})

// finding begins a line that a section ends in.
const finding = "#! "

// readText reads one source named f.yaml.
func readText(t *testing.T, text string) (*manifest.Objects, diagnostic.List) {
	t.Helper()
	objects, found := reader.Read(t.Context(), []manifest.Source{{Name: "f.yaml", Data: []byte(text), Named: true}})
	return objects, slices.DeleteFunc(found, func(d diagnostic.Diagnostic) bool { return d.Code == diagnostic.NoObject })
}

// TestRefused: what is wrong with an object is said in the words of the API server, with its place and a hint.
func TestRefused(t *testing.T) {
	files, err := filepath.Glob("testdata/refused/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for i := range archive.Files {
				section := &archive.Files[i]
				t.Run(section.Name, func(t *testing.T) { refuse(t, section) })
			}
			if *update {
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// refuse compares what is found in one section with what it says, or writes it.
func refuse(t *testing.T, section *txtar.File) {
	text, _, _ := strings.Cut(string(section.Data), finding)
	objects, found := readText(t, text)
	if found.HasErrors() != (len(objects.Invalid) == 1) {
		t.Errorf("%d objects are left out, but found is %v", len(objects.Invalid), found)
	}
	var lines strings.Builder
	for _, d := range found {
		fmt.Fprintf(&lines, "%s%s%s\n", finding, map[bool]string{true: "warning: "}[d.Severity == diagnostic.Warning], strings.TrimPrefix(d.String(), "f.yaml:"))
		if d.Hint != "" {
			fmt.Fprintf(&lines, "%s  hint: %s\n", finding, d.Hint)
		}
	}
	got := []byte(text + lines.String())
	if diff := cmp.Diff(string(section.Data), string(got)); diff != "" && !*update {
		t.Error(diff)
	}
	section.Data = got
}
