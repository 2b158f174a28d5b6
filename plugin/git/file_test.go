package git

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func yamlOnly(name string) bool { return strings.HasSuffix(name, ".yaml") }

// read lists what Files reads: "name = data" or "name ! error".
func read(t *testing.T, r *Repository, commit Commit, path string, match func(string) bool) []string {
	t.Helper()
	files, err := r.Files(t.Context(), commit, path, match, Limits{FileBytes: 1000})
	must(t, err)
	var got []string
	for _, f := range files {
		if f.Err != nil {
			got = append(got, fmt.Sprintf("%s ! %v", f.Name, f.Err))
		} else {
			got = append(got, fmt.Sprintf("%s = %s", f.Name, f.Data))
		}
	}
	return got
}

func TestFiles(t *testing.T) {
	f := newFixture(t)
	f.commit(map[string]string{
		"apps/shop/a.yaml": "A", "apps/b.yaml": "B", "apps/b.txt": "no", "apps2/c.yaml": "C", "d.yaml": "D",
		"apps/:(glob)*.yaml": "magic", "apps/\"quoted\"\ttab\nline.yaml": "Q", "apps/ünï.yaml": "U", "apps/big.yaml": strings.Repeat("x", 1001),
	})
	f.write(map[string]string{"apps/shop/a.yaml": "changed in the work tree"})
	r := f.open()
	head := f.resolve(r, "HEAD")
	for path, want := range map[string][]string{
		"apps/shop":                       {"apps/shop/a.yaml = A"},
		"/apps/shop/../shop/./":           {"apps/shop/a.yaml = A"},
		"apps/b.yaml":                     {"apps/b.yaml = B"},
		"apps/:(glob)*.yaml":              {"apps/:(glob)*.yaml = magic"},
		"apps/\"quoted\"\ttab\nline.yaml": {"apps/\"quoted\"\ttab\nline.yaml = Q"},
		"": {
			"apps/\"quoted\"\ttab\nline.yaml = Q", "apps/:(glob)*.yaml = magic", "apps/b.yaml = B",
			"apps/big.yaml ! a file over the size limit", "apps/shop/a.yaml = A", "apps/ünï.yaml = U", "apps2/c.yaml = C", "d.yaml = D",
		},
	} {
		if diff := cmp.Diff(want, read(t, r, head, path, yamlOnly)); diff != "" {
			t.Errorf("Files(%q) (-want +got):\n%s", path, diff)
		}
	}
}

func TestFilesRefusals(t *testing.T) {
	f := newFixture(t)
	f.commit(map[string]string{"apps/a.yaml": "AAAA", "apps/b.yaml": "BBBB", "link": "-> apps"})
	r := f.open()
	head := f.resolve(r, "HEAD")
	t.Run("a path that is not there", func(t *testing.T) {
		for _, path := range []string{"nowhere", "app", "apps/a.yaml/x", "--help", "link/nowhere"} {
			_, err := r.Files(t.Context(), head, path, everything, Limits{})
			var typed *PathError
			if !errors.As(err, &typed) || typed.Hint() == "" {
				t.Errorf("Files(%q) = %v, want a PathError", path, err)
			}
		}
	})
	t.Run("limits", func(t *testing.T) {
		for _, limits := range []Limits{{Entries: 2}, {Files: 1}, {TotalBytes: 7}} {
			_, err := r.Files(t.Context(), head, "", everything, limits)
			var typed *LimitError
			if !errors.As(err, &typed) || typed.Hint() == "" {
				t.Errorf("Files with %+v = %v, want a LimitError", limits, err)
			}
		}
	})
}

func TestFilesFollowLinks(t *testing.T) {
	f := newFixture(t)
	f.commit(map[string]string{
		"base/a.yaml": "A", "base/deep/b.yaml": "B", "plain.txt": "P",
		"apps/own.yaml":      "O",
		"apps/again.yaml":    "-> own.yaml",            // read already, under its own name
		"apps/text.yaml":     "-> ../plain.txt",        // the link's name matches
		"apps/base":          "-> ../base",             // a directory
		"apps/chain.yaml":    "-> hop",                 // a link to a link
		"apps/hop":           "-> base/deep/../a.yaml", // through a link, read already as apps/base/a.yaml
		"apps/up":            "-> .",                   // a directory above itself
		"base/deep/apps":     "-> ../../apps",          // and a loop over two
		"apps/out.yaml":      "-> ../../secret.yaml",
		"apps/outdir":        "-> /etc",
		"apps/dangling.yaml": "-> nowhere.yaml",
		"apps/dangling":      "-> nowhere",
		"apps/loop.yaml":     "-> loop.yaml",
		"apps/notdir.yaml":   "-> own.yaml/x",
		"current":            "-> apps",
	})
	r := f.open()
	head := f.resolve(r, "HEAD")
	want := []string{
		"apps/base/a.yaml = A",
		"apps/base/deep/b.yaml = B",
		"apps/dangling.yaml ! a symbolic link to a file that is not in the commit",
		"apps/loop.yaml ! a symbolic link to a file that is not in the commit: too many links",
		"apps/notdir.yaml ! a symbolic link to a file that is not in the commit",
		"apps/out.yaml ! a symbolic link that leads out of the repository",
		"apps/outdir ! a symbolic link that leads out of the repository",
		"apps/own.yaml = O",
		"apps/text.yaml = P",
	}
	if diff := cmp.Diff(want, read(t, r, head, "apps", yamlOnly)); diff != "" {
		t.Errorf("Files(apps) (-want +got):\n%s", diff)
	}
	want = []string{
		"current/base/deep/apps/out.yaml ! a symbolic link that leads out of the repository",
		"current/base/deep/apps/outdir ! a symbolic link that leads out of the repository",
		"current/base/deep/b.yaml = B",
	}
	isB := func(name string) bool { return strings.HasSuffix(name, "/b.yaml") }
	if diff := cmp.Diff(want, read(t, r, head, "current/base/deep", isB)); diff != "" {
		t.Errorf("Files(current/base/deep) (-want +got):\n%s", diff)
	}
	if _, err := r.Files(t.Context(), head, "apps/outdir", everything, Limits{}); !errors.Is(err, ErrOutside) {
		t.Errorf("Files of a path that leads out = %v", err)
	}
}

func TestManyLinksAreBounded(t *testing.T) {
	f := newFixture(t)
	files := map[string]string{}
	dir := "d"
	for i := range 40 {
		files[fmt.Sprintf("links/%02d", i)] = "-> ../" + dir
		files[dir+"/x.yaml"] = "x"
		dir += "/d"
	}
	f.commit(files)
	r := f.open()
	_, err := r.Files(t.Context(), f.resolve(r, "HEAD"), "links", everything, Limits{Entries: 100})
	var typed *LimitError
	if !errors.As(err, &typed) {
		t.Errorf("Files = %v, want a LimitError", err)
	}
}

func TestSubmodulesAreLeftOut(t *testing.T) {
	f := newFixture(t)
	hash := f.commit(map[string]string{"a.yaml": "A"})
	f.git("update-index", "--add", "--cacheinfo", "160000,"+hash+",module")
	f.git("commit", "--quiet", "--message", "a submodule")
	r := f.open()
	if got := read(t, r, f.resolve(r, "HEAD"), "", everything); len(got) != 1 {
		t.Errorf("Files = %q", got)
	}
}

func TestHostileTreeNames(t *testing.T) {
	for _, name := range []string{"../x", "/x", "a//b", "."} {
		if _, _, err := parseEntry("100644 blob 78981922613b2afb6025042ff6bd878ac1994e85\t" + name); err == nil {
			t.Errorf("the name %q is taken", name)
		}
	}
}

func TestEqualBlobsAreReadOnce(t *testing.T) {
	f := newFixture(t)
	f.commit(map[string]string{"a.yaml": "same", "b.yaml": "same"})
	r := f.open()
	files, err := r.Files(t.Context(), f.resolve(r, "HEAD"), "", everything, Limits{TotalBytes: 4})
	must(t, err)
	if len(files) != 2 || files[0].Blob != files[1].Blob || string(files[1].Data) != "same" {
		t.Errorf("Files = %+v", files)
	}
}
