package manifest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// tree makes a directory: a path ending in "/" is a folder, a text beginning with "-> " a link.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		full := filepath.Join(root, name)
		folder := filepath.Dir(full)
		if strings.HasSuffix(name, "/") {
			folder = full
		}
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if target, link := strings.CutPrefix(text, "-> "); link {
			err = os.Symlink(target, full)
		} else if !strings.HasSuffix(name, "/") {
			err = os.WriteFile(full, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func openRoot(t *testing.T, directory string) fs.FS {
	t.Helper()
	root, err := os.OpenRoot(directory)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return root.FS()
}

// walk gives the names and findings of a tree.
func walk(t *testing.T, root string, limits Limits) (names, findings []string) {
	t.Helper()
	sources, found, err := WalkFS(t.Context(), openRoot(t, root), ".", limits)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sources {
		names = append(names, s.Name)
	}
	for _, d := range found.Sort() {
		findings = append(findings, d.String())
	}
	return names, findings
}

func TestWalk(t *testing.T) {
	const outside = " RD1008 a symbolic link that leads out of the tree is not followed"
	for name, test := range map[string]struct {
		files           map[string]string
		names, findings []string
	}{
		"sorted, with folders": {
			map[string]string{"b.yaml": "", "a/z.yml": "", "a/b/c.json": "", "README.md": "", "a-b.yaml": ""},
			[]string{"a-b.yaml", "a/b/c.json", "a/z.yml", "b.yaml"}, nil,
		},
		"dot folders": {map[string]string{".git/a.yaml": "", ".github/workflows/a.yaml": "", "a/.b/c.yaml": "", "d.yaml": "", ".e.yaml": ""}, []string{".e.yaml", "d.yaml"}, nil},
		"Helm chart": {
			map[string]string{"c/Chart.yaml": "", "c/values.yaml": "", "c/templates/a.yaml": "{{", "c/templates/t/b.yaml": "{{", "templates/d.yaml": ""},
			[]string{"c/Chart.yaml", "c/values.yaml", "templates/d.yaml"}, []string{"c: RD1015 the templates of this Helm chart are not read"},
		},
		"links that stay": {
			// A volume of a ConfigMap looks like this: the files are behind a folder with a dot.
			map[string]string{"..data": "-> ..1", "..1/a.yaml": "", "a.yaml": "-> ..data/a.yaml", "again": "-> ..data", "also.yaml": "-> a.yaml"},
			[]string{"a.yaml"}, nil,
		},
		"a file is read once":   {map[string]string{"a/x.yaml": "", "b": "-> a", "c.yaml": "-> a/x.yaml"}, []string{"a/x.yaml"}, nil},
		"links in circles":      {map[string]string{"a/b": "-> ..", "a/c": "-> .", "a/x.yaml": ""}, []string{"a/x.yaml"}, nil},
		"a link to itself":      {map[string]string{"a.yaml": "-> a.yaml"}, nil, []string{"a.yaml: RD1007 cannot be read: a symbolic link to a file that is not there"}},
		"a link to nothing":     {map[string]string{"a.yaml": "-> b.yaml", "x.md": "-> y"}, nil, []string{"a.yaml: RD1007 cannot be read: a symbolic link to a file that is not there"}},
		"a link out":            {map[string]string{"a.yaml": "-> ../x.yaml", "x.md": "-> ../y"}, nil, []string{"a.yaml:" + outside}},
		"a folder out":          {map[string]string{"a": "-> ../.."}, nil, []string{"a:" + outside}},
		"an absolute link":      {map[string]string{"a.yaml": "-> /etc/passwd"}, nil, []string{"a.yaml:" + outside}},
		"out in a second step":  {map[string]string{"a.yaml": "-> b", "b": "-> ../x"}, nil, []string{"a.yaml:" + outside, "b:" + outside}},
		"out and in again":      {map[string]string{"d/a.yaml": "-> ../e/x.yaml", "e/x.yaml": ""}, []string{"e/x.yaml"}, nil},
		"folder named like one": {map[string]string{"a.yaml/b.yaml": ""}, []string{"a.yaml/b.yaml"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			names, findings := walk(t, tree(t, test.files), Limits{})
			if diff := cmp.Diff(test.names, names); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(test.findings, findings); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestWalkTooLarge: a file of a gigabyte is refused by its size; none of it is read.
func TestWalkTooLarge(t *testing.T) {
	root := tree(t, map[string]string{"a.yaml": "x: 1", "b.yaml": "", "c.yaml": "x: 1"})
	if err := os.Truncate(filepath.Join(root, "b.yaml"), 1<<30); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	names, findings := walk(t, root, Limits{})
	runtime.ReadMemStats(&after)
	if len(names) != 2 || len(findings) != 1 || !strings.HasPrefix(findings[0], "b.yaml: RD1002 file is too large: 1073741824 bytes") {
		t.Error(names, findings)
	}
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 1<<20 {
		t.Errorf("%d bytes allocated", bytes)
	}
	names, findings = walk(t, root, Limits{Documents: 2})
	if len(names) != 0 || !strings.Contains(fmt.Sprint(findings), "c.yaml: RD1002 3 files, the limit is 2") {
		t.Error(names, findings)
	}
	names, findings = walk(t, root, Limits{TotalBytes: 5})
	if len(names) != 1 || !strings.Contains(fmt.Sprint(findings), "RD1002 all files together have more than 5 bytes") {
		t.Error(names, findings)
	}
}

func TestFile(t *testing.T) {
	root := tree(t, map[string]string{"a.txt": "x: 1"})
	source, err := File(filepath.Join(root, "a.txt"), Limits{})
	if err != nil || string(source.Data) != "x: 1" || !source.Named {
		t.Error(source, err)
	}
	if _, err := File(filepath.Join(root, "a.txt"), Limits{FileBytes: 3}); err == nil || !strings.Contains(err.Error(), "the limit is 3") {
		t.Error(err)
	}
	if _, err := File(filepath.Join(root, "b.txt"), Limits{}); err == nil {
		t.Error("no error")
	}
	named, _, err := WalkFS(t.Context(), openRoot(t, root), "a.txt", Limits{})
	if err != nil || len(named) != 1 || named[0].Name != "a.txt" || !named[0].Named {
		t.Error(named, err)
	}
	if _, _, err := WalkFS(t.Context(), openRoot(t, root), "b", Limits{}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	// An endless file: read no further than the limit.
	if _, err := File("/dev/zero", Limits{FileBytes: 1 << 16}); err == nil {
		t.Error("no error for an endless file")
	}
}

// TestWalkNames: sources are named from the root of the tree, by the path that was asked for.
func TestWalkNames(t *testing.T) {
	root := openRoot(t, tree(t, map[string]string{"routes/a.yaml": "", "link": "-> routes", "linked/b.yaml": "-> ../routes/a.yaml"}))
	for name, want := range map[string]string{".": "routes/a.yaml", "routes": "routes/a.yaml", "link": "link/a.yaml", "linked": "linked/b.yaml"} {
		sources, _, err := WalkFS(t.Context(), root, name, Limits{})
		if err != nil || len(sources) != 1 || sources[0].Name != want {
			t.Errorf("%s: %v %v", name, sources, err)
		}
	}
}

// TestNotRegular: a pipe named like a manifest is never opened, since that would wait for ever.
func TestNotRegular(t *testing.T) {
	root := t.TempDir()
	makePipe(t, filepath.Join(root, "a.yaml"))
	if _, findings := walk(t, root, Limits{}); !cmp.Equal(findings, []string{"a.yaml: " + string(diagnostic.Unreadable) + " cannot be read: not a regular file"}) {
		t.Error(findings)
	}
}
