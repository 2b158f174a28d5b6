package git

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// lines takes each word of a file as the name of an object, so that the tests read easily.
func lines(_ string, data []byte) []diagnostic.Object {
	var found []diagnostic.Object
	for word := range strings.FieldsSeq(string(data)) {
		found = append(found, diagnostic.Object{Name: word})
	}
	return found
}

func at(file string, names ...string) []ObjectAt {
	var objects []ObjectAt
	for _, name := range names {
		objects = append(objects, ObjectAt{Object: diagnostic.Object{Name: name}, File: file})
	}
	return objects
}

// landings asks for all objects of HEAD and answers with the number of the commit of each.
func landings(t *testing.T, f *fixture, commits []string, query LandingQuery) map[string]int {
	t.Helper()
	r := f.open()
	head := f.resolve(r, "HEAD")
	if query.Objects == nil {
		files, err := r.Files(t.Context(), head, "", everything, Limits{})
		must(t, err)
		for _, file := range files {
			for _, o := range lines(file.Name, file.Data) {
				query.Objects = append(query.Objects, ObjectAt{Object: o, File: file.Name})
			}
		}
	}
	query.Identify = lines
	landed, err := r.Landings(t.Context(), head, query)
	must(t, err)
	got := map[string]int{}
	for object, landing := range landed {
		got[object.Name] = slices.Index(commits, landing.Commit)
		if landing.Time != f.resolve(r, landing.Commit).Time {
			t.Errorf("%s: time %v is not that of commit %s", object.Name, landing.Time, landing.Commit)
		}
	}
	return got
}

func TestLandings(t *testing.T) {
	type files = map[string]string
	for name, test := range map[string]struct {
		commits []files
		query   LandingQuery
		want    map[string]int
	}{
		"each by its commit":        {commits: []files{{"a.yaml": "shop"}, {"a.yaml": "shop cart"}, {"b.yaml": "pay"}}, want: map[string]int{"shop": 0, "cart": 1, "pay": 2}},
		"changes are no landing":    {commits: []files{{"a.yaml": "shop"}, {"a.yaml": "shop \n"}, {"a.yaml": "\nshop"}}, want: map[string]int{"shop": 0}},
		"deleted and added again":   {commits: []files{{"a.yaml": "shop cart"}, {"a.yaml": "cart"}, {"a.yaml": "cart shop"}}, want: map[string]int{"cart": 0, "shop": 2}},
		"file deleted, added again": {commits: []files{{"a.yaml": "shop"}, {"a.yaml": ""}, {"a.yaml": "shop"}}, want: map[string]int{"shop": 2}},
		"moved to another file":     {commits: []files{{"a.yaml": "shop cart"}, {"a.yaml": "cart", "b.yaml": "shop"}}, want: map[string]int{"cart": 0, "shop": 0}},
		"file renamed":              {commits: []files{{"a.yaml": "shop"}, {"a.yaml": "", "dir/b.yaml": "shop"}, {"dir/b.yaml": "shop cart"}}, want: map[string]int{"shop": 0, "cart": 2}},
		"copied is not moved":       {commits: []files{{"a.yaml": "shop"}, {"b.yaml": "cart"}}, want: map[string]int{"shop": 0, "cart": 1}},
		"a link became a file":      {commits: []files{{"a.yaml": "-> b", "b": "x"}, {"a.yaml": "shop"}}, want: map[string]int{"x": 0, "shop": 1}},
		"from outside the paths": {commits: []files{{"attic/a.yaml": "shop"}, {"attic/a.yaml": "", "apps/a.yaml": "shop"}},
			query: LandingQuery{Paths: []string{"apps"}}, want: map[string]int{"shop": 1}},
		"from what is no manifest": {commits: []files{{"a.txt": "shop"}, {"a.txt": "", "a.yaml": "shop"}},
			query: LandingQuery{Match: yamlOnly}, want: map[string]int{"shop": 1}},
		"limit of commits":  {commits: []files{{"a.yaml": "shop"}, {"b.yaml": "cart"}, {"c.yaml": "pay"}}, query: LandingQuery{Limits: LandingLimits{Commits: 2}}, want: map[string]int{"cart": 1, "pay": 2}},
		"limit of versions": {commits: []files{{"a.yaml": "shop"}, {"a.yaml": "shop cart"}, {"a.yaml": "shop cart pay"}}, query: LandingQuery{Limits: LandingLimits{Blobs: 1}}, want: map[string]int{"pay": 2}},
		"a version too large": {commits: []files{{"a.yaml": "shop"}, {"a.yaml": "shop" + strings.Repeat(" ", 2000)}, {"a.yaml": "shop"}, {"b.yaml": "cart"}},
			query: LandingQuery{Limits: LandingLimits{FileBytes: 1000}}, want: map[string]int{"cart": 3}},
		"an object that is not there": {commits: []files{{"a.yaml": "shop"}}, query: LandingQuery{Objects: at("z.yaml", "ghost")}, want: map[string]int{}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			var commits []string
			for _, files := range test.commits {
				commits = append(commits, f.commit(files))
			}
			if diff := cmp.Diff(test.want, landings(t, f, commits, test.query)); diff != "" {
				t.Errorf("commit numbers (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLandingOfAMergeIsTheMerge(t *testing.T) {
	f := newFixture(t)
	base := f.commit(map[string]string{"a.yaml": "shop"})
	f.git("checkout", "--quiet", "-b", "feature")
	branch := f.commit(map[string]string{"b.yaml": "cart"})
	f.git("checkout", "--quiet", "main")
	later := f.commit(map[string]string{"c.yaml": "pay"})
	f.clock += 3600
	f.git("merge", "--quiet", "--no-ff", "--message", "merge", "feature")
	merge := f.git("rev-parse", "HEAD")
	got := landings(t, f, []string{base, branch, later, merge}, LandingQuery{})
	if diff := cmp.Diff(map[string]int{"shop": 0, "pay": 2, "cart": 3}, got); diff != "" {
		t.Errorf("commit numbers (-want +got):\n%s", diff)
	}
}

// longHistory makes a branch of n commits by fast-import. The first brings 400 manifests and 1,000 other files; of the others
// each changes one other file, and one in every `every` a manifest. Each hundredth of those adds an object to the first file.
func longHistory(t testing.TB, f *fixture, n, every int) {
	t.Helper()
	var stream strings.Builder
	put := func(name, text string) {
		fmt.Fprintf(&stream, "M 100644 inline %s\ndata %d\n%s\n", name, len(text), text)
	}
	manifest := func(j, i int) {
		put(fmt.Sprintf("apps/team-%02d/route-%03d.yaml", j%20, j), fmt.Sprintf("route-%d %s%d", j, strings.Repeat("x ", 500), i))
	}
	names := "first"
	for i := range n {
		fmt.Fprintf(&stream, "commit refs/heads/main\ncommitter t <t@example.com> %d +0000\ndata 1\nx\n", 1_600_000_000+i*60)
		for j := range 1000 {
			if i == 0 || j == i%1000 {
				put(fmt.Sprintf("src/%d/%d/main-%d.go", j%10, j%100, j), fmt.Sprint(i))
			}
		}
		for j := range 400 {
			if i == 0 || (i%every == 0 && j == i/every%400) {
				manifest(j, i)
			}
		}
		if i%(100*every) == 0 {
			names += fmt.Sprintf(" object-%d", i)
			put("apps/first.yaml", names)
		}
	}
	cmd := exec.Command("git", "fast-import", "--quiet")
	cmd.Dir = f.dir
	cmd.Stdin = strings.NewReader(stream.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git fast-import: %v\n%s", err, out)
	}
}

// BenchmarkLandings asks for the landing of every object of a branch of 50,000 commits: where each commit touches a
// manifest, so that all history has to be read, and where one in fifty does.
func BenchmarkLandings(b *testing.B) {
	for _, every := range []int{1, 50} {
		b.Run(fmt.Sprintf("commits=50000/manifests=1in%d", every), func(b *testing.B) {
			f := newFixture(b)
			longHistory(b, f, 50_000, every)
			r := f.open()
			head := f.resolve(r, "HEAD")
			files, err := r.Files(b.Context(), head, "apps", yamlOnly, Limits{})
			must(b, err)
			var objects []ObjectAt
			for _, file := range files {
				objects = append(objects, ObjectAt{Object: lines(file.Name, file.Data)[0], File: file.Name})
			}
			query := LandingQuery{Objects: objects, Paths: []string{"apps"}, Match: yamlOnly, Identify: lines}
			for b.Loop() {
				landed, err := r.Landings(b.Context(), head, query)
				must(b, err)
				if len(landed) != len(objects) {
					b.Fatalf("%d of %d objects have landed", len(landed), len(objects))
				}
			}
		})
	}
}

// BenchmarkFiles reads the manifests of two commits of the same branch.
func BenchmarkFiles(b *testing.B) {
	f := newFixture(b)
	longHistory(b, f, 50_000, 50)
	r := f.open()
	for b.Loop() {
		for _, revision := range []string{"main", "main~25000"} {
			_, err := r.Files(b.Context(), f.resolve(r, revision), "apps", yamlOnly, Limits{})
			must(b, err)
		}
	}
}
