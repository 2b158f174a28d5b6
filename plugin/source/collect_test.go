package source_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/routedelta/routedelta/plugin/source"
)

var update = flag.Bool("update", false, "write what is collected")

// TestCollect collects each archive as its comment says (path:, variable:, remote:) and holds what comes out against want.txt: the texts
// with the place of each line, the parts and the diagnostics.
func TestCollect(t *testing.T) {
	names, err := filepath.Glob("testdata/collect/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			tree, want := fstest.MapFS{}, ""
			var kept []txtar.File
			for _, file := range archive.Files {
				if file.Name == "want.txt" {
					want = string(file.Data)
					continue
				}
				kept = append(kept, file)
				tree[file.Name] = &fstest.MapFile{Data: file.Data, Mode: 0o644}
			}
			collected, err := source.Collect(t.Context(), tree, optionsIn(t, string(archive.Comment)))
			if err != nil {
				t.Fatal(err)
			}
			got := printed(collected)
			if *update {
				archive.Files = append(kept, txtar.File{Name: "want.txt", Data: []byte(got)})
				if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// optionsIn reads the options out of a comment.
func optionsIn(t *testing.T, comment string) source.Options {
	t.Helper()
	options := source.Options{}
	options.Sources.Variables = map[string]string{}
	for line := range strings.Lines(comment) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "path":
			options.Path = value
		case "variable":
			name, text, _ := strings.Cut(value, "=")
			if unquoted, err := strconv.Unquote(text); err == nil {
				text = unquoted
			}
			options.Sources.Variables[name] = text
		case "exclude":
			options.Sources.Exclude = append(options.Sources.Exclude, value)
		case "remote":
			options.Remotes = func() []string { return []string{value} }
		}
	}
	return options
}

// printed is all that was collected.
func printed(collected *source.Collected) string {
	var out strings.Builder
	for _, text := range collected.Texts {
		fmt.Fprintf(&out, "== %s\n", text.Name)
		for i, line := range strings.Split(strings.TrimSuffix(string(text.Data), "\n"), "\n") {
			place := ""
			if i < len(text.Lines) {
				place = text.Lines[i].String()
			}
			fmt.Fprintln(&out, strings.TrimRight(fmt.Sprintf("%-52s%s", line, place), " "))
		}
	}
	fmt.Fprintln(&out, "== parts")
	for _, part := range collected.Parts {
		fmt.Fprintln(&out, strings.TrimRight(fmt.Sprintf("%s %s %s", part.Form, part.Path, part.Unread), " "))
	}
	fmt.Fprintln(&out, "== diagnostics")
	for _, d := range collected.Diagnostics.Sort() {
		fmt.Fprintf(&out, "%s %s\n", d.Severity, d)
	}
	return out.String()
}
