package trace_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/routedelta/routedelta/plugin/kustomize"
	"github.com/routedelta/routedelta/plugin/trace"
)

var update = flag.Bool("update", false, "write the lines that are found")

// TestLines builds the directory overlay of each archive and holds the place of each line against want.txt.
func TestLines(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
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
			for _, file := range archive.Files {
				if file.Name == "want.txt" {
					want = string(file.Data)
					continue
				}
				tree[file.Name] = &fstest.MapFile{Data: file.Data}
			}
			got := lines(t, tree)
			if *update {
				archive.Files = append(withoutWant(archive.Files), txtar.File{Name: "want.txt", Data: []byte(got)})
				if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
		})
	}
}

func withoutWant(files []txtar.File) []txtar.File {
	var kept []txtar.File
	for _, file := range files {
		if file.Name != "want.txt" {
			kept = append(kept, file)
		}
	}
	return kept
}

// lines writes each line of what is built with the place that it comes from.
func lines(t *testing.T, tree fstest.MapFS) string {
	t.Helper()
	built, err := kustomize.Build(t.Context(), tree, "overlay", kustomize.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var documents []trace.Document
	for _, file := range built.Files {
		for _, root := range file.Documents {
			documents = append(documents, trace.Document{File: file.Name, Root: root, Kustomization: kustomize.IsFile(file.Name)})
		}
	}
	tracer := trace.New(documents)
	var out strings.Builder
	for _, object := range built.Objects {
		text, places, err := tracer.Text(object)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
			fmt.Fprintf(&out, "%-52s%s\n", line, places[i])
		}
		out.WriteString("\n")
	}
	return out.String()
}
